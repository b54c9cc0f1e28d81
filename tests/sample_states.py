"""Public states as pages receive them: an invented match of two rooms, at any moment of its evening.

Deals come from a seed, players bid by a few plain rules and play legal cards, so that every state is one a
real match could be in: hands, auction, tricks, scores, swings and totals fit together. ``match_state`` is a
snapshot, ``feed`` the public events that lead from one moment to the next.
"""

from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

from broadcast.bridge.auctions import Auction
from broadcast.bridge.boards import dealer_of, vulnerability_of
from broadcast.bridge.calls import Call, Denomination
from broadcast.bridge.cards import PACK, Card
from broadcast.bridge.deals import Deal
from broadcast.bridge.play import Play, trick_winner
from broadcast.bridge.results import PASSED_OUT, BoardResult
from broadcast.bridge.seats import SEATS, Seat
from teams.scales.imps import imps
from teams.scales.victory_points import scale_named

State = dict[str, Any]

PLAYERS = {
    "open": {"N": "Ilse Marten", "E": "Petr Kovalik", "S": "Ann-Marie Lindqvist", "W": "João Serrano"},
    "closed": {"N": "Mira Vihar", "E": "Tom Ashdown", "S": "Lin Xiaoyu 林晓雨", "W": "Noor Haddad"},
}
ALERTS = {
    "2C": "Game forcing, artificial",
    "2D": "Multi: weak two in hearts or spades, or a strong balanced hand",
    "1NT": "15-17",
    "2NT": "Natural, invitational",
}
FIRST, LAST = 17, 32


def deal_of(number: int) -> Deal:
    """The deal of a board, the same in both rooms and in every run."""
    cards = sorted(PACK)
    Random(f"twinroom {number}").shuffle(cards)
    return Deal({seat: cards[13 * place : 13 * place + 13] for place, seat in enumerate(SEATS)})


@cache
def record_of(number: int, room: str) -> tuple[list[State], list[State], BoardResult]:
    """Auction and play as in the board resource, and the result. Shared by all states: not to be changed."""
    deal, chance = deal_of(number), Random(f"{number} {room}")
    auction = Auction(dealer_of(number))
    calls: list[State] = []
    while not auction.is_over:
        seat = auction.turn
        assert seat is not None
        call = _choose_call(auction, deal, seat, chance)
        auction = auction.with_call(seat, call)
        alert = call in ALERTS and chance.random() < 0.8
        calls.append(
            {
                "seat": seat.value,
                "call": call.value,
                "alert": alert,
                "explanation": ALERTS[call] if alert else None,
                "irregular": None,
            }
        )
    contract, declarer = auction.contract, auction.declarer
    if contract is None or declarer is None:
        return calls, [], PASSED_OUT
    play = Play.start(deal, contract.denomination, declarer)
    cards: list[State] = []
    while not play.is_over:
        seat = play.turn
        assert seat is not None
        card, trick = _choose_card(play, chance), play.trick_number
        play = play.with_card(seat, card)
        cards.append(
            {
                "seat": seat.value,
                "card": card.value,
                "trick": trick,
                "winner": play.winner and play.winner.value,
            }
        )
    return calls, cards, BoardResult(contract, declarer, play.declarer_tricks)


def _points(deal: Deal, seat: Seat) -> int:
    return sum(card.points for card in deal[seat])


def _longest(deal: Deal, seat: Seat) -> tuple[str, int]:
    lengths = {suit: sum(1 for card in deal[seat] if card.suit.value == suit) for suit in "SHDC"}
    suit = max(lengths, key=lambda each: lengths[each])
    return suit, lengths[suit]


