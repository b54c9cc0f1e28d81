"""A house for the operator's page, a match of two boards in it, and a phone."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext

from tests.scenarios.browser import NARROW
from tests.scenarios.entered_matches import Entered, entered
from tests.scenarios.operators import pbn_deals
from tests.serving import Served, serving


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("data")) as started:
        yield started


@pytest.fixture
def match(served: Served) -> Iterator[Entered]:
    with entered(served, deals=pbn_deals(2)) as made:
        yield made


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(viewport=NARROW, locale="en-GB")  # type: ignore[arg-type]
    yield made
    made.close()
