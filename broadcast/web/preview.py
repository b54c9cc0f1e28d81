"""Preview images for links: ``/matches/{match}.png`` and ``/matches/{match}/boards/{board}.png``.

They show what the page shows to everybody at that moment, from the same public JSON; with ``?results=hidden``
neither a score nor how far the rooms are. A picture is drawn in a thread, one at a time, and kept under what it
says: a card that changes nothing on it costs nothing.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.web import board_view, match_view, wording
from broadcast.web.bidi import isolated, without_controls
from broadcast.web.conditional import knows_tag
from broadcast.web.filters import filters_for, result_of, signed, vps, with_sign
from broadcast.web.languages import Language, catalogue, language_of
from broadcast.web.match_routes import board_key, is_hidden, last_event, public_match
from broadcast.web.preview_drawing import (
    BoardPicture,
    MatchPicture,
    RoomLine,
    TeamLine,
    draw_board,
    draw_match,
)
from broadcast.web.requests import house_of

Json = Mapping[str, Any]
Picture = MatchPicture | BoardPicture

KEPT: Final = 128
"""Pictures kept, of some 40 kB each."""
SECONDS: Final = 60
"""For how long others may show a picture without asking again."""


class Previews:
    """Draws pictures one at a time and keeps the latest."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept: OrderedDict[Picture, bytes] = OrderedDict()
        self._most = kept
        self._drawing = asyncio.Lock()

    async def png(self, picture: Picture) -> bytes:
        found = self._found(picture)
        if found is not None:
            return found
        async with self._drawing:
            found = self._found(picture)
            if found is None:
                found = await asyncio.to_thread(_drawn, picture)
                self._kept[picture] = found
                if len(self._kept) > self._most:
                    self._kept.popitem(last=False)
            return found

    def _found(self, picture: Picture) -> bytes | None:
        if picture in self._kept:
            self._kept.move_to_end(picture)
        return self._kept.get(picture)

    # --- addresses ------------------------------------------------------------------------------------------

    async def match(self, request: Request) -> Response:
        """``GET /matches/{match}.png``."""
        house, hidden = house_of(request), is_hidden(request)
        found = await public_match(house, request.path_params["match"])
        tag = _tag(request, last_event(house, found))
        if knows_tag(request, tag):
            return Response(status_code=304, headers=_headers(request, tag))
        members = found.public.resource(hidden=hidden) or {}
        return await self._answer(request, tag, match_picture(members, language_of(request)))

    async def board(self, request: Request) -> Response:
        """``GET /matches/{match}/boards/{board}.png``."""
        house, hidden = house_of(request), is_hidden(request)
        found = await public_match(house, request.path_params["match"])
        key = board_key(found, request.path_params["board"])
        tag = _tag(request, last_event(house, found))
        if knows_tag(request, tag):
            return Response(status_code=304, headers=_headers(request, tag))
        members = found.public.resource(hidden=hidden) or {}
        picture = board_picture(members, found.public.board(key) or {}, language_of(request), hidden=hidden)
        return await self._answer(request, tag, picture)

    async def _answer(self, request: Request, tag: str, picture: Picture) -> Response:
        return Response(await self.png(picture), headers=_headers(request, tag), media_type="image/png")


def _drawn(picture: Picture) -> bytes:
    return draw_match(picture) if isinstance(picture, MatchPicture) else draw_board(picture)


def _tag(request: Request, last: str) -> str:
    """The last public event, and the language, as both are told under one address."""
    return f'"{last}.{language_of(request)}"'


def _headers(request: Request, tag: str) -> dict[str, str]:
    return {
        "etag": tag,
        "cache-control": f"public, max-age={SECONDS}",
        "content-language": language_of(request).tag,
        "vary": "accept-language",
        "access-control-allow-origin": "*",
        "cross-origin-resource-policy": "cross-origin",
    }


# --- from the public JSON to what a picture says -------------------------------------------------------------


def match_picture(match: Json, language: Language) -> MatchPicture:
    """What the picture of a match says; a match without ``totals`` has its results hidden."""
    words = catalogue(language)
    chip, kind = _chip(match, words.gettext)
    totals: Json | None = match.get("totals")
    is_told = totals is not None and match["status"] != "upcoming"
    sentence = "" if totals is not None else words.gettext("Results are hidden")
    after = ""
    if match["status"] == "upcoming":
        starts_at = match.get("starts_at")
        after = str(filters_for(language)["date_time"](starts_at)) or (starts_at or "")
    elif totals is not None:
        sentence = match_view.lead_sentence(language, match)
        after = words.gettext("after %(compared)s of %(total)s boards") % {
            "compared": totals["boards_compared"],
            "total": totals["boards_total"],
        }
    swings = tuple(board.get("imps_home") for board in match.get("boards") or []) if is_told else ()
    return MatchPicture(
        title=_line(match["title"]),
        chip=chip,
        chip_kind=kind,
        teams=_teams(match, words.gettext("VP") if is_told else None),
        sentence=_line(sentence),
        leader=match_view.leader(match) if is_told else None,
        after=after,
        swings=swings if any(swing is not None for swing in swings) else (),
    )


