"""Does a page that is watched all evening stay the same size? ``python -m tests.bench.measure_page_heap``

Replays boards to a match page at many times their pace, and compares the heap after collection at the first
minute's worth of events with the heap at the end. Fails when it has grown by more than a twentieth.
"""

import sys
import time

import click
from playwright.sync_api import CDPSession

from tests import pages_preview
from tests.scenarios.browser import WIDE, chromium, served

MOST_GROWTH = 0.05
SPEED = 60
"""So many times faster than a table, where a call or card takes four seconds."""


def heap(session: CDPSession) -> int:
    """Bytes in use after collection."""
    for _ in range(3):
        session.send("HeapProfiler.collectGarbage")
    used: int = session.send("Runtime.getHeapUsage")["usedSize"]
    return used


@click.command()
@click.option("--minutes", default=4.0, help="How long to replay; four minutes are a match of four hours.")
def main(minutes: float) -> None:
    """Measure the heap of the match page over a long match."""
    with served(pages_preview.application(pace=4 / SPEED)) as site, chromium() as browser:
        page = browser.new_page(viewport=WIDE)  # type: ignore[arg-type]
        page.goto(f"{site}/matches/m7k2")
        session = page.context.new_cdp_session(page)
        session.send("HeapProfiler.enable")
        step = minutes * 60 / 4
        sizes = []
        for _ in range(4):
            page.wait_for_timeout(step * 1000)
            sizes.append(heap(session))
            click.echo(f"{time.strftime('%H:%M:%S')}  {sizes[-1] / 1e6:.2f} MB")
    growth = sizes[-1] / sizes[0] - 1
    click.echo(f"growth {growth:+.1%}")
    sys.exit(growth > MOST_GROWTH)


if __name__ == "__main__":
    main()
