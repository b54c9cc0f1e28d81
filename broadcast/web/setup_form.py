"""The form in which a match is set up, and the match it describes as the public interface takes it.

Fields are text as it was typed, under flat names: ``title``, ``home_team`` (an id) or ``home_name`` (a free
name), ``seg1_first``, ``seg1_open_N`` (a roster player as ``id:p1``) or ``seg1_open_N_name`` (a free name), and
so on. Pure: nothing here knows a request. A number that cannot be read is told by its field's name.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from broadcast.bridge.rooms import Room, Team
from broadcast.bridge.seats import SEATS
from broadcast.notation.time_zones import checked_zone, moment_from
from broadcast.tables.errors import Refusal
from broadcast.tables.setup import PlayerName, ReleaseRule
from broadcast.tables.state import MatchState
from broadcast.web.command_json import bad_field
from broadcast.web.problems import Problem

Fields = Mapping[str, str]
Json = dict[str, Any]

SEGMENTS: Final = 20
"""Most segments that the form has room for."""
STREAMS: Final = 3
"""Links to pictures or voices elsewhere that the form has room for."""
BLANK: Final[dict[str, str]] = {
    "segments": "1",
    "seg1_first": "1",
    "seg1_last": "16",
    "seg1_ns_open": "home",
    "deals": "random",
    "scale": "wbf-2013",
    "imp_scale": "1962",
    "penalty_scale": "1987",
    "rule": "board",
    "minutes": "15",
    "correction_minutes": "30",
}
"""A new match: 16 boards, everything else at its default."""


def segment_count(fields: Fields) -> int:
    text = fields.get("segments", "1")
    return min(max(int(text), 1), SEGMENTS) if text.isascii() and text.isdecimal() and len(text) < 4 else 1


def board_count(fields: Fields) -> int:
    """Boards of all segments as far as their numbers can be read."""
    boards = 0
    for number in range(1, segment_count(fields) + 1):
        first, last = fields.get(f"seg{number}_first", ""), fields.get(f"seg{number}_last", "")
        if re.fullmatch(r"\d{1,4}", first, re.ASCII) and re.fullmatch(r"\d{1,4}", last, re.ASCII):
            boards += max(0, int(last) - int(first) + 1)
    return boards


def team_at(fields: Fields, number: int, room: str, seat: str) -> str:
    """``home`` or ``visitors``: who sits there in a segment."""
    ns_open = fields.get(f"seg{number}_ns_open", "home")
    is_ns_open = (seat in "NS") == (room == Room.OPEN)
    return ns_open if is_ns_open else ("visitors" if ns_open == "home" else "home")


def with_segment(fields: Fields) -> dict[str, str]:
    """One more segment of as many boards as the last, with its line-ups, the numbers going on."""
    count = segment_count(fields)
    added = dict(fields)
    if count == SEGMENTS:
        return added
    before, after = f"seg{count}_", f"seg{count + 1}_"
    for name, value in fields.items():
        if name.startswith(before):
            added[after + name.removeprefix(before)] = value
    first, last = added.get(f"{before}first", ""), added.get(f"{before}last", "")
    if re.fullmatch("[0-9]{1,4}", first) and re.fullmatch("[0-9]{1,4}", last):
        added[f"{after}first"] = str(int(last) + 1)
        added[f"{after}last"] = str(2 * int(last) - int(first) + 1)
    added[f"{after}title"] = ""
    return added | {"segments": str(count + 1)}


def without_segment(fields: Fields, number: int) -> dict[str, str]:
    """The form without a segment; those after it move up."""
    count = segment_count(fields)
    if not 1 <= number <= count or count == 1:
        return dict(fields)
    kept: dict[str, str] = {}
    for name, value in fields.items():
        found = re.fullmatch(r"seg(\d{1,4})_(.+)", name, re.ASCII)
        if found is None:
            kept[name] = value
        elif int(found[1]) != number:
            kept[f"seg{int(found[1]) - (int(found[1]) > number)}_{found[2]}"] = value
    return kept | {"segments": str(count - 1)}


def body_of(fields: Fields, teams: Mapping[str, Json], deals: str) -> Json:
    """The match as ``POST /api/matches`` takes it. ``teams`` are the registered ones by id, ``deals`` PBN text
    where a file was uploaded. Raises ``Problem`` ``bad_field no_title no_team``, ``Refusal`` for the start.
    """
    scale = {name: fields[name] for name in ("scale", "imp_scale", "penalty_scale") if fields.get(name)}
    body: Json = {
        "title": fields.get("title", "").strip(),
        "home": _team(fields, "home"),
        "visitors": _team(fields, "visitors"),
        "segments": [_segment(fields, number, teams) for number in range(1, segment_count(fields) + 1)],
        "deals": deals if fields.get("deals") == "file" else fields.get("deals", "random"),
        **scale,
        "carry_over": _carry_over(fields),
        "release": _release(fields),
        "no_devices": bool(fields.get("no_devices")),
        "correction_minutes": _number(fields, "correction_minutes", "30"),
    }
    if not body["title"]:
        raise Problem(422, "no_title", "Give the match a title", field="title")
    if fields.get("language"):
        body["language"] = fields["language"]
    body["streams"] = list(_streams(fields))
    if fields.get("starts_at"):
        body["starts_at"] = starts_at(fields).isoformat()
    return body


def _team(fields: Fields, side: str) -> Any:
    id, name = fields.get(f"{side}_team", ""), fields.get(f"{side}_name", "").strip()
    if id:
        return {"id": id} | ({"name": name} if name else {})
    if not name:
        raise Problem(422, "no_team", "Choose or name both teams", field=f"{side}_name")
    return name


def _segment(fields: Fields, number: int, teams: Mapping[str, Json]) -> Json:
    prefix = f"seg{number}_"
    lineups: Json = {}
    for room in Room:
        seats = dict(_seats(fields, number, room, teams))
        if seats:
            lineups[room.value] = seats
    return {
        "number": number,
        "title": fields.get(f"{prefix}title", "").strip() or str(number),
        "first": _number(fields, f"{prefix}first"),
        "last": _number(fields, f"{prefix}last"),
        "ns_open": fields.get(f"{prefix}ns_open", "home"),
        "lineups": lineups,
    }


def _seats(fields: Fields, number: int, room: Room, teams: Mapping[str, Json]) -> Iterator[tuple[str, Any]]:
    for seat in SEATS:
        place = f"seg{number}_{room}_{seat}"
        chosen, typed = fields.get(place, ""), fields.get(f"{place}_name", "").strip()
        if chosen.startswith("id:"):
            team = teams.get(fields.get(f"{team_at(fields, number, room, seat)}_team", ""), {})
            known = {player["id"]: player["name"] for player in team.get("players", ())}
            id = chosen.removeprefix("id:")
            if id not in known:
                raise bad_field(place, "a player of the team's roster, or a name")
            yield seat.value, {"id": id, "name": known[id]}
        elif typed:
            yield seat.value, typed


def _streams(fields: Fields) -> Iterator[Json]:
    for number in range(1, STREAMS + 1):
        title, url = (fields.get(f"stream{number}_{part}", "").strip() for part in ("title", "url"))
        if title or url:
            yield {"title": title or url.removeprefix("https://").partition("/")[0], "url": url}


def _carry_over(fields: Fields) -> Json:
    carried: Json = {
        "home": _number(fields, "carry_home", "0"),
        "visitors": _number(fields, "carry_visitors", "0"),
    }
    if fields.get("carry_boards", "").strip():
        carried["boards"] = _number(fields, "carry_boards")
    return carried


def _release(fields: Fields) -> Json:
    rule = fields.get("rule", "board")
    return {"rule": rule} | ({"seconds": 60 * _number(fields, "minutes")} if rule == "delay" else {})


def _number(fields: Fields, name: str, default: str = "") -> int:
    text = fields.get(name, "").strip().replace("−", "-") or default
    if not re.fullmatch(r"-?\d{1,6}", text, re.ASCII):
        raise bad_field(name, "a whole number")
    return int(text)


def starts_at(fields: Fields) -> datetime:
    """When play starts, in UTC; it is typed in the zone ``zone``, UTC where none is chosen.

    Raises ``Refusal`` ``bad_time_zone bad_moment no_such_hour hour_twice``.
    """
    try:
        return moment_from(fields.get("starts_at", ""), checked_zone(fields.get("zone") or "UTC"))
    except Refusal as refused:
        field = "zone" if refused.rule == "bad_time_zone" else "starts_at"
        raise Refusal(refused.rule, refused.message, **refused.facts, field=field) from None


def copied(match: MatchState) -> dict[str, str]:
    """A form filled in like a match, without its deals, its date and its carry-over."""
    created = match.created
    fields = dict(BLANK) | {
        "title": created.title,
        "segments": str(min(len(match.segments), SEGMENTS)),
        "scale": created.scale,
        "imp_scale": created.imp_scale,
        "penalty_scale": created.penalty_scale.value,
        "rule": match.release.rule.value,
        "minutes": str(match.release.seconds // 60 or 15),
        "no_devices": "1" if created.no_devices else "",
        "correction_minutes": str(created.correction_minutes),
        "deals": "random" if created.deals else "typed",
        "language": created.language or "",
    }
    for number, stream in enumerate(created.streams[:STREAMS], 1):
        fields |= {f"stream{number}_title": stream.title, f"stream{number}_url": stream.url}
    for side, team in ((Team.HOME, created.home), (Team.VISITORS, created.visitors)):
        fields |= {f"{side}_team": team.id or "", f"{side}_name": "" if team.id else team.name}
    for number, segment in enumerate(match.segments[:SEGMENTS], 1):
        prefix = f"seg{number}_"
        title = "" if segment.title == str(segment.number) else segment.title
        fields |= {f"{prefix}title": title, f"{prefix}ns_open": segment.ns_open.value}
        fields |= {f"{prefix}first": str(segment.first), f"{prefix}last": str(segment.last)}
        for room, lineup in segment.lineups.items():
            for seat, player in lineup.items():
                fields |= _chosen(f"{prefix}{room}_{seat}", player)
    if match.release.rule is ReleaseRule.DELAY and not created.no_devices:
        fields["rule"] = ReleaseRule.BOARD.value
    return fields


def _chosen(place: str, player: PlayerName) -> dict[str, str]:
    return {place: f"id:{player.id}"} if player.id else {f"{place}_name": player.name}
