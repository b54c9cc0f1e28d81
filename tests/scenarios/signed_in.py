"""People with accounts, in a real browser and without one: signed in by the page, as everybody is."""

from collections.abc import Mapping
from typing import Any

import httpx
from playwright.sync_api import Browser, Page

from tests.serving import Served

PASSWORD = "a long password"  # noqa: S105 - of nobody


def account(served: Served, name: str, role: str) -> None:
    with served.local() as local:
        body = {"name": name, "role": role, "password": PASSWORD}
        local.post("/api/accounts", json=body).raise_for_status()


def in_browser(browser: Browser, served: Served, name: str, zone: str = "Europe/Ljubljana") -> Page:
    """A page of a browser of their own, on the captain's page, whose time zone is known by now."""
    context = browser.new_context(base_url=served.address, timezone_id=zone, locale="en-GB")
    page = context.new_page()
    page.goto("/sign-in?next=/captain")
    page.fill("[name=name]", name)
    page.fill("[name=password]", PASSWORD)
    page.click("main button.button-main")
    page.wait_for_selector(f"text=Times in {zone.rpartition('/')[2]}")
    return page


class Visitor:
    """A browser without scripts: keeps its cookie, sends its forms from this site's pages."""

    def __init__(self, served: Served, name: str | None = None) -> None:
        self.client = served.client()
        self.origin = served.address
        if name is not None:
            answer = self.send("/sign-in", name=name, password=PASSWORD, next="/captain")
            assert answer.status_code == 303, answer.text

    def get(self, path: str) -> httpx.Response:
        return self.client.get(path.removeprefix(self.origin), headers={"accept": "text/html"})

    def send(self, path: str, origin: str | None = None, **fields: Any) -> httpx.Response:
        headers = {
            "origin": origin or self.origin,
            "accept": "text/html",
            "content-type": "application/x-www-form-urlencoded",
        }
        form: Mapping[str, Any] = fields
        return self.client.post(path.removeprefix(self.origin), data=form, headers=headers)

    def done(self, path: str, **fields: Any) -> str:
        """A form that is carried out; where it leads."""
        answer = self.send(path, **fields)
        assert answer.status_code == 303, (path, answer.status_code, answer.text)
        return answer.headers["location"]