def _choose_call(auction: Auction, deal: Deal, seat: Seat, chance: Random) -> Call:
    """Open with 12, overcall with 10 and five cards, answer once, then the contract the points ask for."""
    bids = [(who, call) for who, call in auction.calls if call.is_bid]
    legal = auction.legal_calls()
    suit, length = _longest(deal, seat)
    points = _points(deal, seat)
    if not bids:
        wanted = "1NT" if 15 <= points <= 17 and length < 5 else f"1{suit}"
        return Call(wanted) if points >= 12 else Call.PASS
    opener = bids[0][0]
    if seat is opener.left and len(bids) == 1 and points >= 10 and length >= 5:
        return _cheapest(legal, suit, 2)
    if seat is opener.partner and sum(1 for who, _ in bids if who is seat) == 0 and points >= 6:
        return _cheapest(legal, suit, 2)
    mine = [call for who, call in bids if who is opener or who is opener.partner]
    total = _points(deal, opener) + _points(deal, opener.partner) + chance.choice((-2, 0, 0, 1))
    if seat is opener and len(mine) == 2:
        trump = max("SHDC", key=lambda each: _fit(deal, opener, each))
        denomination = trump if _fit(deal, opener, trump) >= 8 else "NT"
        game = {"NT": 3, "S": 4, "H": 4, "D": 5, "C": 5}[denomination]
        level = game if total >= 25 else 6 if total >= 33 else 2
        return _cheapest([call for call in legal if call.is_bid and call.level <= level], denomination, level)
    if total < 21 and auction.last_bid and seat is opener.right and chance.random() < 0.1:
        return Call.X if Call.X in legal else Call.PASS
    return Call.PASS


def _fit(deal: Deal, opener: Seat, suit: str) -> int:
    return sum(1 for seat in (opener, opener.partner) for card in deal[seat] if card.suit.value == suit)


def _cheapest(legal: Any, denomination: str, most: int) -> Call:
    wanted = Denomination(denomination)
    fits = [call for call in legal if call.is_bid and call.denomination is wanted and call.level <= most]
    return max(fits, key=lambda call: call.level) if most > 2 and fits else (fits[0] if fits else Call.PASS)


def _choose_card(play: Play, chance: Random) -> Card:
    """Second hand low, later hands as cheaply as wins, leads from the top now and then."""
    legal = play.legal_cards()
    if not play.trick:
        return chance.choice(legal)
    seat = play.turn
    assert seat is not None
    winning = [card for card in legal if trick_winner((*play.trick, (seat, card)), play.denomination) is seat]
    if winning and len(play.trick) >= 2:
        return min(winning, key=lambda card: card.strength)
    return min(legal, key=lambda card: card.strength)


def match_state(moment: int = 11, calls: int = 99, cards: int = 25, closed_done: bool = True) -> State:
    """A snapshot: ``moment`` boards are compared and the next is on the table.

    The open room has made so many calls and cards of it. The closed room has finished it, or, unless
    ``closed_done``, is five cards behind.
    """
    boards = [_board(number) for number in range(FIRST, LAST + 1)]
    lineups = {
        room: {seat: {"id": f"p{room[0]}{seat}", "name": name} for seat, name in names.items()}
        for room, names in PLAYERS.items()
    }
    segment = {
        "number": 2,
        "title": "2 of 4",
        "first": FIRST,
        "last": LAST,
        "ns_open": "home",
        "lineups": lineups,
    }
    state: State = {
        "id": "m7k2",
        "title": "Club final",
        "status": "live",
        "closes_at": None,
        "home": {"id": "t1", "name": "Modra"},
        "visitors": {"id": "t2", "name": "Vihar"},
        "scale": "wbf-2013",
        "imp_scale": "1962",
        "penalty_scale": "1987",
        "release": {"rule": "delay", "seconds": 900},
        "carry_over": {"home": 12, "visitors": 0, "boards": 16},
        "segments": [segment],
        "boards": boards,
        "penalties": [],
        "totals": {},
        "last_event": "1-412",
    }
    for board in boards[:moment]:
        finish(board, "open")
        finish(board, "closed")
        board["deal"] = str(deal_of(board["number"]))
        compare(board)
    if moment < len(boards):
        board = boards[moment]
        for room in ("open", "closed"):
            begin(board, room, calls, cards if room == "open" else max(0, cards - 5))
        board["pending"] = "both_in_play"
        if closed_done:
            finish(board, "closed")
            keep_record(board, "closed")
            board["pending"] = "open_in_play"
            board["worth"] = {"room": "open", "outcomes": worth(board, "open")}
    else:
        state["status"] = "closed"
        for room in ("open", "closed"):
            keep_record(boards[-1], room)
    total(state)
    return state


