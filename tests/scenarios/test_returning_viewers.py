"""Very many viewers and a server that restarts: the page's connection, on a clock moved by hand."""

from collections import Counter
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from broadcast.web.static_files import STATIC_DIRECTORY
from tests.scenarios.browser import CHROMIUM, chromium, served

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="chromium is not installed")

VIEWERS = 1_000
"""So many that chance does not decide how many come in one second."""
STAND_IN = """
    window.house = { isUp: true, endsInOrder: false, sources: [], arrivals: [] };
    window.fetch = async () => new Response('{"events": []}', { status: house.isUp ? 200 : 502 });
    window.EventSource = class extends EventTarget {
      static CONNECTING = 0;
      static CLOSED = 2;
      constructor(url) {
        super();
        this.readyState = 0;
        house.sources.push(this);
        setTimeout(() => this.answer(), 50);
      }
      answer() {
        if (this.isClosed) return;
        house.arrivals.push(Date.now());
        this.readyState = house.isUp ? 1 : 2; // a 502: EventSource gives up for good
        house.isUp ? this.onopen() : this.onerror();
      }
      close() { this.isClosed = true; }
    };
    """
OPEN = """async (count) => {
      const { Connection } = await import('/js/connection.js');
      window.viewers = [];
      for (let viewer = 0; viewer < count; viewer += 1) {
        const connection = new Connection({ streamUrl: '/stream', pollUrl: '/poll', tell() {} });
        connection.open('1-1');
        viewers.push(connection);
      }
    }"""
BREAK = """() => {
      house.isUp = false;
      house.arrivals = [];
      for (const source of house.sources.splice(0)) {
        source.readyState = 2;
        source.onerror();
      }
    }"""
LIVE = "() => viewers.filter(({ state }) => ['live', 'polling'].includes(state)).length"


async def _page(request: Request) -> Response:
    return HTMLResponse("<!doctype html><title>Viewers</title>")


def test_viewers_come_back_by_themselves_and_strewn_after_a_proxy_answered_502() -> None:
    routes = [
        Route("/", _page),
        Mount("/js", StaticFiles(directory=STATIC_DIRECTORY / "js")),
    ]
    with served(Starlette(routes=routes)) as site, chromium() as browser:
        page = browser.new_page()
        page.add_init_script(STAND_IN)
        page.clock.install(time=0)
        page.goto(site)
        page.clock.pause_at(1_000)
        page.evaluate(OPEN, VIEWERS)
        page.clock.run_for(1_000)
        assert page.evaluate(LIVE) == VIEWERS

        broken_at: int = page.evaluate("Date.now()")
        page.evaluate(BREAK)
        page.clock.run_for(8_000)
        assert page.evaluate(LIVE) == 0
        page.evaluate("house.isUp = true")
        page.clock.run_for(22_000)

        assert page.evaluate(LIVE) == VIEWERS, "all are live again 30 s after the break, without a reload"
        arrivals: list[Any] = page.evaluate("house.arrivals")
        a_second = Counter((at - broken_at) // 1_000 for at in arrivals)
        assert max(a_second.values()) <= VIEWERS / 10, "no second sees more than a tenth of them"