def _chip(match: Json, translate: Callable[[str], str]) -> tuple[str, str]:
    status, release = match["status"], match.get("release") or {}
    if status == "live" and release.get("rule") == "delay":
        minutes = round(release["seconds"] / 60)
        return translate("DELAYED %(minutes)s min") % {"minutes": minutes}, "delayed"
    return wording.word(translate, wording.CHIPS, status), status


def _teams(match: Json, unit: str | None = None) -> tuple[TeamLine, TeamLine]:
    """Both teams, with their scores where a unit for victory points is given."""

    def line(side: str) -> TeamLine:
        totals: Json = match.get("totals") or {}
        name = _line(match[side]["name"])
        if unit is None or not totals:
            return TeamLine(side, name)
        points = totals.get("vps")
        told = None if points is None else f"{vps(points[side])} {unit}"
        return TeamLine(side, name, signed(totals["imps"][side]), told)

    return line("home"), line("visitors")


def board_picture(match: Json, board: Json, language: Language, *, hidden: bool) -> BoardPicture:
    """What the picture of a board says: the deal where it is public, and where results are shown what became
    of it.
    """
    words = catalogue(language)
    in_words = filters_for(language)
    heading = words.gettext("Board %(number)s") % {"number": board["number"]}
    dealer = f"{words.gettext('Dealer')} {in_words['seat_name'](board['dealer'])}"
    swing, winner = (None, None) if hidden else _swing(match, board, language)
    hands = board_view.deal_hands(board.get("deal"))
    return BoardPicture(
        title=_line(match["title"]),
        heading=heading,
        teams=_teams(match),
        dealer=board["dealer"],
        vulnerable=board["vulnerable"],
        conditions=f"{dealer} · {in_words['vulnerable_name'](board['vulnerable'])}",
        hands=tuple((seat, tuple(suits)) for seat, suits in hands.items()),
        rooms=()
        if hidden
        else tuple(_room(board.get(name) or {}, name, words.gettext) for name in match_view.ROOMS),
        swing=None if swing is None else _line(swing),
        winner=winner,
    )


def _room(member: Json, name: str, translate: Callable[[str], str]) -> RoomLine:
    """What became of a board in one room; while it is in play its contract alone."""
    title = wording.word(translate, wording.ROOMS, name)
    contract, score = member.get("contract"), member.get("score_ns")
    score_text = "" if score is None else with_sign(score)
    if contract == "Pass":
        return RoomLine(title, translate("Passed out"))
    if not contract:
        state = member.get("state") or "not_played"
        return RoomLine(title, wording.word(translate, wording.PHASES, state), score=score_text)
    return RoomLine(title, contract, member["declarer"], result_of(contract, member.get("tricks")), score_text)


def _swing(match: Json, board: Json, language: Language) -> tuple[str | None, str | None]:
    """The board's swing as a sentence, and who gained."""
    home, words = board.get("imps_home"), catalogue(language)
    if home is None:
        return None, None
    if home == 0:
        return str(words.gettext("A level board")), None
    side = "home" if home > 0 else "visitors"
    pair = ("%(team)s gains %(imps)s IMP", "%(team)s gains %(imps)s IMPs")
    told = str(words.ngettext(*pair, abs(home))) % {
        "team": isolated(match[side]["name"]),
        "imps": signed(abs(home)),
    }
    return told, side


def _line(text: str) -> str:
    """One line of text: what breaks lines or shows nothing becomes a space; what joins or turns it is left."""
    plain = without_controls(text)
    return " ".join(
        "".join(each if each.isprintable() or each in "\u200c\u200d" else " " for each in plain).split()
    )


def preview_routes() -> list[Route]:
    """Before the pages, whose addresses would also fit."""
    previews = Previews()
    return [
        Route("/matches/{match}/boards/{board}.png", previews.board, name="board_preview"),
        Route("/matches/{match}.png", previews.match, name="match_preview"),
    ]
