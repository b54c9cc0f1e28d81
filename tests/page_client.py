"""A client that asks an application for pages, in process and without a server."""

import asyncio
from html.parser import HTMLParser
from typing import Any

import httpx
from starlette.applications import Starlette


class PageClient:
    def __init__(self, application: Starlette) -> None:
        self._application = application

    def get(self, address: str, **options: Any) -> httpx.Response:
        """One GET; redirects are not followed."""

        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(app=self._application)
            async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
                return await client.get(address, **options)

        return asyncio.run(ask())


class _Head(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: dict[str, str] = {}
        self.links: list[dict[str, str]] = []
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "meta" and (name := given.get("property") or given.get("name")):
            self.found[name] = given["content"]
        elif tag == "link" and given.get("rel") == "alternate":
            self.links.append(given)
        elif tag == "title" and "title" not in self.found:
            self._in_title = True

    def handle_endtag(self, tag: str) -> None:
        self._in_title = self._in_title and tag != "title"

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.found["title"] = self.found.get("title", "") + data


def head_of(page: str) -> dict[str, str]:
    """What a page says of itself: its title, and every named ``<meta>``."""
    parser = _Head()
    parser.feed(page)
    return parser.found


def alternates(page: str) -> dict[str, list[str]]:
    """Addresses of the page's feeds and calendars, by type."""
    parser = _Head()
    parser.feed(page)
    found: dict[str, list[str]] = {}
    for link in parser.links:
        found.setdefault(link["type"], []).append(link["href"])
    return found
