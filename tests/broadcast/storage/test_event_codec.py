"""Stored events: every kind goes out and comes back equal, old forms load, new kinds need no migration."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from broadcast.bridge.calls import Denomination
from broadcast.bridge.cards import Card
from broadcast.bridge.contracts import Contract, Doubling
from broadcast.bridge.deals import Deal
from broadcast.bridge.results import PASSED_OUT, BoardResult
from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import SEATS, Seat
from broadcast.storage.event_codec import Codec, UnknownEvent, UnreadableEvent
from broadcast.storage.match_codec import MATCH_CODEC
from broadcast.tables.awards import Award
from broadcast.tables.events import BoardKey, CardPlayed, MatchClosed, MatchEvent, PenaltyGiven

SAMPLES = Path(__file__).parents[2] / "data" / "match_events.jsonl"
"""One stored event of every kind in every version ever released. Lines are added, never changed."""


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    pack = draw(st.permutations(list(Card)))
    return Deal({seat: pack[13 * place : 13 * place + 13] for place, seat in enumerate(SEATS)})


def results() -> st.SearchStrategy[BoardResult]:
    contracts = st.builds(Contract, st.integers(1, 7), st.sampled_from(Denomination), st.sampled_from(Doubling))
    played = st.builds(BoardResult, contracts, st.sampled_from(Seat), st.integers(0, 13))
    return st.just(PASSED_OUT) | played


def awards() -> st.SearchStrategy[Award]:
    simple = st.builds(
        Award,
        st.sampled_from(["artificial", "assigned", "weighted"]),
        score_ns=st.none() | st.integers(-7600, 7600),
    )
    return simple | st.builds(Award, st.just("split"), for_home=simple, for_visitors=simple)


st.register_type_strategy(Deal, deals())
st.register_type_strategy(BoardResult, results())
st.register_type_strategy(Award, awards())
st.register_type_strategy(int, st.integers(-(2**63), 2**63 - 1))
st.register_type_strategy(float, st.floats(allow_nan=False, allow_infinity=False))


@pytest.mark.parametrize("type_", get_args(MatchEvent), ids=lambda type_: type_.__name__)
def test_every_event_of_a_match_comes_back_equal(type_: type[MatchEvent]) -> None:
    @settings(max_examples=40, deadline=None)
    @given(st.from_type(type_))
    def comes_back(event: MatchEvent) -> None:
        stored = MATCH_CODEC.encode(event)
        back = MATCH_CODEC.decode(stored.event, stored.version, stored.body)
        assert back == event
        assert type(back) is type(event)

    comes_back()


def samples() -> list[dict[str, Any]]:
    return [json.loads(line) for line in SAMPLES.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: f"{sample['event']} {sample['version']}")
def test_stored_old_form_loads(sample: dict[str, Any]) -> None:
    event = MATCH_CODEC.decode(sample["event"], sample["version"], json.dumps(sample["body"]))
    if sample["version"] == MATCH_CODEC.version_of(sample["event"]):
        written = json.loads(MATCH_CODEC.encode(event).body)
        assert sample["body"].items() <= written.items()


def test_a_sample_of_every_kind_of_event_is_kept() -> None:
    kept = {(sample["event"], sample["version"]) for sample in samples()}
    assert kept >= {(kind, MATCH_CODEC.version_of(kind)) for kind in MATCH_CODEC.kinds}


def test_values_come_back_as_their_types() -> None:
    event = CardPlayed(BoardKey(1, 7), Room.OPEN, Seat.W, Card.HT)
    stored = MATCH_CODEC.encode(event)
    assert stored.body == '{"key":[1,7],"room":"open","seat":"W","card":"HT","irregular":null}'
    back = MATCH_CODEC.decode(stored.event, stored.version, stored.body)
    assert isinstance(back.key, BoardKey)
    assert back.card is Card.HT


@dataclass(frozen=True, slots=True)
class RungPriced:
    """A made-up event with every value that JSON lacks."""

    share: Fraction
    points: Decimal
    at: datetime
    seats: frozenset[Seat]


def test_fractions_decimals_and_moments_are_exact() -> None:
    codec = Codec("ladder", [RungPriced])
    event = RungPriced(
        Fraction(1, 3),
        Decimal("12.50"),
        datetime(2026, 5, 1, 19, 30, 0, 1, UTC),
        frozenset("NS"),  # type: ignore[arg-type]
    )
    stored = codec.encode(event)
    assert stored.event == "rung_priced"
    assert codec.decode("rung_priced", 1, stored.body) == event


@dataclass(frozen=True, slots=True)
class TeaServed:
    """In version 1 it had ``cups`` only; 2 split them by room; 3 names the drink."""

    open_cups: int
    closed_cups: int
    drink: str


def _split(body: dict[str, Any]) -> dict[str, Any]:
    return {"open_cups": body["cups"], "closed_cups": 0}


def _named(body: dict[str, Any]) -> dict[str, Any]:
    return body | {"drink": "tea"}


def test_old_version_is_lifted_step_by_step() -> None:
    codec = Codec("kitchen", [TeaServed], upcasters={"tea_served": [_split, _named]})
    assert codec.decode("tea_served", 1, '{"cups":3}') == TeaServed(3, 0, "tea")
    assert codec.decode("tea_served", 2, '{"open_cups":1,"closed_cups":2}') == TeaServed(1, 2, "tea")
    stored = codec.encode(TeaServed(1, 2, "coffee"))
    assert stored.version == 3
    assert codec.decode("tea_served", 3, stored.body) == TeaServed(1, 2, "coffee")


def test_renamed_event_still_loads() -> None:
    codec = Codec("kitchen", [TeaServed], former={"coffee_served": "tea_served"})
    body = '{"open_cups":1,"closed_cups":2,"drink":"tea"}'
    assert codec.decode("coffee_served", 1, body) == TeaServed(1, 2, "tea")


@pytest.mark.parametrize(("kind", "version"), [("trump_led", 1), ("match_closed", 2), ("match_closed", 0)])
def test_event_from_elsewhere_is_unknown(kind: str, version: int) -> None:
    with pytest.raises(UnknownEvent, match=kind):
        MATCH_CODEC.decode(kind, version, '{"reason":"complete"}')


def test_event_of_another_codec_is_not_written() -> None:
    with pytest.raises(UnknownEvent, match="TeaServed"):
        MATCH_CODEC.encode(TeaServed(1, 2, "tea"))


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("match_closed", '{"reason":'),
        ("match_closed", '{"reazon":"complete"}'),
        ("card_played", '{"key":[1,7],"room":"open","seat":"W","card":"HX"}'),
        ("board_opened", '{"key":[1,7],"room":"open","dealer":"N","vulnerability":"All","deal":"N:AK - - -"}'),
        ("result_entered", '{"key":[1,7],"room":"open","result":{"tricks":14},"source":"table"}'),
    ],
)
def test_damaged_body_is_unreadable_and_says_so(kind: str, body: str) -> None:
    with pytest.raises(UnreadableEvent, match=kind):
        MATCH_CODEC.decode(kind, 1, body)


def test_two_events_cannot_share_a_name() -> None:
    with pytest.raises(ValueError, match="match_closed"):
        Codec("match", [MatchClosed, MatchClosed])


def test_upcaster_for_an_unknown_event_is_refused() -> None:
    with pytest.raises(ValueError, match="tea_served"):
        Codec("match", [MatchClosed], upcasters={"tea_served": []})


def test_penalty_keeps_half_points() -> None:
    penalty = msgspec.convert({"side": "home", "unit": "vps", "amount": 0.5, "reason": "late"}, PenaltyGiven)
    stored = MATCH_CODEC.encode(penalty)
    assert MATCH_CODEC.decode(stored.event, 1, stored.body) == penalty
