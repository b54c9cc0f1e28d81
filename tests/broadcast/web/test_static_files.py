"""Static files under a versioned address."""

import re

import pytest

from broadcast.web.static_files import STATIC_DIRECTORY, static_address
from tests import pages_preview
from tests.page_client import PageClient


@pytest.fixture(scope="module")
def client() -> PageClient:
    return PageClient(pages_preview.application())


def test_present_version_may_be_kept_for_ever(client: PageClient) -> None:
    answer = client.get(static_address("js/match.js"))
    assert answer.status_code == 200
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-type"].startswith("text/javascript")


def test_other_version_is_answered_but_not_kept(client: PageClient) -> None:
    """A page that was open during an update still gets its modules."""
    answer = client.get("/static/00000000/js/match.js")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-cache"


def test_worker_may_import_and_open_streams(client: PageClient) -> None:
    """It obeys its own answer's policy; under the one of other files the page never left "reconnecting"."""
    answer = client.get(static_address("js/stream_worker.js"))
    assert answer.headers["content-security-policy"] == "default-src 'self'; frame-ancestors 'none'"


@pytest.mark.parametrize(
    "path", ["/static/x/../templating.py", "/static/x/%2e%2e/templating.py", "/static/", "/static/x/"]
)
def test_nothing_else_is_served(client: PageClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_missing_file_is_noticed_when_the_page_is_made() -> None:
    with pytest.raises(FileNotFoundError):
        static_address("js/none.js")


def test_modules_import_only_files_that_are_there() -> None:
    for module in STATIC_DIRECTORY.glob("js/*.js"):
        for imported in re.findall(r"from '(\./[^']+)'", module.read_text(encoding="utf-8")):
            assert (module.parent / imported).is_file(), (module.name, imported)


def test_modules_never_make_markup_from_text() -> None:
    for module in STATIC_DIRECTORY.glob("js/*.js"):
        text = module.read_text(encoding="utf-8")
        markup = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\("
        assert not re.search(markup, text), module.name
