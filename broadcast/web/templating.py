"""Pages from templates: one strict environment per language, and ``page`` which answers with one.

Every template escapes, whatever its name ends in; an unknown name in a template is an error, not an empty
place. Pages are complete without scripts. What the modules need stands in ``<script type="application/json">``.

Templates and the context each expects (dictionaries of the public JSON, unchanged; with hidden results the
hidden ones, whose missing members leave their places empty):

* ``vugraph/home.html``: ``live``, ``upcoming``, ``latest``: lists of matches; ``ladders``:
  ``[{id, name, rungs (the top), moves (newest first)}]``
* ``vugraph/matches.html``: ``matches``: list; ``status``: the filter or None; ``next``: cursor or None
* ``vugraph/match.html``: ``match``: the snapshot; ``comments``: list of comments' data
* ``vugraph/board.html``: ``match``; ``board``: the board resource; ``room``, ``call``, ``card``: the
  position, each or None; ``previous``, ``next``: "segment.number" or None
* ``vugraph/calculator.html``: ``calculation``: what ``calculate`` of the calculator answers for the query
* ``teams/ladders.html``: ``ladders``: ``[{id, name, rungs (the top)}]``
* ``teams/ladder.html`` and the other pages of a ladder: what ``teams/web/ladder_view.py`` makes
* ``teams/team.html``: ``team``; ``matches``: list; ``standings``:
  ``[{ladder: {id, name}, rung, state, challenge}]``; ``history``: moves, oldest first
* ``error.html``: ``status``, ``error`` (code), ``message`` (sentence)
"""

from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from starlette.requests import Request
from starlette.responses import HTMLResponse

from broadcast.web import board_view, match_view
from broadcast.web.authority import SIGNED_IN
from broadcast.web.bidi import isolated_value
from broadcast.web.cookies import cookie_name
from broadcast.web.embed_addresses import discovery
from broadcast.web.filters import filters_for
from broadcast.web.languages import Language, asked_language, catalogue, language_of
from broadcast.web.static_files import static_address
from broadcast.web.ways import ways_of
from broadcast.web.wording import live_words

TEMPLATE_DIRECTORY = Path(__file__).resolve().parents[2] / "templates"

SECURITY_HEADERS = {
    "content-security-policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


@cache
def environment(language: Language) -> Environment:
    """The templates in one language."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATE_DIRECTORY),
        extensions=["jinja2.ext.i18n"],
        autoescape=True,
        undefined=StrictUndefined,
        finalize=isolated_value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.policies["json.dumps_kwargs"] = {"sort_keys": False, "ensure_ascii": False, "separators": (",", ":")}
    made.install_gettext_translations(catalogue(language), newstyle=True)  # type: ignore[attr-defined]
    for name in ("gettext", "ngettext", "pgettext", "npgettext"):
        made.globals[name] = _isolating(cast("Callable[..., str]", made.globals[name]))
    made.filters.update(filters_for(language))
    made.globals.update(
        static=static_address,
        discovery=discovery,
        table_view=board_view.table_view,
        team_at=board_view.team_at,
        board_key=match_view.board_key,
        current_board=match_view.current_board,
        current_segment=match_view.current_segment,
        segment_of=match_view.segment_of,
        at_stake=match_view.at_stake,
        spoken=match_view.spoken,
        newest=match_view.newest,
        for_scripts=match_view.for_scripts,
        said_by=match_view.said_by,
        leader=match_view.leader,
        lead_sentence=partial(match_view.lead_sentence, language),
        swing_chart=match_view.swing_chart,
        biggest_swings=match_view.biggest_swings,
        live_words=live_words(catalogue(language).gettext),
    )
    return made


def _isolating(sentence: Callable[..., str]) -> Callable[..., str]:
    """A sentence of the catalogue whose places are filled with text that keeps its direction to itself."""

    @pass_context
    def filled(context: Context, *arguments: Any, **places: Any) -> str:
        return sentence(context, *arguments, **{name: isolated_value(value) for name, value in places.items()})

    return filled


def account_name(request: Request) -> str | None:
    """Who is signed in, for the header; empty where that is not known (an edge), ``None`` for nobody."""
    account = request.scope.get(SIGNED_IN)
    if account is not None:
        return str(account.name)
    is_edge = getattr(request.app.state, "house", None) is None
    return "" if is_edge and any(cookie_name(scheme) in request.cookies for scheme in ("https:", "")) else None


def results_of(request: Request) -> str:
    """``hidden`` when the address asks to be spared the results, else ``shown``."""
    return "hidden" if request.query_params.get("results") == "hidden" else "shown"


def page(
    request: Request,
    name: str,
    context: Mapping[str, object] | None = None,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> HTMLResponse:
    """Answer with a template, in the request's language, its links keeping language and hidden results."""
    language = language_of(request)
    address = Address(request)
    body = (
        environment(language)
        .get_template(name)
        .render(
            {
                **(context or {}),
                "language": language,
                "lang": language.value,
                "lang_tag": language.tag,
                "results": results_of(request),
                "url": address.url,
                "here": address.here,
                "absolute": address.absolute,
                "picture_address": partial(address.picture, language),
                "path": request.url.path,
                "account_name": account_name(request),
                "ways": ways_of(request.query_params),
                "query": dict(request.query_params),
            }
        )
    )
    return HTMLResponse(
        body,
        status,
        {
            **SECURITY_HEADERS,
            "content-language": language.tag,
            "vary": "accept-language, cookie",
            **({"cache-control": "private, no-cache"} if request.scope.get(SIGNED_IN) is not None else {}),
            **(headers or {}),
        },
    )


class Address:
    """Makes the links of one page: what the address chose (language, hidden results, ways to watch) stays."""

    def __init__(self, request: Request) -> None:
        self._path = request.url.path
        self._origin = origin_of(request)
        self._query = dict(request.query_params)
        chosen = asked_language(request)
        self._kept = {
            **({"lang": chosen.value} if chosen else {}),
            **({"results": "hidden"} if results_of(request) == "hidden" else {}),
            **ways_of(request.query_params),
        }

    def url(self, path: str, **query: object) -> str:
        """A path of this site with its query; members that are None are left out."""
        return _join(path, {**{key: value for key, value in query.items() if value is not None}, **self._kept})

    def here(self, **changes: object) -> str:
        """This very page with some members of the query changed, or with None taken away."""
        merged = {**self._query, **changes}
        return _join(self._path, {key: value for key, value in merged.items() if value is not None})

    def absolute(self) -> str:
        """This very page, for whoever shows a link to it elsewhere."""
        return self._origin + self.here()

    def picture(self, language: Language, path: str) -> str:
        """A picture of this site in the language of the page, wherever it is shown."""
        return self._origin + self.url(path, lang=language.value)


def origin_of(request: Request) -> str:
    """The public address of the site, without a slash at the end; at an edge its house's, where known."""
    state = request.app.state
    house = getattr(state, "house", None)
    known = house.origin if house is not None else getattr(state, "origin", None)
    return known or str(request.base_url).rstrip("/")


def _join(path: str, query: Mapping[str, object]) -> str:
    return f"{path}?{urlencode(query)}" if query else path
