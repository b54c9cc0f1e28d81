"""Inputs made to grow: what is packed is not unpacked, and fields are counted before they are kept."""

import asyncio
import gzip
import json
import time
from pathlib import Path

import pytest

from broadcast.web.results_csv import safe_cell
from tests.scenarios.test_hostile_forms import at_the_desk
from tests.scenarios.whole_house import Contest, contest, whole_house
from tests.teams.web.browsing import FORM, Browser

MOST_SECONDS = 1.0
BOUNDARY = "--zq"


def test_packed_body_is_not_unpacked(tmp_path: Path) -> None:
    """A thousandfold of what was sent could come out of it."""

    async def told() -> None:
        async with whole_house(tmp_path) as house:
            stage = await contest(house)
            body = json.dumps({"title": "x" * 50_000_000}).encode()
            headers = {"Content-Type": "application/json", "Content-Encoding": "gzip", "Idempotency-Key": "k"}
            packed = gzip.compress(body, 1)
            answer = await house.ask("POST", "/api/matches", stage.tokens["dora"], packed, headers)
            assert (answer.status, answer.json()["error"]) == (400, "bad_json")

    asyncio.run(told())


def test_a_hundred_thousand_fields_or_files_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(match: Contest, browser: Browser) -> None:
        part = f'{BOUNDARY}\r\nContent-Disposition: form-data; name="a"{{}}\r\n\r\n1\r\n'
        files = part.format('; filename="a.lin"')
        multipart = f"multipart/form-data; boundary={BOUNDARY[2:]}"
        for kind, body in (
            (FORM, b"a=&" * 20_000),
            (multipart, (part.format("") * 50_000).encode() + f"{BOUNDARY}--".encode()),
            (multipart, (files * 20_000).encode() + f"{BOUNDARY}--".encode()),
        ):
            begun = time.process_time()
            answer = await browser.ask("POST", "/desk/new", body, kind)
            assert answer.status == 400, (kind, answer.status)
            assert time.process_time() - begun < MOST_SECONDS

    at_the_desk(tmp_path, monkeypatch, story)


@pytest.mark.parametrize(
    "text", ["=1", "  =1", "\uff1d1", "\uff0b1", "\uff201", "\x00=1", "\u200b=1", "\t=1", "-Ann"]
)
def test_no_spelling_of_a_formula_is_left_to_a_spreadsheet(text: str) -> None:
    assert safe_cell(text) == f"'{text}"
