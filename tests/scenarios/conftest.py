"""What the page tests share: a browser and the stand-in site, one of each for a module."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests import pages_preview
from tests.scenarios.browser import chromium, served


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with served(pages_preview.application()) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started
