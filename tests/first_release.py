"""The database of the first released form, as it is kept in ``tests/data``: ``python -m tests.first_release``.

A club with accounts, teams and a ladder; a challenge that was played, corrected and decided; another match that
is still being played, with entries that are not released. Made anew only as long as nothing is released: from
then on the file stays as it is, and every later version must open it and keep all of it.

Beside the database the archive holds what the house showed the public of it then.
"""

import asyncio
import json
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from tests.scenarios.entries import auction, comment, next_card, opened
from tests.scenarios.whole_house import Contest, WholeHouse, contest, whole_house

ARCHIVE = Path(__file__).parent / "data" / "first_release.zip"
DATABASE, SHOWN = "house.db", "shown.json"


def unpacked(directory: Path) -> Path:
    """The kept database, in a directory of one's own."""
    with zipfile.ZipFile(ARCHIVE) as kept:
        return Path(kept.extract(DATABASE, directory))


def was_shown() -> dict[str, Any]:
    """What ``shown`` gave when the database was made."""
    with zipfile.ZipFile(ARCHIVE) as kept:
        return json.loads(kept.read(SHOWN))  # type: ignore[no-any-return]


async def shown(house: WholeHouse) -> dict[str, Any]:
    """What anybody is shown of every match and ladder, by address."""
    addresses = []
    for kind in ("matches", "ladders"):
        listed = (await house.get(f"/api/{kind}")).json()[kind]
        for each in listed:
            address = f"/api/{kind}/{each['id']}"
            addresses += [address, f"{address}/events?after=1-0"]
            addresses += [f"{address}/corrections"] if kind == "matches" else [f"{address}/history"]
    told = {address: (await house.get(address)).json() for address in sorted(addresses)}
    return json.loads(json.dumps(told))  # type: ignore[no-any-return]


async def _play(story: Contest) -> None:
    """The challenge's match with a slip, claims, a comment and a ruling, decided; then the other one begun."""
    for board in (1, 2):
        for room in ("open", "closed"):
            entered = [opened(board), *auction(board, "1C Pass 1H Pass 2H Pass Pass Pass", "note ")]
            await story.enter(room, *entered)
            for _ in range(6):
                await story.enter(room, await next_card(story, room))
            await story.enter(room, {"type": "undo", "steps": 2})
            tricks = 8 + (room == "open")
            seat = "S" if board == 1 else "W"
            await story.enter(room, {"type": "claim", "seat": seat, "tricks": tricks, "accepted": True})
    await comment(story, "open", 1, 4, "Both sides stopped low. 双方都停在低阶。", "cora")
    await story.rule("penalty", side="visitors", unit="imps", amount=2)
    await story.house.wait(30 * 60 + 1)
    other = f"/api/matches/{story.other_match}/rooms/open/commands"
    begun = [
        {"type": "open_board", "segment": 1, "board": 1},
        *auction(1, "1NT Pass 3NT Pass Pass Pass", "unreleased "),
    ]
    await story.house.done(other, {"commands": begun}, story.tokens["operator elsewhere"])


async def write(archive: Path) -> None:
    """Play the story and put its database, with what was shown of it, into the archive."""
    with tempfile.TemporaryDirectory() as made:
        directory = Path(made)
        async with whole_house(directory) as house:
            story = await contest(house, boards=2)
            await _play(story)
            told = await shown(house)
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as written:
            written.write(directory / DATABASE, DATABASE)
            written.writestr(SHOWN, json.dumps(told, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    asyncio.run(write(ARCHIVE))
    print(f"{ARCHIVE}: {ARCHIVE.stat().st_size} bytes")
