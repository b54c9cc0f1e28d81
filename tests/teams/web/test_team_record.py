"""Form and head to head, made of public matches."""

from typing import Any

from teams.web.team_record import Result, head_to_head, played_by


def match(
    number: int, home: str, visitors: str, imps: tuple[float, float] | None, status: str = "closed"
) -> Any:
    totals = None if imps is None else {"imps": {"home": imps[0], "visitors": imps[1]}}
    sides = {"home": {"id": home, "name": home.title()}, "visitors": {"id": visitors, "name": visitors.title()}}
    return {"id": f"m{number}", "status": status, **sides, **({} if totals is None else {"totals": totals})}


MATCHES = [
    match(1, "modra", "vihar", (30, 20)),
    match(2, "vihar", "modra", (41, 12)),
    match(3, "modra", "zora", (25, 25)),
    match(4, "modra", "vihar", (9, 0), "scored"),
    match(5, "modra", "vihar", None),
]


def test_only_closed_matches_whose_result_is_shown_count() -> None:
    assert [(each.match, each.result) for each in played_by("modra", MATCHES)] == [
        ("m1", Result.WON),
        ("m2", Result.LOST),
        ("m3", Result.LEVEL),
    ]


def test_head_to_head_is_by_opponent_most_met_first() -> None:
    vihar, zora = head_to_head(played_by("modra", MATCHES))
    assert (vihar.opponent["id"], vihar.played, vihar.own_imps, vihar.their_imps) == ("vihar", 2, 42, 61)
    assert vihar.results == {Result.WON: 1, Result.LEVEL: 0, Result.LOST: 1}
    assert (zora.opponent["name"], zora.results[Result.LEVEL]) == ("Zora", 1)
