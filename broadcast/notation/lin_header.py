"""The head of a LIN file: ``vg`` (teams, segment, boards), ``rs`` (official results), ``pn`` (line-ups)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from broadcast.bridge.calls import Denomination
from broadcast.bridge.contracts import Contract, Doubling
from broadcast.bridge.results import PASSED_OUT, BoardResult
from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import Seat
from broadcast.notation.lin_lexing import Field
from broadcast.notation.problems import ProblemList, Reason
from broadcast.notation.texts import once_encoded

LIN_SEATS = (Seat.S, Seat.W, Seat.N, Seat.E)
"""The order in which LIN names players and hands; dealer digits 1 to 4 follow it."""

_ENTRY = re.compile(r"([1-7])(NT?|[SHDC])([NESW])(XX|X|)(=|[+-]\d{1,2})", re.IGNORECASE)
_PLACEHOLDERS = ["south", "west", "north", "east"]


@dataclass(frozen=True, slots=True)
class Heading:
    """One ``vg`` with what goes with it. Without ``vg`` everything is as unknown as it can be."""

    title: str = ""
    segment: str = ""
    scoring: str = "I"
    first: int | None = None
    last: int | None = None
    team1: str = ""
    carry1: Decimal = Decimal(0)
    team2: str = ""
    carry2: Decimal = Decimal(0)
    results: Mapping[tuple[int, Room], tuple[str, BoardResult | None]] = field(default_factory=dict)
    """Entry and meaning by board and room, for the entries that are not empty."""
    results_line: int | None = None
    lineups: Mapping[Room, Mapping[Seat, str]] = field(default_factory=dict)


def unescaped(text: str) -> str:
    """A name or title with ``%COMMA%`` and ``%PIPE%`` put back, blanks single."""
    text = re.sub("%COMMA%", ",", text, flags=re.IGNORECASE)
    return " ".join(once_encoded(re.sub("%PIPE%", "|", text, flags=re.IGNORECASE)).split())


def read_heading(vg: Field | None, rs: Field | None, pn: Field | None, problems: ProblemList) -> Heading:
    """Put the three fields together. Any may be missing or damaged; the rest stays usable."""
    facts = _read_vg(vg, problems) if vg is not None else {}
    lineups = read_lineups(pn, problems) if pn is not None else {}
    lineups = {room: names for room, names in lineups.items() if names}
    heading = Heading(lineups=lineups, **facts)  # type: ignore[arg-type]
    if rs is None:
        return heading
    results = read_results(rs, heading, problems)
    return Heading(lineups=lineups, results=results, results_line=rs.line, **facts)  # type: ignore[arg-type]


def _read_vg(vg: Field, problems: ProblemList) -> dict[str, object]:
    fields = [part.strip() for part in vg.value.split(",")]
    at = next(
        (
            index
            for index in range(2, len(fields) - 2)
            if fields[index].upper() in ("I", "P", "B", "")
            and _number(fields[index + 1]) is not None
            and _number(fields[index + 2]) is not None
        ),
        None,
    )
    if at is None:
        problems.add(vg.line, "vg", Reason.BAD_HEADER, f"the match header cannot be read: vg|{vg.value[:120]}")
        return {}
    facts: dict[str, object] = {
        "title": unescaped(", ".join(fields[: at - 1])),
        "segment": unescaped(fields[at - 1]),
        "scoring": fields[at].upper() or "I",
        "first": _number(fields[at + 1]),
        "last": _number(fields[at + 2]),
    }
    if at != 2:
        problems.add(vg.line, "vg", Reason.BAD_HEADER, f"the title seems to hold commas: {facts['title']}")
    teams = fields[at + 3 :]
    if len(teams) == 5 and not teams[4]:
        teams.pop()
    if len(teams) != 4:
        problems.add(
            vg.line,
            "vg",
            Reason.BAD_HEADER,
            f"two teams with their carry-overs are 4 entries, here are {len(teams)}: {','.join(teams)[:120]}",
        )
        return facts
    facts["team1"], facts["team2"] = unescaped(teams[0]), unescaped(teams[2])
    for key, text in (("carry1", teams[1]), ("carry2", teams[3])):
        carry = _carry_over(text)
        if carry is None:
            problems.add(vg.line, "vg", Reason.BAD_HEADER, f"{text!r} is not a carry-over; taken as unknown")
        else:
            facts[key] = carry
    return facts


def _number(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[0-9]{1,4}", text) else None


def _carry_over(text: str) -> Decimal | None:
    if not text:
        return Decimal(0)
    try:
        carry = Decimal(text) if re.fullmatch(r"[+-]?[0-9]{1,5}(\.[0-9]{1,4})?", text) else None
    except InvalidOperation:
        return None
    return carry


def read_results(
    rs: Field, heading: Heading, problems: ProblemList
) -> dict[tuple[int, Room], tuple[str, BoardResult | None]]:
    """Two entries a board from the first board on, open room first. Empty entries are no results.

    In a pairs event the second entry, where there is one, belongs to another pair's table and is not used.
    """
    if heading.first is None:
        if rs.value.strip(", \n"):
            problems.add(
                rs.line,
                "rs",
                Reason.BAD_RESULT,
                "the results have no first board number to count from; not used",
            )
        return {}
    entries = [entry.strip() for entry in rs.value.split(",")]
    last = heading.last if heading.last is not None and heading.last >= heading.first else heading.first
    length = 2 * (last - heading.first + 1)
    surplus = [entry for entry in entries[length:] if entry]
    if surplus:
        problems.add(
            rs.line,
            "rs",
            Reason.SURPLUS_RESULTS,
            f"{len(surplus)} results beyond board {last} are not used: {','.join(surplus)[:80]}",
        )
    results: dict[tuple[int, Room], tuple[str, BoardResult | None]] = {}
    for index, entry in enumerate(entries[:length]):
        if not entry or (heading.scoring == "P" and index % 2):
            continue
        number = heading.first + index // 2
        room = Room.CLOSED if index % 2 else Room.OPEN
        result = read_entry(entry)
        if result is None:
            problems.at(number, room)
            problems.add(rs.line, "rs", Reason.BAD_RESULT, f"{entry!r} is not a result; taken as none")
            problems.at(None, None)
        results[number, room] = (entry, result)
    return results


def read_entry(entry: str) -> BoardResult | None:
    """One entry: ``P``, ``4HEx-1``, ``3HNxx=``; ``None`` for anything else.

    >>> read_entry("4HEx-1").tricks, read_entry("PASS").is_passed_out, read_entry("A+")
    (9, True, None)
    """
    if entry[:1].upper() == "P":
        return PASSED_OUT
    found = _ENTRY.fullmatch(entry)
    if not found:
        return None
    level, strain, declarer, doubling, over = found.groups()
    strain = strain.upper()
    contract = Contract(
        int(level), Denomination("NT" if strain.startswith("N") else strain), Doubling(doubling.upper())
    )
    tricks = contract.tricks_needed + (0 if over == "=" else int(over))
    if not 0 <= tricks <= 13:
        return None
    return BoardResult(contract, Seat(declarer.upper()), tricks)


def read_lineups(pn: Field, problems: ProblemList) -> dict[Room, dict[Seat, str]]:
    """Four names (one table) or eight (open room, then closed), each South, West, North, East.

    Any other count leaves all seats empty: one comma too many would give every later player the wrong seat.
    """
    names = [unescaped(name) for name in pn.value.split(",")]
    if len(names) in (5, 9) and not names[-1]:
        names.pop()
    if len(names) not in (4, 8):
        problems.add(
            pn.line,
            "pn",
            Reason.BAD_NAMES,
            f"4 or 8 names are needed, here are {len(names)}; nobody is seated by them: {pn.value[:120]}",
        )
        return {}
    rooms = (Room.OPEN, Room.CLOSED)[: len(names) // 4]
    return {room: _seated(names[4 * place : 4 * place + 4]) for place, room in enumerate(rooms)}


def _seated(names: list[str]) -> dict[Seat, str]:
    if [name.lower() for name in names] == _PLACEHOLDERS:
        return {}
    return {seat: name for seat, name in zip(LIN_SEATS, names, strict=True) if name}
