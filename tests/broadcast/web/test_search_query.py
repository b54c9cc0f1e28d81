"""What a query means, and that one which cannot be read says why."""

import pytest

from broadcast.storage.board_search import BoardQuery, Order, Span, WantedContract
from broadcast.web.problems import Problem
from broadcast.web.search_query import PATTERNS, cursor_of, read_query


def read(hidden: bool = False, **parameters: str) -> BoardQuery:
    return read_query(parameters, hidden=hidden)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("4S", (4, "S", None)),
        ("3n", (3, "NT", None)),
        ("3NT", (3, "NT", None)),
        ("5hx", (5, "H", "X")),
        ("7NTXX", (7, "NT", "XX")),
        ("6", (6, None, None)),
        ("nt", (None, "NT", None)),
        ("X", (None, None, "X")),
    ],
)
def test_contract_or_a_part_of_one(text: str, wanted: tuple[int | None, str | None, str | None]) -> None:
    assert read(contract=text).contracts == (WantedContract(*wanted),)


def test_several_contracts_are_any_of_them() -> None:
    found = read(contract="6,7 Pass").contracts
    assert found == (
        WantedContract(6, None, None),
        WantedContract(7, None, None),
        WantedContract(None, None, None, is_pass=True),
    )


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("10", Span(10, 10)),
        ("10-", Span(10, None)),
        ("10+", Span(10, None)),
        ("-9", Span(None, 9)),
        ("15 - 17", Span(15, 17)),
    ],
)
def test_number_or_range(text: str, span: Span) -> None:
    assert read(hcp=text).points == span


def test_declarer_is_a_seat_or_a_name() -> None:
    assert (read(declarer="s").declarer_seat, read(declarer="s").declarer) == ("S", "")
    assert (read(declarer="Sue").declarer_seat, read(declarer="Sue").declarer) == (None, "Sue")


def test_there_are_39_patterns() -> None:
    assert len(PATTERNS) == len(set(PATTERNS)) == 39


@pytest.mark.parametrize(
    ("text", "patterns"),
    [
        ("5-4-3-1", {"5431"}),
        ("1345", {"5431"}),
        ("5-5-x-x", {"5530", "5521"}),
        ("10-x-x-x", {"a300", "a210", "a111"}),
        ("7-6-0-0", {"7600"}),
    ],
)
def test_pattern_in_any_suits(text: str, patterns: set[str]) -> None:
    assert read(shape=text).patterns == frozenset(patterns)


@pytest.mark.parametrize(
    ("text", "shape"), [("5=4=3=1", "5431"), ("1=3=4=5", "1345"), ("13=0=0=0", "d000"), ("x=x=0=x", "__0_")]
)
def test_exact_shape_goes_from_spades_to_clubs(text: str, shape: str) -> None:
    assert read(shape=text).shape == shape


@pytest.mark.parametrize(
    ("parameters", "code", "parameter"),
    [
        ({"contract": "8S"}, "bad_search_contract", "contract"),
        ({"contract": "4S!"}, "bad_search_contract", "contract"),
        ({"contract": "1C," * 30}, "bad_search_text", "contract"),
        ({"player": "a" * 101}, "bad_search_text", "player"),
        ({"player": "!?"}, "bad_search_words", "player"),
        ({"q": "a b c d e f g h i"}, "bad_search_words", "q"),
        ({"swing": "many"}, "bad_search_span", "swing"),
        ({"swing": "-"}, "bad_search_span", "swing"),
        ({"hcp": "38"}, "bad_search_range", "hcp"),
        ({"hcp": "17-15"}, "bad_search_range", "hcp"),
        ({"shape": "5-4-3"}, "bad_search_shape", "shape"),
        ({"shape": "5-4-3-2"}, "bad_search_shape", "shape"),
        ({"shape": "9-9-x-x"}, "bad_search_shape", "shape"),
        ({"shape": "a=b=c=d"}, "bad_search_shape", "shape"),
        ({"seat": "North"}, "bad_search_choice", "seat"),
        ({"result": "won"}, "bad_search_choice", "result"),
        ({"order": "best"}, "bad_search_choice", "order"),
        ({"limit": "101"}, "bad_limit", None),
        ({"limit": "0"}, "bad_limit", None),
        ({"after": "x"}, "bad_cursor", None),
        ({"after": "9" * 40}, "bad_cursor", None),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(
    parameters: dict[str, str], code: str, parameter: str | None
) -> None:
    with pytest.raises(Problem) as refused:
        read_query(parameters, hidden=False)
    assert (refused.value.status, refused.value.code) == (400, code)
    assert refused.value.facts.get("parameter") == parameter


@pytest.mark.parametrize("parameters", [{"swing": "0-"}, {"result": "made"}, {"order": "swing"}])
def test_hidden_results_are_not_to_be_asked_for(parameters: dict[str, str]) -> None:
    with pytest.raises(Problem) as refused:
        read_query(parameters, hidden=True)
    assert refused.value.code == "results_hidden"
    assert read(hidden=True, contract="4S", order="newest").order is Order.NEWEST


def test_cursor_is_read_as_it_was_written() -> None:
    assert read(after=cursor_of(None, 17)).after == (0.0, 17)
    assert read(after=cursor_of(12.5, 17)).after == (12.5, 17)
