"""Sentences about a form's fields call them as the page does, in both languages."""

import pytest

from broadcast.web.command_json import bad_field
from broadcast.web.field_labels import (
    RULING,
    SEARCH,
    SEGMENT,
    SETUP,
    Labels,
    labelled,
    ruling_label,
    search_label,
    setup_label,
)
from broadcast.web.languages import Language, catalogue
from broadcast.web.problems import translated
from broadcast.web.search_query import unreadable

OTHERS = ("Carry-over", "visitors", "won over how many boards", "Segment %(number)s", "Score %(number)s")


@pytest.mark.parametrize("phrase", sorted({*SEARCH.values(), *SETUP.values(), *SEGMENT.values(), *OTHERS}))
def test_every_label_is_a_phrase_of_a_page(phrase: str) -> None:
    assert phrase in catalogue(Language.ENGLISH)._catalog
    assert catalogue(Language.CHINESE).gettext(phrase) != phrase


@pytest.mark.parametrize("phrase", RULING.values())
def test_every_label_of_a_ruling_is_a_phrase_of_a_page(phrase: str) -> None:
    assert catalogue(Language.CHINESE).gettext(phrase) != phrase


@pytest.mark.parametrize(
    ("labels", "field", "told"),
    [
        (setup_label, "seg2_first", "Segment 2: First board must be a whole number"),
        (setup_label, "carry_boards", "Carry-over: won over how many boards must be a whole number"),
        (setup_label, "seg1_open_N", "Segment 1: Open room, North must be a whole number"),
        (ruling_label, "home_percent2", "Score 2, % must be a whole number"),
        (ruling_label, "amount", "Amount must be a whole number"),
        (setup_label, "segments", "segments must be a whole number"),
    ],
)
def test_sentence_names_the_field_as_the_page_does(labels: Labels, field: str, told: str) -> None:
    problem = labelled(bad_field(field, "a whole number"), labels, catalogue(Language.ENGLISH).gettext)
    assert translated(problem, Language.ENGLISH) == told
    chinese = labelled(bad_field(field, "a whole number"), labels, catalogue(Language.CHINESE).gettext)
    assert field == "segments" or field not in translated(chinese, Language.CHINESE)


def test_every_field_of_a_search_that_is_wrong_is_told() -> None:
    asked = {"contract": "9S", "hcp": "many", "swing": "x", "player": "Ana"}
    wrong = [
        labelled(problem, search_label, catalogue(Language.ENGLISH).gettext)
        for problem in unreadable(asked, hidden=False)
    ]
    assert {problem.facts["parameter"] for problem in wrong} == {"Contract", "Points", "Swing in IMPs"}
    assert any(problem.message.startswith("Points is a number or a range") for problem in wrong)
    assert any(problem.message.startswith("'9S' is no contract: write") for problem in wrong)
    (hidden,) = unreadable({"swing": "10-"}, hidden=True)
    told = labelled(hidden, search_label, catalogue(Language.ENGLISH).gettext).message
    assert told == "While results are hidden Swing in IMPs cannot be asked: show results first"
    assert unreadable({"hcp": "12"}, hidden=False) == []
    assert len(unreadable({"limit": "none", "hcp": "x"}, hidden=False)) == 2
