"""``server.py import``: recorded matches become matches with the right totals, whatever else the file holds."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.builders import deal_of
from tests.scenarios.recorded_matches import Row, lin_match, recorded_rows, unplayed_deals
from tests.serving import Served, command, command_process, serving

MATCHES = "lin/matches"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for the tests that only read and add."""
    with serving(tmp_path_factory.mktemp("house")) as served:
        yield served


def totals_by_team(match: dict[str, Any], row: Row) -> tuple[int, int, int]:
    """IMPs gained by the row's teams, of which the first sits North-South in the open room, boards compared."""
    first = match["segments"][0]["ns_open"]
    second = "visitors" if first == "home" else "home"
    assert (match[first]["name"], match[second]["name"]) == (row.team1, row.team2)
    totals, carried = match["totals"], match["carry_over"]
    gained = {side: totals["imps"][side] - carried[side] for side in ("home", "visitors")}
    return gained[first], gained[second], totals["boards_compared"]


def test_totals_of_recorded_segments(shared: Path, house: Served) -> None:
    """Every sixth; ``tests/bench/import_all.py`` takes all."""
    rows = recorded_rows(shared)
    assert len(rows) == 131
    chosen = rows[1::6]
    done = command("import", *(row.file for row in chosen), data=house.data)
    assert done.returncode == 0, done.stderr
    addresses = done.stdout.split()
    assert len(addresses) == len(chosen)
    wrong = []
    for address, row in zip(addresses, chosen, strict=True):
        match = house.get(f"/api{address}")
        expected = (row.imps1, row.imps2, row.boards_compared)
        if totals_by_team(match, row) != expected or match["status"] != "closed":
            wrong.append((row.file.name, totals_by_team(match, row), expected))
    assert wrong == []


@pytest.mark.parametrize(
    ("folder", "files", "options"),
    [
        ("13_1959_BB_Italy_v_USA", ("s6", "s7"), ("--imp-scale", "1948")),
        ("22_1981_BB_Pakistan_v_USA", ("seg1", "seg2"), ("--penalty-scale", "1963")),
        ("11_1955_BB_GB_v_USA", ("seg01", "seg02"), ()),
    ],
)
def test_joined_segments_chain_by_the_scale_of_their_time(
    shared: Path,
    house: Served,
    folder: str,
    files: tuple[str, ...],
    options: tuple[str, ...],
) -> None:
    """What the segments add up to is what the next segment's file says it brings in."""
    place = shared / "data" / MATCHES / folder
    done = command("import", "--join", *options, *(place / f"{name}.lin" for name in files), data=house.data)
    assert done.returncode == 0
    assert "brings in" not in done.stderr
    assert all(line.startswith(str(place)) and ".lin: " in line for line in done.stderr.splitlines())
    (address,) = done.stdout.split()
    match = house.get(f"/api{address}")
    assert len(match["segments"]) == len(files)
    last = sorted(place.iterdir()).index(place / f"{files[-1]}.lin")
    following = sorted(place.iterdir())[last + 1].read_text("latin-1")
    fields = following.partition("vg|")[2].partition("|")[0].split(",")
    stated = {fields[5].casefold(): int(fields[6]), fields[7].casefold(): int(fields[8])}
    found = {match[side]["name"].casefold(): match["totals"]["imps"][side] for side in ("home", "visitors")}
    assert found == stated


def test_address_on_standard_output_problems_on_standard_error(tmp_path: Path, house: Served) -> None:
    file = tmp_path / "final.lin"
    text = lin_match((7, 9), (8, 8), (6, 7))
    file.write_text(text.replace("mc|6|", "mc|5|"), encoding="utf-8")
    done = command("import", file, data=house.data)
    assert done.returncode == 0
    assert done.stdout.startswith("/matches/") and done.stdout.count("\n") == 1
    assert f"{file}: line " in done.stderr and "board 3, open room" in done.stderr
    match = house.get(f"/api{done.stdout.strip()}")
    assert (match["title"], match["home"]["name"], match["visitors"]["name"]) == (
        "Club final",
        "Modra",
        "Vihar",
    )
    # 90 against 150 is 2 IMPs to the visitors, 120 in both rooms none, -50 against 90 is 4.
    assert match["totals"]["imps"] == {"home": 0, "visitors": 6}
    with house.client() as client:
        page = client.get(done.stdout.strip(), headers={"accept": "text/html"})
    assert page.status_code == 200 and "Modra" in page.text


def test_one_room_file_leaves_the_other_room_not_played(tmp_path: Path, house: Served) -> None:
    file = tmp_path / "open.lin"
    file.write_text(lin_match((7, None), (9, None)), encoding="utf-8")
    done = command("import", file, data=house.data)
    match = house.get(f"/api{done.stdout.strip()}")
    assert [(board["open"]["state"], board["closed"]["state"]) for board in match["boards"]] == [
        ("claimed", "not_played")
    ] * 2
    assert {board["pending"] for board in match["boards"]} == {"closed_missing"}
    assert match["totals"]["boards_compared"] == 0
    assert match["totals"]["imps"] == {"home": 0, "visitors": 0}


