"""Both languages are complete: every phrase in use has an entry, and no entry is left over."""

import re

import pytest

from broadcast.web.languages import Language
from tests.catalogues import Phrase, read, used_phrases

PLACES = re.compile(r"%\(\w+\)s|\{\w+\}")


def entries(language: Language) -> dict[Phrase, object]:
    return {
        (message.id[0], message.id[1]) if isinstance(message.id, tuple | list) else message.id: message.string
        for message in read(language)
        if message.id
    }


@pytest.mark.parametrize("language", list(Language))
def test_catalogue_has_exactly_the_phrases_in_use(language: Language) -> None:
    """``python -m tests.catalogues`` renews the keys; then the new ones want translating."""
    assert set(entries(language)) == set(used_phrases())


@pytest.mark.parametrize("language", list(Language))
def test_every_phrase_is_translated_with_its_places(language: Language) -> None:
    for phrase, told in entries(language).items():
        keys = phrase if isinstance(phrase, tuple) else (phrase,)
        forms = told if isinstance(told, tuple) else (told,)
        for form in forms:
            assert form, phrase
            assert sorted(PLACES.findall(str(form))) == sorted(PLACES.findall(keys[-1])), phrase


def test_english_says_its_keys() -> None:
    assert all(phrase == told for phrase, told in entries(Language.ENGLISH).items())


def test_chinese_is_written_in_chinese() -> None:
    """All but what is the same in both: ranks, VP and the like."""
    same = {phrase for phrase, told in entries(Language.CHINESE).items() if phrase == told}
    assert same <= {"VP"}
