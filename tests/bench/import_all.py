"""Every recorded segment through ``server.py import``, then every match joined.

``python -m tests.bench.import_all`` takes some minutes. A line for each file: seconds, problems, and whether
the totals of both teams are those of the table. Then, match by match and by the scales of its time, the
carry-overs that do not chain.
"""

import sys
import tempfile
import time
from pathlib import Path

from tests.conftest import SHARED
from tests.scenarios.recorded_matches import recorded_rows
from tests.scenarios.test_import import totals_by_team
from tests.serving import Served, command, serving

SCALES = {
    "13_1959": ("--imp-scale", "1948"),
    "20_1977": ("--penalty-scale", "1963"),
    "22_1981": ("--penalty-scale", "1963"),
}
"""Of matches that were scored by older rules than today's."""


def main() -> int:
    failed = 0
    with tempfile.TemporaryDirectory() as directory, serving(Path(directory)) as served:
        failed += segments(served)
        if "--no-join" not in sys.argv:
            joined(served)
        print("errors:", served.errors)
    return failed


def segments(served: Served) -> int:
    """Import each; how many have other totals than the table."""
    failed = 0
    for row in recorded_rows(SHARED):
        began = time.perf_counter()
        done = command("import", row.file, data=served.data)
        seconds = time.perf_counter() - began
        found = totals_by_team(served.get(f"/api{done.stdout.strip()}"), row)
        expected = (row.imps1, row.imps2, row.boards_compared)
        verdict = "agrees" if found == expected else f"DIFFERS: {expected}"
        failed += found != expected
        problems = len(done.stderr.splitlines())
        name = f"{row.file.parent.name[:12]}/{row.file.stem}"
        print(f"{name:40} {seconds:5.1f} s {problems:3} problems {found} {verdict}", flush=True)
    print(f"{failed} differ")
    return failed


def joined(served: Served) -> None:
    for folder in sorted((SHARED / "data" / "lin" / "matches").iterdir()):
        began = time.perf_counter()
        done = command(
            "import", "--join", *SCALES.get(folder.name[:7], ()), *sorted(folder.iterdir()), data=served.data
        )
        seconds = time.perf_counter() - began
        imps = served.get(f"/api{done.stdout.strip()}")["totals"]["imps"]
        print(f"{folder.name:34} {seconds:6.1f} s {imps}", flush=True)
        for line in done.stderr.splitlines():
            if "brings in" in line:
                print(f"    {line.partition('vg: ')[2]}")


if __name__ == "__main__":
    sys.exit(main())
