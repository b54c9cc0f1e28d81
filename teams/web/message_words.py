"""A captain's message in words: for the page, for a feed, for a letter."""

import html
from collections.abc import Mapping
from typing import Any

from broadcast.web.filters import moment
from broadcast.web.languages import Language
from broadcast.web.templating import environment
from teams.captains.zones import Times


def told_facts(facts: Mapping[str, Any], times: Times) -> dict[str, Any]:
    """Facts of a message with ``until``, ``date`` and ``from`` in words."""
    moments = {name: times.tell(moment(facts[name])) for name in ("until", "date", "from") if facts.get(name)}
    return {**facts, **moments}


def sentence(kind: str, facts: Mapping[str, Any], language: Language) -> str:
    """A message as the page tells it, as plain text; its moments are words already (``told_facts``)."""
    macros = environment(language).get_template("captain/_messages.html").make_module()
    return " ".join(html.unescape(str(macros.sentence(kind, facts))).split())  # type: ignore[attr-defined]
