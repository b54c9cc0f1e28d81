"""Single PBN tags as values of the game: board, players, dealer, deal, vulnerability, contract, result, score.

A value that cannot be read is a problem and unknown, never a plausible other one.
"""

import re

from broadcast.bridge.auctions import Auction
from broadcast.bridge.boards import Vulnerability, dealer_of, vulnerability_of
from broadcast.bridge.contracts import Contract
from broadcast.bridge.deals import Deal
from broadcast.bridge.errors import BadDeal, BadNotation
from broadcast.bridge.results import PASSED_OUT, BoardResult
from broadcast.bridge.rooms import Room
from broadcast.bridge.seats import SEATS, Seat, Side
from broadcast.notation.pbn_lexing import Game
from broadcast.notation.problems import ProblemList, Reason

_PLAYER_TAGS = {Seat.N: "North", Seat.E: "East", Seat.S: "South", Seat.W: "West"}
_VULNERABLE = {
    "none": Vulnerability.NONE,
    "love": Vulnerability.NONE,
    "-": Vulnerability.NONE,
    "ns": Vulnerability.NORTH_SOUTH,
    "ew": Vulnerability.EAST_WEST,
    "all": Vulnerability.ALL,
    "both": Vulnerability.ALL,
}
_RESULT = re.compile(r"(\^?)\s*(?:(NS|EW)\s+)?(\d{1,2})(?:\s+(NS|EW)\s+(\d{1,2}))?", re.IGNORECASE)
_SCORE = re.compile(r"(?:(NS|EW)\s+)?([+-]?\d{1,5})(?:\s+(NS|EW)\s+([+-]?\d{1,5}))?", re.IGNORECASE)


def read_number(game: Game) -> int | None:
    text = game.value("Board").strip()
    return int(text) if re.fullmatch(r"[0-9]{1,4}", text) and int(text) > 0 else None


def read_room(game: Game) -> Room | None:
    try:
        return Room(game.value("Room").strip().lower())
    except ValueError:
        return None


def read_players(game: Game) -> dict[Seat, str]:
    """Names by seat. A maker's number behind a name (``Ann Lee#23324``, ``Dummy 1#``) is left out."""
    names = {seat: re.sub(r"#\d*$", "", game.title(tag)) for seat, tag in _PLAYER_TAGS.items()}
    return {seat: name.strip() for seat, name in names.items() if name}


def read_seat(text: str) -> Seat | None:
    code = text.strip().removeprefix("^").upper()[:1]
    return Seat(code) if code in set(SEATS) else None


def read_deal(game: Game, problems: ProblemList) -> tuple[Deal | None, bool]:
    """The deal, and whether one is given that has to be refused."""
    text = game.value("Deal")
    if not text.strip():
        return None, False
    if text.count("-") > 1:
        problems.add(
            game.line_of("Deal"), "Deal", Reason.NO_DEAL, "not all hands are known: this is no board to play"
        )
        return None, True
    try:
        return Deal.parse(text), False
    except (BadDeal, BadNotation) as refused:
        problems.add(game.line_of("Deal"), "Deal", Reason.BAD_DEAL, f"{refused.message}; the record is refused")
        return None, True


def read_dealer(game: Game, number: int, problems: ProblemList) -> Seat:
    due = dealer_of(number)
    text = game.value("Dealer").strip().upper()
    if text in set(SEATS):
        dealer = Seat(text)
        if dealer is not due:
            problems.add(
                game.line_of("Dealer"),
                "Dealer",
                Reason.DEALER_DIFFERS,
                f"{dealer.word} dealt; by its number board {number} has {due.word}",
            )
        return dealer
    problems.add(
        game.line_of("Dealer"),
        "Dealer",
        Reason.BAD_DEALER,
        f"no dealer is named; board {number} has {due.word}",
    )
    return due


def read_vulnerability(game: Game, number: int, problems: ProblemList) -> Vulnerability:
    due = vulnerability_of(number)
    text = game.value("Vulnerable").strip()
    if not text:
        return due
    stated = _VULNERABLE.get(text.lower())
    if stated is None:
        problems.add(
            game.line_of("Vulnerable"),
            "Vulnerable",
            Reason.BAD_VULNERABILITY,
            f"{text[:40]!r} is not a vulnerability; that of board {number} is used",
        )
        return due
    if stated is not due:
        problems.add(
            game.line_of("Vulnerable"),
            "Vulnerable",
            Reason.VULNERABILITY_DIFFERS,
            f"scored with vulnerability {stated}; by its number board {number} has {due}",
        )
    return stated


def named_contract(game: Game) -> tuple[Contract, Seat] | None:
    """Contract and declarer where the tags name both, whatever the result; not an irregular declarer."""
    if game.value("Declarer").startswith("^"):
        return None
    declarer = read_seat(game.value("Declarer"))
    try:
        contract = Contract.parse(game.value("Contract"))
    except BadNotation:
        return None
    return None if declarer is None else (contract, declarer)


def read_official(game: Game, auction: Auction, problems: ProblemList) -> BoardResult | None:
    """What Declarer, Contract and Result say together; ``None`` while one of them is unknown."""
    text = game.value("Contract").strip()
    if text.lower() == "pass":
        return PASSED_OUT
    contract, declarer = None, read_seat(game.value("Declarer"))
    if text:
        try:
            contract = Contract.parse(text)
        except BadNotation as refused:
            problems.add(game.line_of("Contract"), "Contract", Reason.BAD_RESULT, refused.message)
    if contract is None and auction.is_over:
        contract, declarer = auction.contract, auction.declarer
    declarer = declarer or (auction.declarer if auction.contract == contract else None)
    tricks_text = game.value("Result").strip()
    if contract is None or not tricks_text:
        return None
    if declarer is None:
        problems.add(
            game.line_of("Declarer"), "Declarer", Reason.BAD_RESULT, f"{contract} has no declarer; no result"
        )
        return None
    tricks = _tricks(tricks_text, declarer)
    if tricks is None:
        problems.add(
            game.line_of("Result"),
            "Result",
            Reason.BAD_RESULT,
            f"{tricks_text[:40]!r} is not a number of tricks from 0 to 13; taken as no result",
        )
        return None
    return BoardResult(contract, declarer, tricks)


def _tricks(text: str, declarer: Seat) -> int | None:
    """``10``, ``^10``, ``NS 10``, ``EW 3`` or ``NS 10 EW 3`` as tricks of declarer's side."""
    found = _RESULT.fullmatch(text)
    if not found:
        return None
    _, side, number, other_side, other_number = found.groups()
    tricks = int(number)
    if tricks > 13 or (other_number is not None and (side is None or tricks + int(other_number) != 13)):
        return None
    if other_side is not None and other_side.upper() == (side or "").upper():
        return None
    return tricks if side is None or Side(side.upper()) is declarer.side else 13 - tricks


def stated_score_ns(text: str, result: BoardResult) -> int | None:
    """The Score tag as points of North-South; ``None`` where it says nothing that can be read."""
    found = _SCORE.fullmatch(text.strip())
    if not found:
        return None
    side, points = found[1], int(found[2])
    if side is None:
        side = "NS" if result.declarer is None else result.declarer.side.value
    return points if side.upper() == "NS" else -points