def announced() -> State:
    """The match before its first board is opened, when its boards are known and nothing of them."""
    state = match_state(0)
    boards = [_board(number) for number in range(FIRST, LAST + 1)]
    totals = state["totals"] | {"vps": None, "vps_reason": "no_row"}
    return state | {"status": "upcoming", "boards": boards, "totals": totals}


def _board(number: int) -> State:
    return {
        "segment": 2,
        "number": number,
        "dealer": dealer_of(number).value,
        "vulnerable": vulnerability_of(number).value,
        "open": _room_member("not_played"),
        "closed": _room_member("not_played"),
        "imps_home": None,
        "imps_visitors": None,
        "pending": "not_played",
        "worth": None,
        "held": None,
        "award": None,
    }


def _room_member(state: str) -> State:
    return {
        "state": state,
        "contract": None,
        "declarer": None,
        "tricks": None,
        "score_ns": None,
        "source": None,
        "checked": False,
    }


def begin(board: State, room: str, calls: int, cards: int) -> None:
    """Put the board on the table of a room with so many calls and cards of its record."""
    auction, play, result = record_of(board["number"], room)
    auction = auction[:calls]
    play = play[:cards] if len(auction) < calls or calls >= len(auction) else []
    over = len(auction) == len(record_of(board["number"], room)[0])
    play = play if over else []
    board["deal"] = str(deal_of(board["number"]))
    board[room] = {
        **_room_member("in_play"),
        "contract": str(result.contract) if over and result.contract else None,
        "declarer": result.declarer.value if over and result.declarer else None,
        "auction": auction,
        "play": play,
        "claims": [],
        "leader": result.declarer.left.value if over and result.declarer else None,
        "turn": _next_turn(board["number"], room, len(auction), len(play)),
        "tricks_ns": sum(1 for card in play if card["winner"] in ("N", "S")),
        "tricks_ew": sum(1 for card in play if card["winner"] in ("E", "W")),
        "at": "2026-11-28T19:42:10Z",
    }


def _next_turn(number: int, room: str, calls: int, cards: int) -> str | None:
    auction, play, _ = record_of(number, room)
    if calls < len(auction):
        return str(auction[calls]["seat"])
    return str(play[cards]["seat"]) if cards < len(play) else None


def finish(board: State, room: str) -> None:
    """Give the room its final state."""
    _, play, result = record_of(board["number"], room)
    member = _room_member("played" if play else "passed_out")
    if result.is_passed_out:
        member |= {"contract": "Pass"}
    else:
        assert result.contract is not None and result.declarer is not None
        member |= {
            "contract": str(result.contract),
            "declarer": result.declarer.value,
            "tricks": result.tricks,
            "state": "claimed" if board["number"] % 3 == 0 else "played",
        }
    member |= {
        "score_ns": result.score_ns(vulnerability_of(board["number"])),
        "source": "operator",
        "checked": board["number"] % 4 == 0,
    }
    board[room] = member


def keep_record(board: State, room: str) -> None:
    """Let the snapshot hold auction and play of a finished board, as until the next is opened."""
    auction, play, _ = record_of(board["number"], room)
    if board[room]["state"] == "claimed":
        play = play[:37]
    board["deal"] = str(deal_of(board["number"]))
    board[room] |= {
        "auction": auction,
        "play": play,
        "claims": [],
        "leader": play[0]["seat"] if play else None,
        "turn": None,
        "tricks_ns": sum(1 for card in play if card["winner"] in ("N", "S")),
        "tricks_ew": sum(1 for card in play if card["winner"] in ("E", "W")),
        "at": "2026-11-28T19:40:02Z",
    }


def compare(board: State) -> None:
    home = imps(board["open"]["score_ns"] - board["closed"]["score_ns"])
    board |= {"imps_home": home, "imps_visitors": -home if home else 0, "pending": None}


