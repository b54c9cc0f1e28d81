"""The demo player's card: who is asked leads, follows or discards by the ordinary maxims of play.

It knows only what a player at the table sees (see ``TableView``); there is no analysis of the unseen hands.
"""

from broadcast.bridge.cards import Card
from teams.demo.bidding.style import STANDARD, Style
from teams.demo.declarer_play import declarer_lead
from teams.demo.defence import defender_lead
from teams.demo.following import discard, follow
from teams.demo.leads import opening_lead
from teams.demo.views import TableView


def choose_card(view: TableView, style: Style = STANDARD) -> Card:
    """A legal card for the seat in turn."""
    legal = view.legal()
    if len(legal) == 1:
        return legal[0]
    if not view.cards:
        return opening_lead(view, style)
    if not view.trick:
        return declarer_lead(view, style) if view.is_declaring else defender_lead(view, style)
    if legal[0].suit is view.led:
        return follow(view)
    return discard(view)
