"""A browser in a whole house: keeps its cookie, sends forms from the site's own pages, follows no redirect."""

import re
from dataclasses import dataclass, field
from html import unescape
from http.cookies import SimpleCookie
from urllib.parse import urlencode

import pytest
from argon2 import PasswordHasher

from broadcast.web.cookies import cookie_name
from teams.members import accounts
from tests.scenarios.whole_house import Answer, WholeHouse

FORM = "application/x-www-form-urlencoded"
PASSWORD = "four clubs and a spade"  # noqa: S105


@dataclass
class Browser:
    house: WholeHouse
    cookies: dict[str, str] = field(default_factory=dict)
    agent: str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    site: str = "same-origin"

    async def ask(
        self, method: str, address: str, body: bytes = b"", content_type: str | None = None
    ) -> Answer:
        origin = self.house.house.origin
        headers = {"Accept": "text/html", "User-Agent": self.agent, "Host": origin.partition("//")[2]}
        if content_type is not None:
            headers["Content-Type"] = content_type
        if method not in ("GET", "HEAD"):
            sender = origin if self.site == "same-origin" else "https://evil.example"
            headers |= {"Origin": sender, "Sec-Fetch-Site": self.site}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        answer = await self.house.ask(method, address, None, body, headers)
        for name, value in answer.headers:
            if name == "set-cookie":
                for cookie in SimpleCookie(value).values():
                    self.cookies[cookie.key] = cookie.value
                    if not cookie.value:
                        del self.cookies[cookie.key]
        return answer

    async def get(self, address: str) -> Answer:
        return await self.ask("GET", address)

    async def send(self, address: str, /, **fields: str) -> Answer:
        """A form."""
        return await self.ask("POST", address, urlencode(fields).encode(), FORM)

    async def sign_in(self, name: str, password: str = PASSWORD, **more: str) -> Answer:
        return await self.send("/sign-in", name=name, password=password, **more)

    @property
    def cookie(self) -> str | None:
        return self.cookies.get(cookie_name(self.house.house.origin))


def text_of(answer: Answer) -> str:
    """What a page says, without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.body.decode())).split())


def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passwords as weakly as Argon2 can, where a test is not about its strength."""
    weak = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(accounts, "_hasher", lambda: weak)
    accounts._nobodys_hash.cache_clear()


async def signed_in(house: WholeHouse, name: str) -> Browser:
    """A browser in which that account is signed in; its password is ``PASSWORD`` then."""
    await house.members.set_password(name, PASSWORD)
    browser = Browser(house)
    await browser.sign_in(name)
    return browser


async def link_to_room(captain: Browser, challenge: str, room: str) -> str:
    """The token of an operator's link that the captain makes on their page."""
    page = await captain.send(f"/captain/challenges/{challenge}/operator", room=room)
    found = re.search(r"/operate/enter#([\w-]+)", page.body.decode())
    assert found is not None
    return found[1]
