"""The two languages of the pages: which one a reader gets, and the catalogues.

Catalogues are the ``messages.po`` files under ``templates/locale``, read when the process starts; there is no
compile step and no ``.mo`` file to forget. The language is part of the address (``?lang=zh``); where the
address is silent the browser's Accept-Language decides. Nothing is remembered on the server and no cookie is
set.
"""

from enum import StrEnum
from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations
from starlette.requests import Request

LOCALE_DIRECTORY = Path(__file__).resolve().parents[2] / "templates" / "locale"


class Language(StrEnum):
    ENGLISH = "en"
    CHINESE = "zh"

    @property
    def tag(self) -> str:
        """The tag for the page's ``lang`` attribute; the Chinese here is written in simplified characters."""
        return "zh-Hans" if self is Language.CHINESE else "en"


def language_of(request: Request) -> Language:
    """The language of a request's answer: the address decides, then Accept-Language, then English."""
    return asked_language(request) or preferred_language(request.headers.get("accept-language", ""))


def asked_language(request: Request) -> Language | None:
    """The language the address names, or None where it names none that we have."""
    asked = request.query_params.get("lang", "")
    return Language(asked) if asked in set(Language) else None


def preferred_language(header: str) -> Language:
    """Our best answer to an Accept-Language header (RFC 9110, section 12.5.4); English when nothing fits.

    >>> preferred_language("fr, zh-CN;q=0.8, en;q=0.5").value
    'zh'
    """
    best, best_weight = Language.ENGLISH, 0.0
    for part in header.split(","):
        tag, _, parameter = part.strip().partition(";")
        primary = tag.strip().lower().partition("-")[0]
        weight = _weight(parameter)
        if primary in set(Language) and weight > best_weight:
            best, best_weight = Language(primary), weight
    return best


def _weight(parameter: str) -> float:
    name, _, value = parameter.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0


@cache
def catalogue(language: Language) -> Translations:
    """The catalogue of a language, read once from its ``messages.po``."""
    return _read(language, "messages.po")


@cache
def problem_sentences(language: Language) -> Translations:
    """What goes wrong, by ``problem.`` and its code; English sentences come with the errors themselves."""
    return _read(language, "problems.po")


def _read(language: Language, name: str) -> Translations:
    path = LOCALE_DIRECTORY / language / "LC_MESSAGES" / name
    with path.open("rb") as file:
        entries = read_po(file, locale=language, abort_invalid=True)
    compiled = BytesIO()
    write_mo(compiled, entries)
    compiled.seek(0)
    return Translations(compiled)
