"""Whether declarer can claim the rest: every remaining trick certain against any lie of the unseen cards.

The line found is always one of leading winners and crossing to winners. The opponents' cards of a suit are
taken to sit in one hand and to fall from the bottom, which is the worst that can happen.
"""

from broadcast.bridge.seats import Seat
from teams.demo.views import TableView
from teams.demo.winners import WORST_CASE, longest_run

_MOST_LEFT = 11
"""With more tricks to go nobody claims: viewers want to see some play."""


def wants_to_claim(view: TableView) -> int | None:
    """Declarer's total of tricks when all the rest is certain, else ``None``. Asked before a lead."""
    if view.trick or not view.is_declaring or not {view.declarer, view.dummy} <= set(view.held):
        return None
    left = len(view.hand)
    if not 1 <= left <= _MOST_LEFT:
        return None
    run = longest_run(view.hand, view.held[view.seat.partner], view.unseen, view.trump, WORST_CASE)
    return tricks_won(view) + left if run.tricks == left else None


def tricks_won(view: TableView) -> int:
    """Declarer's tricks among those finished."""
    won = 0
    for start in range(0, len(view.cards) // 4 * 4, 4):
        trick = view.cards[start : start + 4]
        led = trick[0][1].suit
        winner: Seat = max(trick, key=lambda played: view.power(played[1], led))[0]
        won += winner.side is view.declarer.side
    return won
