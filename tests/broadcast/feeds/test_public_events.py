"""What one released event tells the public."""

from broadcast.bridge.rooms import Room
from broadcast.feeds.public_events import told
from broadcast.tables.apply import apply
from broadcast.tables.events import BoardKey, BoardOpened
from broadcast.tables.recorded import Recorded
from tests.builders import LIVE, START, Told, deal_of, new_match


def test_room_opened_without_a_deal_leaves_the_one_that_the_other_has_shown() -> None:
    """Symptom: when a room known by its result alone opened a board, the hands vanished in both rooms."""
    match = Told(new_match(release=LIVE, is_dealt=False)).match
    key = BoardKey(1, 1)
    board = match.boards[key]

    def opened(room: Room, number: int, *, is_dealt: bool) -> Recorded[BoardOpened]:
        deal = deal_of(1) if is_dealt else None
        event = BoardOpened(key, room, board.dealer, board.vulnerability, deal)
        return Recorded(number, START, "operator:t", event)

    first = opened(Room.OPEN, 2, is_dealt=True)
    shown = apply(match, first)
    second = opened(Room.CLOSED, 3, is_dealt=False)
    (event,) = told(shown, apply(shown, second), second)
    assert event.name == "board"
    assert event.data["room"] == "closed"
    assert event.data["deal"] == str(deal_of(1))
    (alone,) = told(match, apply(match, second), second)
    assert alone.data["deal"] is None
