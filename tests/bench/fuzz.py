"""A million inputs that nobody would send in good faith: readers, cursors, and the whole application.

    python -m tests.bench.fuzz [--inputs 1000000] [--seed 1]

Nine in ten are LIN and PBN files and cursors, made from good ones by changing, cutting, doubling and mixing.
The rest are requests of a whole house: bodies, addresses, questions, headers and uploads, by several senders.
None may raise, be answered with a status of 500 or more, or take a second of processor time. Whatever fails is
printed with the seed and the number that make it again, and the status is 1. What memory grew by is printed,
too: matches that requests have set up stay open.
"""

import argparse
import asyncio
import json
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from broadcast.feeds.cursor import Cursor, decide_resume
from broadcast.notation.lin import read_lin
from broadcast.notation.lin_writing import write_lin
from broadcast.notation.pbn import read_pbn
from broadcast.notation.pbn_writing import write_pbn
from tests.broadcast.notation.sample_files import FULL_PLAY, lin_board, lin_match, lin_play, pbn_game
from tests.scenarios.entries import auction, next_card, opened
from tests.scenarios.outlets import filled
from tests.scenarios.test_hostile_input import AWKWARD, CODES, FIELDS, PLAUSIBLE, QUESTIONS, TYPES
from tests.scenarios.test_roles import TABLE
from tests.scenarios.whole_house import Contest, contest, whole_house

LIN_FILES = [
    lin_match(lin_board("o1") + lin_board("c1"), "3NS=,3NE-2"),
    lin_match(lin_board("c2", lin_play(FULL_PLAY)) + lin_board("o1") + lin_board("o2", vulnerability="b")),
    lin_board("o7").encode(),
]
PBN_FILES = [pbn_game().encode(), (pbn_game() + "\n" + pbn_game(Board="2", Room="Closed")).encode()]
MOST_SECONDS = 1.0
TOKENS = [
    b"|",
    b"\r\n",
    b"\n",
    b'"',
    b"[",
    b"]",
    b"{",
    b"}",
    b";",
    b"%",
    b"\xff\xfe",
    b"\x00",
    b"\xef\xbb\xbf",
    b"an|",
    b"mb|",
]
TOKENS += [
    b"md|3",
    b"pc|",
    b"mc|13|",
    b"rs|",
    b"pn|",
    b"vg|",
    b"sv|b|",
    b"qx|o1|",
    b"qx|c1|",
    b"[Play ",
    b"[Auction ",
    b"[Deal ",
]
TOKENS += ["ŁÓ中文".encode(), "\u202e".encode(), b"9" * 40, b"-" * 40, b"=1=", b"$5", b"!s", b"*\n", b"#"]


class Failure(Exception):
    """An input was not taken as it must be."""


@dataclass
class Fuzzer:
    seed: int
    slowest: dict[str, float] = field(default_factory=dict)
    done: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    async def run(self, number: int, kind: str, attempt: Callable[[random.Random], Awaitable[None]]) -> None:
        """One input; ``number`` and the seed make the same again."""
        chance = random.Random(f"{self.seed} {number}")
        before = time.process_time()
        try:
            await attempt(chance)
        except Exception as error:
            self.failures.append(
                f"input {number} of seed {self.seed} ({kind}): {type(error).__name__}: {error}"
            )
            print(self.failures[-1], flush=True)
        took = time.process_time() - before
        if took > MOST_SECONDS:
            self.failures.append(f"input {number} of seed {self.seed} ({kind}) took {took:.2f} s")
            print(self.failures[-1], flush=True)
        self.slowest[kind] = max(self.slowest.get(kind, 0.0), took)
        self.done[kind] += 1


def spoiled(chance: random.Random, files: list[bytes]) -> bytes:
    """A good file, changed in one to eight places."""
    data = bytearray(chance.choice(files))
    for _ in range(chance.randint(1, 8)):
        at, length = chance.randrange(len(data) + 1), chance.choice((1, 1, 4, 30, 400))
        match chance.randrange(6):
            case 0:
                data[at : at + length] = b""
            case 1:
                data[at:at] = chance.choice(TOKENS) * chance.choice((1, 1, 1, 50))
            case 2:
                data[at:at] = data[at : at + length] * chance.choice((1, 2, 20))
            case 3:
                data[at : at + 1] = bytes([chance.randrange(256)])
            case 4:
                other = chance.choice(files)
                begin = chance.randrange(len(other))
                data[at : at + length] = other[begin : begin + length]
            case _:
                del data[at:]
        if not data:
            data += b"|"
    return bytes(data[: 64 * 1024])


async def read_a_lin_file(chance: random.Random) -> None:
    for record in read_lin(spoiled(chance, LIN_FILES)).matches[:1]:
        read_lin(write_lin(record).encode())


