"""``server.py record``: a file sent into a running match, and what is said of it."""

from pathlib import Path

from tests.scenarios.entered_matches import entered
from tests.serving import command, serving

HANDS = "1SA643HKJT8D92CAK3,S2H653DQJT7CT9842,SKQ97HQ9DAK54CJ75,SJT85HA742D863CQ6"
LIN = f"vg|Cup,1,I,1,2,Modra,0,Vihar,0|rs|,,,|pn|a,b,c,d,e,f,g,h|pg||qx|o1|md|{HANDS}|sv|o|mb|1N|mb|p|"


def test_file_is_followed_as_it_grows(tmp_path: Path) -> None:
    file = tmp_path / "table.lin"
    with serving(tmp_path / "data") as served, entered(served) as match:

        def sent(text: str) -> tuple[int, list[str], str]:
            file.write_text(text)
            done = command("record", file, "--match", match.id, "--once", data=served.data)
            return done.returncode, done.stdout.splitlines(), done.stderr

        assert sent(LIN)[:2] == (0, ["board 1.1 open: 3 entries"])
        assert sent(LIN)[:2] == (0, [])
        assert sent(LIN + "mb|3N|")[:2] == (0, ["board 1.1 open: 1 entry"])
        status, entries, problems = sent(LIN + "mb|2N|")
        assert (status, entries) == (0, [])
        assert "board 1.1 open: waits for the director, as it is public" in problems
        calls = [made["call"] for made in match.open.view()["board"]["auction"]]
        assert calls == ["1NT", "Pass", "3NT"]
        status, _, problems = sent("nothing that is a record")
        assert status == 1 and "no boards" in problems
