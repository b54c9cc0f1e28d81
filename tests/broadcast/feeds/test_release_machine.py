"""The release gate against its naive twin, over matches in which everybody does anything at any time."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from broadcast.bridge.rooms import Room
from broadcast.feeds.release import ReleaseState, due
from broadcast.tables.apply import apply
from broadcast.tables.commands import (
    ChangeRelease,
    CloseMatch,
    EnterInRoom,
    EnterResult,
    MakeCall,
    OpenBoard,
    PlayCard,
    Undo,
)
from broadcast.tables.events import (
    BoardOpened,
    CallMade,
    CardPlayed,
    ClaimMade,
    EntriesUndone,
    MatchEvent,
    ResultCorrected,
    ResultEntered,
)
from broadcast.tables.recorded import Recorded
from broadcast.tables.setup import Release
from broadcast.tables.state import MatchState
from tests.broadcast.feeds.release_by_sentences import due_by_sentences
from tests.builders import LIVE, Told, folded, new_match, result
from tests.strategies import PAUSES, RELEASES, attempt, closings, comments, room_commands, rulings

ROOMS = st.sampled_from(Room)
_TELLING = CallMade | CardPlayed | ClaimMade | ResultEntered | ResultCorrected | EntriesUndone


class Gate(RuleBasedStateMachine):
    """A match told by commands, its log passed through the gate as the one writer does it."""

    @initialize(release=RELEASES, lengths=st.sampled_from([(1,), (1,), (2,), (1, 1)]), room=ROOMS)
    def begin(self, release: Release, lengths: tuple[int, ...], room: Room) -> None:
        """The first board under way in one room and just opened in the other."""
        self.told = Told(new_match(*lengths, release=release))
        self.told.open(room, 1).calls(room, "1S Pass Pass Pass").cards(room, 1).open(room.other, 1)
        self.gate = ReleaseState()
        self.match: MatchState | None = None
        self.public: list[Recorded[MatchEvent]] = []
        self.promised: datetime | None = None
        self.taken = 0
        self.take()

    def take(self) -> None:
        """Take the log's new events in, and give out what they and the clock make due."""
        for recorded in self.told.log[self.taken :]:
            self.advance(recorded.recorded_at)
            after = apply(self.match, recorded)
            self.gate = self.gate.entered(recorded, self.match, after)
            self.match = after
        self.taken = len(self.told.log)
        self.advance(self.told.now)

    def advance(self, now: datetime) -> None:
        next_due = self.gate.next_due()
        self.gate, given = self.gate.advanced(now)
        if given:
            assert next_due is not None and next_due <= now, "something was released before next_due"
        again = self.gate.next_due()
        assert again is None or again > now, "next_due stays behind: the clock would tick for ever"
        self.public += given

    def ask(self, command: object) -> None:
        attempt(self.told, command)  # type: ignore[arg-type]
        self.take()

    @rule(pause=PAUSES)
    def time_passes(self, pause: int) -> None:
        self.told.now += timedelta(seconds=pause)
        self.take()

    @rule(data=st.data(), pause=PAUSES)
    def an_operator_enters(self, data: st.DataObject, pause: int) -> None:
        self.told.now += timedelta(seconds=pause)
        self.take()
        self.ask(data.draw(room_commands(self.told.match, most=3)))

    @rule(
        room=ROOMS, number=st.integers(1, 2), segment=st.integers(1, 2), reason=st.sampled_from([None, "again"])
    )
    def a_table_opens_a_board(self, room: Room, number: int, segment: int, reason: str | None) -> None:
        self.ask(EnterInRoom(room, (OpenBoard(segment, number, reason),)))

    @rule(room=ROOMS, steps=st.sampled_from([1, 1, 2, 7]))
    def a_table_undoes(self, room: Room, steps: int) -> None:
        self.ask(EnterInRoom(room, (Undo(steps),)))

    @rule(room=ROOMS, count=st.integers(1, 9), choice=st.integers(0, 12))
    def a_table_goes_on(self, room: Room, count: int, choice: int) -> None:
        for _ in range(count):
            key = self.told.match.current.get(room)
            table = None if key is None else self.told.match.boards[key].rooms[room]
            if table is None or table.turn is None:
                return
            if table.play is None:
                bid = table.auction.legal_calls()[choice % 4 if len(table.calls) < 2 else 0]
                self.ask(EnterInRoom(room, (MakeCall(table.turn, bid),)))
            else:
                self.ask(EnterInRoom(room, (PlayCard(*self.told.next_card(room, choice)),)))
            self.told.now += timedelta(seconds=5)

    @rule(room=ROOMS)
    def a_table_ends(self, room: Room) -> None:
        self.ask(EnterInRoom(room, (EnterResult(result("2H E 8")),)))

    @rule(data=st.data())
    def the_director_rules(self, data: st.DataObject) -> None:
        self.ask(data.draw(rulings(self.told.match)))

    @rule(release=RELEASES)
    def the_rule_changes(self, release: Release) -> None:
        self.ask(ChangeRelease(release, "agreed"))

    @rule(data=st.data())
    def the_match_ends_or_goes_on(self, data: st.DataObject) -> None:
        self.ask(data.draw(closings(self.told.match)))

    @rule(data=st.data())
    def a_commentator_speaks(self, data: st.DataObject) -> None:
        self.ask(data.draw(comments(self.told.match)))

    @invariant()
    def the_public_feed_folds(self) -> None:
        """The released events make sense on their own, in the order of their release."""
        if self.public:
            folded(self.public)

    @invariant()
    def no_board_shows_that_has_nothing_to_show(self) -> None:
        public = [recorded.event for recorded in self.public]
        told = {(event.key, event.room) for event in public if isinstance(event, _TELLING)}
        opened = {(event.key, event.room) for event in public if isinstance(event, BoardOpened)}
        assert opened <= told, "a board was shown without an entry"

    @rule()
    def the_gate_agrees_with_its_sentences(self) -> None:
        self.compare()

    @rule(share=st.floats(0, 1))
    def the_past_stays_as_it_was(self, share: float) -> None:
        """What was due by a moment is a prefix of what is due later, whatever the log says since."""
        self.take()  # the table went on, and time with it, since something was last given out
        first, last = self.told.log[0].recorded_at, self.told.now
        moment = first + (last - first) * share
        then = due(self.told.log, moment)
        known = [recorded for recorded in self.told.log if recorded.recorded_at <= moment]
        assert then == due(known, moment)
        assert list(then) == self.public[: len(then)]

    def compare(self) -> None:
        self.take()
        public = _named(self.public)
        assert public == _named(due(self.told.log, self.told.now))
        assert public == _named(due_by_sentences(self.told.log, self.told.now)), _named(self.told.log)

    def teardown(self) -> None:
        if not hasattr(self, "told"):
            return
        self.compare()
        self.ask(ChangeRelease(LIVE, "all may see"))
        self.ask(CloseMatch("the evening is over"))
        self.compare()
        self.everything_is_public()

    def everything_is_public(self) -> None:
        """Live and closed, the public's boards are the log's, but for boards opened without an entry."""
        public, log = folded(self.public), self.told.match
        for key, board in log.boards.items():
            shown = public.boards[key]
            for room, table in board.rooms.items():
                if not table.has_entries:
                    continue
                there = shown.rooms[room]
                assert there.calls == table.calls
                assert there.cards == table.cards
                assert there.claims == table.claims
                assert there.ending == table.ending
                assert (there.deal, there.players) == (table.deal, table.players)
                assert there.play == table.play
            if all(table.has_entries for table in board.rooms.values()):
                assert (shown.award, shown.is_cancelled) == (board.award, board.is_cancelled)
            assert shown.is_swapped == board.is_swapped
        assert public.penalties == log.penalties
        assert (public.closed, public.voided) == (log.closed, log.voided)
        assert public.segments == log.segments


def _named(log: Iterable[Recorded[MatchEvent]]) -> list[str]:
    """Short words that a failure can be read by."""
    return [f"{recorded.sequence} {type(recorded.event).__name__}" for recorded in log]


TestGate = Gate.TestCase
TestGate.settings = settings(
    max_examples=40,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
