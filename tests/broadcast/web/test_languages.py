"""Which language a reader gets."""

import pytest

from broadcast.web.languages import Language, catalogue, preferred_language


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("zh", "zh"),
        ("zh-TW,zh;q=0.9,en;q=0.8", "zh"),
        ("en-GB,en;q=0.9,zh;q=0.8", "en"),
        ("fr;q=0.9,zh-Hans;q=0.2,en;q=0.1", "zh"),
        ("zh;q=0, en;q=0.5", "en"),
        ("*;q=0.5", "en"),
        ("zh;q=high", "en"),
        (";;;,,=", "en"),
    ],
)
def test_language_that_the_browser_prefers(header: str, language: str) -> None:
    assert preferred_language(header) == language


def test_catalogues_are_read_without_a_compile_step() -> None:
    chinese = catalogue(Language.CHINESE)
    assert chinese.gettext("North") == "北"
    assert chinese.ngettext("%(num)s team", "%(num)s teams", 3) == "%(num)s 支队伍"
    english = catalogue(Language.ENGLISH)
    assert english.ngettext("%(num)s team", "%(num)s teams", 1) == "%(num)s team"
    assert english.ngettext("%(num)s team", "%(num)s teams", 0) == "%(num)s teams"
