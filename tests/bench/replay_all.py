"""Every recorded vugraph replayed before two viewers, against its import: ``python -m tests.bench.replay_all``.

Takes some minutes. A line for each file: seconds, events, and whether viewers and totals agree.
"""

import asyncio
import sys
import tempfile
import time
from pathlib import Path

from tests.conftest import SHARED
from tests.scenarios.test_replay import VUGRAPH, figures, follow
from tests.serving import command, serving


def main() -> int:
    failed = 0
    with tempfile.TemporaryDirectory() as directory, serving(Path(directory)) as served:
        for file in sorted((SHARED / "data" / VUGRAPH).glob("*.lin")):
            imported = command("import", file, data=served.data).stdout.strip()
            if not imported:
                print(f"{file.stem:34} no match of two teams")
                continue
            began = time.perf_counter()
            try:
                address = asyncio.run(follow(served, file, "--instant"))
                replayed = served.get(f"/api{address}")
                same = figures(replayed) == figures(served.get(f"/api{imported}"))
                verdict = "agrees" if same else "TOTALS DIFFER"
            except AssertionError as error:
                replayed, verdict = {"last_event": "-"}, f"FAILS: {str(error)[:300]}"
            failed += verdict != "agrees"
            seconds = time.perf_counter() - began
            print(f"{file.stem:34} {seconds:6.1f} s {replayed['last_event']:>8} {verdict}", flush=True)
        print("errors:", served.errors)
    return failed


if __name__ == "__main__":
    sys.exit(main())
