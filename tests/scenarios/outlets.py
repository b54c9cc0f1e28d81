"""Every way out of the house, enumerated from the application, and read by one observer.

A route whose address these tests do not know how to fill is an error, so that a new way out cannot be
forgotten. Streams are dispatched by a pattern of their own; their addresses are listed here and the pattern is
held to them.
"""

import re
from collections.abc import Iterator

from starlette.routing import Mount, Route

from broadcast.web import application
from tests.scenarios.whole_house import Answer, Contest

STREAM_PATTERN = r"/(?P<kind>matches|ladders)/(?P<id>[^/]+)/events(?:/(?P<room>open|closed))?"
"""What the application sends to streams; when it changes, ``public_streams`` must say how to fill it."""
QUERIES = {
    "/api/matches": ["", "status=upcoming", "status=live", "status=scored", "status=closed", "limit=1"],
    "/api/search": ["", "contract=NT", "hcp=0-", "player=Modra", "q=Vihar", "result=made", "swing=0-"],
    "/search": ["", "contract=NT", "hcp=0-", "seat=N&shape=x-x-x-x", "order=swing", "result=down"],
    "/search.pbn": ["", "contract=NT"],
    "/embed/matches/{match}": ["", "show=open", "show=score", "show=result", "area=playing"],
    "/embed/matches/{match}/boards/{board}": ["", "room=closed&call=1"],
    "/embed.css": ["accent=0b5d4b"],
    "/oembed": ["url=http://club.example/", "url=http://club.example/&format=xml"],
    "/api/tools/score": ["contract=4SX&vulnerable=yes&tricks=9"],
    "/api/tools/imps": ["difference=-430"],
    "/api/tools/vps": ["scale=wbf-2013&boards=16&imps=10"],
    "/api/matches/{match}/events": ["", "after=1-0", "after=1-1", "after=1-999"],
    "/operate/{match}/{room}/score": ["board=1.1&contract=4SX&declarer=S&tricks=9"],
    "/api/ladders/{ladder}/events": ["", "after=1-0"],
    "/api/ladders/{ladder}/history": ["", "at=2026-06-01"],
    "/ladders/{ladder}": ["", "at=2026-06-01", "at=2126-06-01"],
}
"""Questions of a route beside its bare address."""
HIDDEN = "results=hidden"


def fillings(contest: Contest) -> dict[str, list[str]]:
    """What may stand for each parameter of an address."""
    boards = [f"1.{number}" for number in range(1, contest.boards + 1)]
    return {
        "match": [contest.match],
        "segment": ["1"],
        "board": boards,
        "room": ["open", "closed"],
        "ladder": [contest.ladder],
        "team": list(contest.teams.values()),
        "challenge": [contest.challenge],
        "club": [contest.club],
        "invitation": [contest.invitation],
        "secret": [contest.secret],
        "action": ["accept"],
        "account": [contest.house.links["account"]],
        "join": [contest.house.links["join"]],
        "reset": [contest.house.links["reset"]],
        "ruling": ["correct_result", "split", "lineup", "release", "close"],
        "number": ["1"],
    }


def routes(contest: Contest) -> list[Route]:
    """All routes but the static files, which hold nothing of a match."""
    found = []
    for route in contest.house.application.routed.routes:
        if isinstance(route, Mount):
            assert route.path == "/static", f"a mount that no test reads: {route.path}"
            continue
        assert isinstance(route, Route), f"a kind of route that no test reads: {route}"
        found.append(route)
    return found


def filled(path: str, contest: Contest) -> list[str]:
    """The addresses of a route. Raises ``KeyError`` for a parameter that is not known here."""
    names = re.findall(r"{(\w+)(?::\w+)?}", path)
    known = fillings(contest)
    found = [path]
    for name in names:
        found = [re.sub(rf"{{{name}(:\w+)?}}", value, text) for text in found for value in known[name]]
    return found


def public_streams(contest: Contest) -> list[str]:
    assert application._STREAM.pattern == STREAM_PATTERN
    rooms = [f"/matches/{contest.match}/events{room}" for room in ("", "/open", "/closed")]
    return [*rooms, f"/matches/{contest.match}/events?after=1-0", f"/ladders/{contest.ladder}/events"]


def addresses(contest: Contest) -> Iterator[str]:
    """Everything that can be asked by GET, with results shown and hidden."""
    plain = [*public_streams(contest)]
    for route in routes(contest):
        if "GET" in (route.methods or ()):
            for path in filled(route.path, contest):
                queries = QUERIES.get(route.path, [""])
                plain += [f"{path}?{query}" if query else path for query in queries]
    for address in plain:
        yield address
        yield f"{address}{'&' if '?' in address else '?'}{HIDDEN}"


PARTS = 3
"""A look after every command asks the streams and, in turn, so great a part of all other addresses."""


async def observed(
    contest: Contest, token: str | None = None, *, with_head: bool = False, part: int | None = None
) -> dict[str, Answer]:
    """What one observer gets by GET, and with HEAD, of every address, or of all streams and one ``part``."""
    seen: dict[str, Answer] = {}
    streams = public_streams(contest)
    for place, address in enumerate(addresses(contest)):
        if part is not None and place % PARTS != part % PARTS and address not in streams:
            continue
        seen[f"GET {address}"] = await contest.house.get(address, token)
        if with_head:
            seen[f"HEAD {address}"] = await contest.house.ask("HEAD", address, token)
    return seen


def plain(answer: Answer) -> tuple[int, list[tuple[str, str]], str]:
    """An answer to compare: times of reconnection differ from viewer to viewer and say nothing."""
    body = re.sub(r"^retry: \d+$", "retry:", answer.body.decode(errors="backslashreplace"), flags=re.MULTILINE)
    return answer.status, sorted(answer.headers), body
