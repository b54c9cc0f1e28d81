"""Template filters: bridge values as text and as safe markup.

Markup is made only by ``Markup.format``, which escapes what is put into it; whatever is not a known code (a
call, card or contract in the notation of the public interface) comes out as plain escaped text.
"""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal

from babel.dates import format_date, format_skeleton, format_time
from markupsafe import Markup, escape

from broadcast.web import wording
from broadcast.web.bidi import isolated
from broadcast.web.languages import Language, catalogue

# U+FE0E asks for the text form; without it phones paint the symbols as emoji.
SYMBOLS = {"S": "♠\ufe0e", "H": "♥\ufe0e", "D": "♦\ufe0e", "C": "♣\ufe0e"}
PLAIN_SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣", "N": "NT"}
MINUS = "−"
DOUBLED = "×"
"""The sign behind a doubled contract; as a letter it would read as part of ``NT``."""
SUIT_MARK = re.compile(r"!([shdcSHDC])(?![A-Za-z])")
"""How commentators write a suit in running text."""
MOST_SUITS = 40
"""Suit symbols of one text: each is an element, and costs as much as thirty letters."""


def signed(value: float | None) -> str:
    """A number with a proper minus sign: ``−50``, ``0``, ``420``; nothing for an unknown one."""
    if value is None:
        return ""
    return (MINUS if value < 0 else "") + _plain(abs(value))


def with_sign(value: float | None) -> str:
    """A difference with its sign always shown: ``+10``, ``−3``, ``0``."""
    if value is None:
        return ""
    return ("+" if value > 0 else "") + signed(value)


def _plain(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if value % 1 else f"{int(value)}"


def vps(value: float | None) -> str:
    """Victory points to two decimals."""
    if value is None:
        return ""
    rounded = Decimal(str(value)).quantize(Decimal("0.01"), ROUND_HALF_UP)
    return str(rounded).replace("-", MINUS)


def result_of(contract: str | None, tricks: int | None) -> str:
    """Tricks against the contract: ``=``, ``+1``, ``−2``.

    >>> result_of("4SX", 8)
    '−2'
    """
    if tricks is None or not contract or not contract[0].isdigit():
        return ""
    over = tricks - 6 - int(contract[0])
    return "=" if over == 0 else with_sign(over)


def plain_contract(contract: str | None) -> str:
    """A contract as text for titles and labels: ``4♠×``, ``3NT``."""
    if not contract or not contract[0].isdigit():
        return contract or ""
    denomination, doubled = _split(contract[1:])
    return contract[0] + PLAIN_SYMBOLS.get(denomination, denomination) + doubled.replace("X", DOUBLED)


def _split(rest: str) -> tuple[str, str]:
    return ("N", rest[2:]) if rest.startswith("NT") else (rest[:1], rest[1:])


def moment(at: str | None) -> datetime | None:
    """A time of the public interface (ISO 8601); None when it is missing or not a time."""
    if not at:
        return None
    try:
        parsed = datetime.fromisoformat(at)
        return parsed.replace(tzinfo=UTC) if parsed.tzinfo is None else parsed.astimezone(UTC)
    except (ValueError, OverflowError):  # what is no time, and what is none in UTC: before year 1, after 9999
        return None


def filters_for(language: Language) -> Mapping[str, Callable[..., object]]:
    """All filters of one language by name."""
    gettext: Callable[[str], str] = catalogue(language).gettext

    def suit(code: str) -> Markup:
        if code not in SYMBOLS:
            return escape(PLAIN_SYMBOLS.get(code, code))
        return Markup('<span class="suit suit-{}">{}</span>').format(code, SYMBOLS[code])

    def contract(code: str | None) -> Markup:
        if not code:
            return Markup("")
        if code == "Pass":
            return escape(gettext("Pass"))
        if not code[0].isdigit():
            return escape(code)
        denomination, doubled = _split(code[1:])
        sign = (
            Markup('<span class="doubled">{}</span>').format(doubled.replace("X", DOUBLED)) if doubled else ""
        )
        return Markup('<span class="contract">{}{}{}</span>').format(code[0], suit(denomination), sign)

    def card(code: str) -> Markup:
        rank = "10" if code[1:] == "T" else code[1:]
        return Markup('<span class="card-face">{}<span class="rank">{}</span></span>').format(
            suit(code[:1]), rank
        )

    def suit_text(text: str | None) -> Markup:
        """What somebody wrote, escaped, with ``!s !h !d !c`` as suit symbols, the first of very many."""
        pieces = SUIT_MARK.split(isolated(text or ""), MOST_SUITS)
        return Markup("").join(
            suit(piece.upper()) if place % 2 else escape(piece) for place, piece in enumerate(pieces)
        )

    def date(at: str | None) -> str:
        when = moment(at)
        return format_date(when, format="medium", locale=language.value) if when else ""

    def day(at: str | None) -> str:
        when = moment(at)
        return format_skeleton("MMMd", when, locale=language.value) if when else ""

    def date_time(at: str | None) -> str:
        when = moment(at)
        if when is None:
            return ""
        return f"{format_date(when, format='medium', locale=language.value)} {when:%H:%M} UTC"

    def clock(at: str | None) -> str:
        when = moment(at)
        return format_time(when, format="HH:mm", locale=language.value) if when else ""

    def coded(table: Mapping[str, str]) -> Callable[[str | None], str]:
        return lambda code: wording.word(gettext, table, code)

    def by_name(by: str) -> str:
        """Who did it, for everybody: an operator's link has no name."""
        kind, _, name = by.partition(":")
        phrase = wording.CHANGERS.get(kind)
        return gettext(phrase) % {"name": name} if phrase else by

    return {
        "signed": signed,
        "with_sign": with_sign,
        "vps": vps,
        "result_of": result_of,
        "plain_contract": plain_contract,
        "suit": suit,
        "contract": contract,
        "call": contract,
        "card": card,
        "suit_text": suit_text,
        "date": date,
        "day": day,
        "date_time": date_time,
        "clock": clock,
        "seat_name": coded(wording.SEATS),
        "room_name": coded(wording.ROOMS),
        "correction_name": coded(wording.CORRECTIONS),
        "source_name": coded(wording.SOURCES),
        "release_name": coded(wording.RELEASES),
        "by_name": by_name,
        "role_name": coded(wording.ROLES),
        "phase_name": coded(wording.PHASES),
        "pending_name": coded(wording.PENDING),
        "held_name": coded(wording.HELD),
        "vulnerable_name": coded(wording.VULNERABLE),
        "irregular_name": coded(wording.IRREGULAR),
        "vps_reason_name": coded(wording.VPS_REASONS),
        "rung_state_name": coded(wording.RUNG_STATES),
        "cause_name": coded(wording.CAUSES),
    }