def test_deals_without_teams_are_refused_with_the_reason(tmp_path: Path, house: Served) -> None:
    file = tmp_path / "deals.pbn"
    file.write_text(unplayed_deals(2), encoding="utf-8")
    done = command("import", file, data=house.data)
    assert (done.returncode, done.stdout) == (1, "")
    assert "no match of two teams" in done.stderr


def test_several_matches_in_a_file_make_several(shared: Path, house: Served) -> None:
    file = shared / "data" / "pbn" / "teams" / "forrestrice_shared_deals.pbn"
    done = command("import", file, data=house.data)
    assert done.returncode == 0
    matches = [house.get(f"/api{address}") for address in done.stdout.split()]
    assert {(match["home"]["name"], match["visitors"]["name"]) for match in matches} == {
        ("Monaco", "Schwartz"),
        ("Lavazza", "Monaco"),
    }


def test_one_good_file_among_bad_ones_is_imported(tmp_path: Path, house: Served) -> None:
    good, bad = tmp_path / "good.lin", tmp_path / "bad.lin"
    good.write_text(lin_match((7, 7)), encoding="utf-8")
    bad.write_bytes(b"\x00\xff no bridge in here")
    done = command("import", bad, good, data=house.data)
    assert done.returncode == 0
    assert len(done.stdout.split()) == 1
    assert str(bad) in done.stderr and str(good) not in done.stderr


def damaged(text: str, chance: random.Random) -> bytes:
    """A file that lost, doubled or changed some of its bytes."""
    data = bytearray(text.encode())
    for _ in range(chance.randrange(1, 30)):
        place = chance.randrange(len(data) or 1)
        match chance.randrange(5):
            case 0:
                del data[place : place + chance.randrange(1, 60)]
            case 1:
                data[place : place + 1] = bytes([chance.randrange(256)])
            case 2:
                data[place:place] = data[place : place + chance.randrange(1, 200)]
            case 3:
                data[place:place] = chance.choice((b"|", b",", b"qx|", b"md|", b"\r\n", b"mc|99|", b"mb|9Z|"))
            case _:
                del data[place:]
                data += b"|"
    return bytes(data)


def test_damaged_files_are_reported_and_harm_nothing(tmp_path: Path) -> None:
    seed = random.SystemRandom().randrange(10**6)
    print(f"seed {seed}")
    chance = random.Random(seed)
    text = lin_match((7, 9), (8, 6), (7, 7), (10, 7))
    files = [tmp_path / f"{number}.lin" for number in range(20)]
    for file in files:
        file.write_bytes(damaged(text, chance))
    done = command("import", *files, data=tmp_path / "data")
    assert done.returncode in (0, 1)
    assert "answered 5" not in done.stderr and "went wrong" not in done.stderr
    check = command("check", data=tmp_path / "data")
    assert (check.returncode, check.stdout) == (0, "")


@pytest.mark.parametrize(
    "arguments", [("import",), ("import", "nowhere.lin"), ("import", "--imp-scale", "7", "x")]
)
def test_wrong_usage_exits_with_2(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = command(*arguments, data=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")


def test_import_backup_and_check_without_and_beside_a_server(tmp_path: Path) -> None:
    """The same commands do the same whether or not somebody serves; a backup restored has another epoch."""
    data, copy, restored = tmp_path / "data", tmp_path / "copy.sqlite3", tmp_path / "restored"
    file = tmp_path / "final.lin"
    file.write_text(lin_match((7, 9)), encoding="utf-8")
    alone = command_process("import", file, data=data)
    assert alone.returncode == 0 and alone.stderr == ""
    with serving(data) as served:
        beside = command("import", file, data=data)
        assert beside.returncode == 0 and beside.stderr == ""
        addresses = [alone.stdout.strip(), beside.stdout.strip()]
        assert len({served.get(f"/api{address}")["id"] for address in addresses}) == 2
        backup = command("backup", copy, data=data)
        assert (backup.returncode, backup.stderr) == (0, "")
        checked = command("check", data=data)
        assert (checked.returncode, checked.stdout) == (0, "")
        last = served.get(f"/api{addresses[0]}")["last_event"]
    assert command("check", data=data).returncode == 0
    restored.mkdir()
    copy.rename(restored / "twinroom.sqlite3")
    with serving(restored) as served:
        match = served.get(f"/api{addresses[0]}")
        assert match["last_event"].partition("-")[2] == last.partition("-")[2]
        assert match["last_event"] != last
        events = served.get(f"/api{addresses[0]}/events", params={"after": last})
        assert events == {"reset": "epoch"}
        assert str(deal_of(1)) in served.get(f"/api{addresses[0]}/boards/1").values()


def test_check_of_no_database_fails(tmp_path: Path) -> None:
    done = command("check", data=tmp_path)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