def worth(board: State, room: str) -> list[State]:
    """What each result of the contract around nine to thirteen tricks would bring."""
    _, _, result = record_of(board["number"], room)
    if result.contract is None:
        return []
    need = result.contract.tricks_needed
    other = board["closed" if room == "open" else "open"]["score_ns"]
    outcomes = []
    for tricks in range(max(0, need - 4), min(13, need + 1) + 1):
        score = BoardResult(result.contract, result.declarer, tricks).score_ns(
            vulnerability_of(board["number"])
        )
        difference = score - other if room == "open" else other - score
        outcomes.append(
            {
                "contract": str(result.contract),
                "declarer": result.declarer,
                "tricks": tricks,
                "score_ns": score,
                "imps_home": imps(difference),
            }
        )
    return outcomes


def total(state: State) -> None:
    """The totals of the boards compared so far, carry-over included."""
    compared = [board for board in state["boards"] if board["imps_home"] is not None]
    home = 12 + sum(max(0, board["imps_home"]) for board in compared)
    visitors = sum(max(0, board["imps_visitors"]) for board in compared)
    points = scale_named("wbf-2013").vps(len(compared) + 16, abs(home - visitors))
    winner, loser = float(points.winner), float(points.loser)
    state["totals"] = {
        "imps": {"home": home, "visitors": visitors},
        "vps": {
            "home": winner if home >= visitors else loser,
            "visitors": loser if home >= visitors else winner,
        },
        "vps_reason": None,
        "boards_compared": len(compared),
        "boards_total": len(state["boards"]),
    }


def hidden(state: State) -> State:
    """The same state for a viewer who hides results, as the hidden encoding leaves it."""
    of_board = ("segment", "number", "dealer", "vulnerable", "deal")
    of_room = ("auction", "play", "turn", "leader", "contract", "declarer", "tricks_ns", "tricks_ew")
    boards = []
    for board in state["boards"]:
        kept: State = {name: board[name] for name in of_board if name in board}
        for room in ("open", "closed"):
            on_table = "auction" in board[room]
            kept[room] = {name: board[room][name] for name in of_room if on_table and name in board[room]}
        boards.append(kept)
    shown = {name: value for name, value in state.items() if name not in ("totals", "penalties")}
    return shown | {"boards": boards}


COMMENTS: list[State] = [
    {
        "author": "Ann Okafor",
        "language": "en",
        "text": "The diamond lead solves South's problem at once.",
        "segment": 2,
        "board": 28,
        "room": "open",
        "call": 7,
        "card": 1,
        "at": "2026-11-28T19:40:31Z",
    },
    {
        "author": "Ann Okafor",
        "language": "en",
        "text": "In the other room !h were led and declarer never touched the club finesse.",
        "segment": 2,
        "board": 28,
        "room": "open",
        "call": 7,
        "card": 9,
        "at": "2026-11-28T19:41:20Z",
    },
    {
        "author": "周明",
        "language": "zh",
        "text": "庄家现在只剩一条路：飞梅花。",
        "segment": 2,
        "board": 28,
        "room": "open",
        "call": 7,
        "card": 20,
        "at": "2026-11-28T19:41:58Z",
    },
]


def board_resource(number: int = 27) -> State:
    """A finished board as the board resource gives it; each time another, to be changed at will."""
    return deepcopy(_board_resource(number))


@cache
def _board_resource(number: int) -> State:
    board = _board(number)
    for room in ("open", "closed"):
        finish(board, room)
        keep_record(board, room)
        board[room] |= {
            "players": {seat: {"id": None, "name": name} for seat, name in PLAYERS[room].items()},
            "comments": [dict(COMMENTS[0], board=number)] if room == "open" else [],
            "corrections": [],
        }
    compare(board)
    return board


TEAM_WORDS = [
    "Modra", "Vihar", "Astra", "Borek", "Cintra", "Delta", "Ekrem", "Fjord",
    "Galle", "Hanko", "Ilmen", "Jelka", "Kumo", "Lesna", "Meander", "Narva",
]  # fmt: skip


