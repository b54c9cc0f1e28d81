"""A browser on the pages: Debian's chromium, driven by playwright, on an application served from a thread."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright
from starlette.applications import Starlette

CHROMIUM = Path("/usr/bin/chromium")
WIDE = {"width": 1280, "height": 900}
NARROW = {"width": 390, "height": 844}


@contextmanager
def served(application: Starlette) -> Iterator[str]:
    """The address of an application that runs until the block is left; open streams are cut then."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        config = uvicorn.Config(application, log_level="error", ws="none", timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        thread.join(10)


@contextmanager
def chromium(*arguments: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=str(CHROMIUM), args=["--no-sandbox", "--disable-gpu", *arguments]
        )
        yield browser
        browser.close()


def until(page: Page, condition: Callable[[], bool]) -> None:
    """Wait until something is so; it is asked again and again while the page goes on."""
    for _ in range(300):
        if condition():
            return
        page.wait_for_timeout(50)
    raise AssertionError("it did not come to be so")


class Faults:
    """What the browser complains about on a page: errors, refused policies, failed requests."""

    def __init__(self, page: Page) -> None:
        self.told: list[str] = []
        page.on("pageerror", lambda error: self.told.append(str(error)))
        page.on("console", lambda said: self.told.append(said.text) if said.type == "error" else None)
