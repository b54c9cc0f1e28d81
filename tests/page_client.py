"""A client that asks an application for pages, in process and without a server."""

import asyncio
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