async def read_a_pbn_file(chance: random.Random) -> None:
    for record in read_pbn(spoiled(chance, PBN_FILES)).matches[:1]:
        read_pbn(write_pbn(record).encode())


async def read_a_cursor(chance: random.Random) -> None:
    parts = ["1", "-", "0", "12", "99999999999999999999", "+", " ", "\u0661", "-1", "1-1", "\n", "e5", "."]
    text = "".join(chance.choices(parts, k=chance.randint(0, 6)))
    decide_resume(text, 1, 40)
    cursor = Cursor.parse(text)
    if cursor is not None and str(cursor) != text:
        raise Failure(f"{text!r} was read as the cursor {cursor}")


class Requests:
    """Requests of a house with a match under way, by whoever."""

    def __init__(self, stage: Contest) -> None:
        self._stage = stage
        self._posts = [row.split()[1] for row in TABLE if row.startswith("POST ")]
        self._gets = [row.split()[1] for row in TABLE if row.startswith("GET ")]

    async def ask(self, chance: random.Random) -> None:
        method = chance.choice(("GET", "POST"))
        path = chance.choice(self._gets if method == "GET" else self._posts)
        address = chance.choice(filled(path, self._stage))
        names = chance.sample(QUESTIONS, chance.randint(0, 3))
        if names:
            address += "?" + "&".join(f"{name}={quote(self._text(chance))}" for name in names)
        sender = chance.choice([None, *self._stage.tokens])
        token = None if sender is None else self._stage.tokens[sender]
        headers = {"Last-Event-ID": chance.choice(["1-1", "9-9", "x", "1-" + "9" * 400])}
        body = b""
        if method == "POST":
            kind = chance.choice(
                ("application/json", "application/json", "application/x-www-form-urlencoded", "text/x")
            )
            headers |= {"Content-Type": kind, "Idempotency-Key": f"k{chance.randrange(50)}"}
            body = self._body(chance)
        answer = await self._stage.house.ask(method, address, token, body, headers)
        if not 200 <= answer.status < 500:
            raise Failure(f"{method} {address} by {sender} with {body[:300]!r} was answered {answer.status}")

    def _text(self, chance: random.Random) -> str:
        return chance.choice([*AWKWARD, *CODES, "1-1", "9" * 300, str(chance.randrange(-5, 99))])

    def _body(self, chance: random.Random) -> bytes:
        if chance.random() < 0.2:
            return spoiled(chance, LIN_FILES + PBN_FILES)
        command: dict[str, Any] = {"type": chance.choice(TYPES)}
        for name in chance.sample(FIELDS, chance.randint(0, 8)):
            command[name] = self._value(chance, name, 3)
        body = chance.choice((command, {"command": command}, {"commands": [command, command]}))
        data = json.dumps(body).encode()
        return spoiled(chance, [data]) if chance.random() < 0.3 else data

    def _value(self, chance: random.Random, name: str, depth: int) -> Any:
        if name in PLAUSIBLE and chance.random() < 0.7:
            return chance.choice(PLAUSIBLE[name])
        if depth and chance.random() < 0.2:
            return {inner: self._value(chance, inner, depth - 1) for inner in chance.sample(FIELDS, 2)}
        return chance.choice([None, True, -1, 0, 10**18, 1.5, [], self._text(chance), [self._text(chance)] * 3])


def resident_kilobytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() // 1024


async def attack(inputs: int, seed: int, directory: Path) -> int:
    """Try so many inputs and say how it went."""
    fuzzer = Fuzzer(seed)
    begun, base = time.monotonic(), 0
    async with whole_house(directory) as house:
        stage = await contest(house)
        await stage.enter("open", opened(1), *auction(1, "1NT Pass Pass Pass"))
        await stage.enter("open", await next_card(stage, "open"))
        kinds = [("LIN", read_a_lin_file)] * 4 + [("PBN", read_a_pbn_file)] * 4 + [("cursor", read_a_cursor)]
        kinds += [("request", Requests(stage).ask)]
        for number in range(inputs):
            await fuzzer.run(number, *kinds[number % len(kinds)])
            if number == inputs // 10:
                base = resident_kilobytes()
            if number % 50_000 == 49_999:
                print(f"{number + 1} inputs after {time.monotonic() - begun:.0f} s", flush=True)
    grown = resident_kilobytes() - base
    for kind, count in fuzzer.done.items():
        print(f"{kind:8} {count:7} inputs, slowest {1000 * fuzzer.slowest[kind]:.0f} ms")
    print(f"{len(fuzzer.failures)} failures; memory grew by {grown / 1024:.1f} MB over the last nine tenths")
    return 1 if fuzzer.failures else 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Try very many bad inputs.")
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="twinroom-fuzz-") as directory:
        return asyncio.run(attack(options.inputs, options.seed, Path(directory)))


if __name__ == "__main__":
    sys.exit(main())