def ladder_state(rungs: int = 160) -> State:
    """A ladder with challenges under way."""
    rows = []
    for rung in range(1, rungs + 1):
        name = TEAM_WORDS[(rung * 7) % 16] + ("" if rung <= 16 else f" {1 + rung // 16}")
        row: State = {
            "rung": rung,
            "team": {"id": f"t{rung}", "name": name},
            "state": "free",
            "challenge": None,
        }
        if rung in (4, 7):
            row["state"] = "challenged"
            row["challenge"] = {
                "id": f"c{rung}",
                "challenger": {"id": f"t{rung + 2}", "name": f"{TEAM_WORDS[rung + 2]}"},
                "defender": row["team"],
                "state": "issued",
                "deadline": "2026-12-03T18:00:00Z",
                "match": None,
                "outcomes": None,
            }
        rows.append(row)
    return {"id": "l1", "name": "Team ladder", "version": 37, "rungs": rows}


def ladder_history() -> list[State]:
    return [
        {
            "at": "2026-10-02T20:10:00Z",
            "team": {"id": "t5", "name": "Borek"},
            "from": None,
            "to": 24,
            "cause": "entry",
            "match": None,
        },
        {
            "at": "2026-11-02T20:10:00Z",
            "team": {"id": "t2", "name": "Vihar"},
            "from": 4,
            "to": 2,
            "cause": "challenge",
            "match": "m3",
        },
        {
            "at": "2026-11-02T20:10:00Z",
            "team": {"id": "t9", "name": "Hanko"},
            "from": 2,
            "to": 4,
            "cause": "challenge",
            "match": "m3",
        },
        {
            "at": "2026-11-21T21:55:00Z",
            "team": {"id": "t1", "name": "Modra"},
            "from": 3,
            "to": 1,
            "cause": "challenge",
            "match": "m5",
        },
    ]


def summary(state: State, **changes: Any) -> State:
    """A match as lists have it: the members down to totals, without boards and line-ups."""
    kept = {name: value for name, value in state.items() if name not in ("boards", "last_event")}
    kept["segments"] = [{k: v for k, v in segment.items() if k != "lineups"} for segment in state["segments"]]
    return kept | changes


def feed(number: int, room: str) -> Iterator[tuple[str, State]]:
    """The public events of one board in one room: opened, called, played, scored."""
    auction, play, result = record_of(number, room)
    base = {"segment": 2, "board": number, "room": room, "at": "2026-11-28T19:45:00Z"}
    yield (
        "board",
        base
        | {
            "dealer": dealer_of(number).value,
            "vulnerable": vulnerability_of(number).value,
            "deal": str(deal_of(number)),
            "players": {seat: {"id": None, "name": name} for seat, name in PLAYERS[room].items()},
            "turn": dealer_of(number).value,
        },
    )
    for place, call in enumerate(auction):
        over = place + 1 == len(auction)
        leader = play[0]["seat"] if play else None
        yield "call", base | call | {"turn": leader if over else auction[place + 1]["seat"]}
    if result.contract is not None:
        assert result.declarer is not None
        yield (
            "contract",
            base
            | {
                "contract": str(result.contract),
                "declarer": result.declarer.value,
                "leader": result.declarer.left.value,
            },
        )
    tricks = {"NS": 0, "EW": 0}
    for place, card in enumerate(play):
        if card["winner"]:
            tricks["NS" if card["winner"] in "NS" else "EW"] += 1
        yield (
            "card",
            base
            | {name: value for name, value in card.items() if value is not None}
            | {
                "turn": play[place + 1]["seat"] if place + 1 < len(play) else None,
                "irregular": None,
                "tricks_ns": tricks["NS"],
                "tricks_ew": tricks["EW"],
            },
        )
    board = _board(number)
    finish(board, room)
    if board[room]["state"] == "claimed":
        board[room]["state"] = "played"
    yield "result", base | board[room]


TEAM: State = {
    "id": "t1",
    "name": "Modra",
    "captain": {"id": "popenN", "name": "Ilse Marten"},
    "deputy": None,
    "club": None,
    "colour": "pine",
    "players": [{"id": f"p{name}", "name": name} for names in PLAYERS.values() for name in names.values()],
}
