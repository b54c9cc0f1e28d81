"""LIN and PBN files with everything that real ones were found to do, and what none of those at hand does.

Real records may be absent; these files stand in for them, whether or not. ``lin_oddities`` gives each with what
is to be read from it: how many boards at a table, and the problem that has to be listed. ``write_all`` puts
them into a folder, for whoever wants to feed them to an import.
"""

import codecs
from dataclasses import dataclass
from pathlib import Path

from broadcast.notation.problems import Reason
from tests.broadcast.notation.sample_files import (
    AUCTION,
    DEAL,
    FULL_PLAY,
    HANDS,
    lin_board,
    lin_match,
    lin_play,
    pbn_game,
)


@dataclass(frozen=True, slots=True)
class Oddity:
    name: str
    data: bytes
    boards: int
    """Boards at a table, in matches or not, with a deal or a result."""
    reason: Reason | None = None
    """The problem that has to be listed; ``None`` where the file is merely unusual."""
    suffix: str = "lin"


PLAYED = AUCTION + lin_play(FULL_PLAY)
CLAIMED = AUCTION + lin_play(FULL_PLAY[:6]) + "mc|9|"
BOTH = lin_board("o1", PLAYED) + lin_board("c1", CLAIMED)
RESULTS = "3NS-1,3NS=,"
MATCH = lin_match(BOTH, RESULTS)
TEXT = MATCH.decode()


def lin_oddities() -> list[Oddity]:
    return [*_encodings(), *_layout(), *_damage(), *_headers(), *_courses()]


def _encodings() -> list[Oddity]:
    named = TEXT.replace("Ann", "Łódź Ö").replace("Bob", "Sträter")
    western = TEXT.replace("Bob", "Sträter").replace("Cid", "dash – ok")
    mixed = TEXT.replace("Bob", "Sträter").encode() + "nt|walddk: führend|pg||\n".encode("cp1252")
    twice = lin_board("o1", "nt|walddk: " + "führend".encode().decode("latin-1") + f"|pg||{PLAYED}")
    return [
        Oddity("utf-8", named.encode(), 2),
        Oddity("utf-8 with a byte order mark", codecs.BOM_UTF8 + named.encode(), 2),
        Oddity("utf-16 little endian", named.encode("utf-16"), 2),
        Oddity("utf-16 big endian", codecs.BOM_UTF16_BE + named.encode("utf-16-be"), 2),
        Oddity("utf-16 without a mark", TEXT.encode("utf-16-le"), 2),
        Oddity("windows-1252", western.encode("cp1252"), 2),
        Oddity("latin-1 with control bytes", western.replace("–", "\x81").encode("latin-1"), 2),
        Oddity("utf-8 and windows-1252 mixed", mixed, 2),
        Oddity("utf-8 encoded twice", lin_match(twice, RESULTS), 2),
        Oddity("cr lf line ends", TEXT.replace("\n", "\r\n").encode(), 2),
        Oddity("cr line ends", TEXT.replace("\n", "\r").encode(), 2),
        Oddity("nul bytes", MATCH.replace(b"pg||", b"pg|\x00|"), 2),
    ]


def _layout() -> list[Oddity]:
    upper = "|".join(p.upper() if len(p.strip()) == 2 else p for p in TEXT.split("|"))
    no_order = lin_board("c2") + lin_board("o1") + lin_board("c1") + lin_board("o2")
    single = lin_board("o1").split("|", 2)[2]
    return [
        Oddity("upper-case tags", upper.encode(), 2),
        Oddity("boards in any order", lin_match(no_order, RESULTS), 4),
        Oddity("qx with text", TEXT.replace("qx|o1|", "qx|o1,BOARD 1|").encode(), 2),
        Oddity("text before a tag", TEXT.replace("mb|1N", " bid mb|1N").encode(), 2),
        Oddity("no line ends", TEXT.replace("\n", "").encode(), 2),
        Oddity("text in page ends", TEXT.replace("pg||", "pg| ***** 7 ***** |").encode(), 2),
        Oddity("movie tags", TEXT.replace("st||", "mn|x|sa|0|ht|h|fp|y|up|4|st||").encode(), 2),
        Oddity("no vg", f"pn|A,B,C,D|{single}".encode(), 1, Reason.NOT_A_MATCH),
        Oddity("several boards without qx", (f"pn|A,B,C,D|{single}" * 2).encode(), 1, Reason.REPEATED_BOARD),
        Oddity("pn inside boards", TEXT.replace("st||", "pn|A,B,C,D|st||").encode(), 2),
        Oddity("st after the deal", TEXT.replace(f"st||md|1{HANDS}|", f"md|1{HANDS}|st||").encode(), 2),
        Oddity("three hands", TEXT.replace(HANDS, HANDS.rsplit(",", 1)[0]).encode(), 2),
        Oddity("three hands and a comma", TEXT.replace(HANDS, HANDS.rsplit(",", 1)[0] + ",").encode(), 2),
        Oddity("sv 0", TEXT.replace("sv|o|", "sv|0|").encode(), 2),
    ]


def _damage() -> list[Oddity]:
    # The calls p, p, 3N follow the one whose separator is lost; on one line nothing else shows the shift.
    return [
        Oddity("lost pipe after a call", TEXT.replace("mb|3N|", "mb|3N", 1).encode(), 2, Reason.DAMAGED_TEXT),
        Oddity("lost pipe after a tag", TEXT.replace("mb|3N|", "mb3N|", 1).encode(), 2, Reason.DAMAGED_TEXT),
        Oddity("lost pipe in the play", TEXT.replace("pc|HQ|", "pc|HQ", 1).encode(), 2, Reason.DAMAGED_TEXT),
        Oddity("lost pipe at a line end", TEXT.replace("pg||\nqx", "pg|\nqx", 1).encode(), 2),
        Oddity("lost qx", TEXT.replace("qx|c1|", "c1|").encode(), 2, Reason.DAMAGED_TEXT),
        Oddity("lost qx and label", TEXT.replace("qx|c1|", "").encode(), 2, Reason.BAD_BOARD_NUMBER),
        Oddity("lost call", TEXT.replace("mb|3N|", "m|3N|", 1).encode(), 2, Reason.DAMAGED_TEXT),
        Oddity("pipe in a comment", lin_match(lin_board("o1", f"nt|a|b c|pg||{PLAYED}")), 1),
        Oddity("cut inside a trick", MATCH[: MATCH.rindex(b"pc|CQ|")], 2),
        Oddity("cut inside a deal", MATCH[: MATCH.rindex(b"HA742")], 2),
        Oddity(
            "stray rank before a hand",
            TEXT.replace(f"md|1{HANDS}", f"md|12{HANDS}", 1).encode(),
            2,
            Reason.BAD_DEAL,
        ),
    ]


def _headers() -> list[Oddity]:
    longer = lin_match(BOTH, "3NS-1,3NS=,P,P,4HE=,4HE-1")
    return [
        Oddity("board-a-match", MATCH.replace(b",I,1,", b",B,1,"), 2),
        Oddity("pairs", MATCH.replace(b",I,1,", b",P,1,"), 2, Reason.NOT_A_MATCH),
        Oddity("averages in rs", lin_match(BOTH, "A+,A-,"), 2, Reason.BAD_RESULT),
        Oddity("fractional carry-over", lin_match(BOTH, RESULTS, "Modra,12.5,Vihar,0.25"), 2),
        Oddity("empty carry-over", lin_match(BOTH, RESULTS, "Modra,,Vihar,"), 2),
        Oddity("escaped comma", lin_match(BOTH, RESULTS, "Modra%COMMA% A,0,Vihar,0"), 2),
        Oddity("comma in a team", lin_match(BOTH, RESULTS, "Modra, A,0,Vihar,0"), 2, Reason.BAD_HEADER),
        Oddity("comma in a name", MATCH.replace(b"pn|Ann", b"pn|Lee, Ann"), 2, Reason.BAD_NAMES),
        Oddity("header alone", b"vg|Club final,1,I,1,8,A,0,B,0|pg||", 0, Reason.NO_BOARDS),
        Oddity("rs longer than the range", longer, 4, Reason.SURPLUS_RESULTS),
        Oddity("results without any record", lin_match("", RESULTS), 2),
        Oddity("leading empty results", lin_match(lin_board("o2") + lin_board("c2"), ",,3NS=,3NS="), 2),
        Oddity("two segments", MATCH + MATCH.replace(b"Segment 1", b"Segment 2"), 4),
    ]


def _courses() -> list[Oddity]:
    excluded = AUCTION + lin_play(FULL_PLAY[:20]) + "mc|0|"
    other_vulnerability = TEXT.replace("sv|o|", "sv|B|").encode()
    other_label = TEXT.replace("ah|Board 1|", "ah|Rozdanie 7|").encode()
    other_contract = lin_match(lin_board("o1", CLAIMED), "4HE=,")

    def course(name: str, text: str, reason: Reason | None = None, boards: int = 1) -> Oddity:
        return Oddity(name, lin_match(lin_board("o1", text)), boards, reason)

    turned = lin_board("c1", "").replace(HANDS, ",".join([*HANDS.split(",")[1:], HANDS.split(",")[0]]))
    return [
        course("claim before any card", AUCTION + "mc|9|"),
        course("claim inside a trick", CLAIMED),
        course("claim after all tricks", PLAYED + "mc|8|"),
        course("all 52 cards", PLAYED),
        course("two claims", AUCTION + "pc|DQ|mc|9|mc|8|"),
        course("play goes on after a claim", AUCTION + "pc|DQ|mc|9|pc|D4|", Reason.NO_RESULT),
        course("claim that the play excludes", excluded, Reason.CLAIM_EXCLUDED),
        course("claim that is no number", AUCTION + "mc|14|", Reason.BAD_CLAIM),
        course("passed out", "mb|p|mb|p|mb|p|mb|p|"),
        course("alerts and explanations", "mb|1N!|an|15-17|mb|p|mb|2C|an|!|mb|p!|"),
        course("calls in one field", "mb|-1Np3Nppp|mc|9|"),
        course("the other room's auction", f"ob|-1Sppp|{PLAYED}"),
        course("impossible auction", "mb|1N|mb|r|mb|p|mc|9|", Reason.IMPOSSIBLE_AUCTION),
        course("insufficient bid", "mb|1N|mb|1C|mb|p|mb|p|mb|p|", Reason.IRREGULAR_CALL),
        course("auction cut", "mb|1N|mb|p|mc|9|", Reason.BAD_CLAIM),
        course("calls after the end", "mb|1N|mb|p|mb|p|mb|p|mb|p|mc|7|", Reason.SURPLUS_CALLS),
        course("undo mark", f"mb|1N|up|1|{PLAYED.removeprefix('mb|1N|')}"),
        course("card not in hand", AUCTION + "pc|DQ|pc|HA|mc|9|", Reason.CARD_NOT_HELD),
        course("card repeated", AUCTION + lin_play([*FULL_PLAY[:4], "H4"]) + "mc|9|", Reason.CARD_REPEATED),
        course("revoke", AUCTION + "pc|DQ|pc|C5|mc|9|", Reason.REVOKE),
        course("lead out of turn", AUCTION + "pc|ST|mc|9|", Reason.LEAD_OUT_OF_TURN),
        course("comments everywhere", f"nt|a: hi|pg||nt||at|more|{PLAYED}nt|end|pg||"),
        Oddity("mc against rs", lin_match(lin_board("o1", CLAIMED), "3NS+1,"), 1, Reason.CLAIM_DIFFERS),
        Oddity("rs against the auction", other_contract, 1, Reason.RESULT_DIFFERS),
        Oddity("board repeated in a room", lin_match(BOTH + BOTH, RESULTS), 2, Reason.REPEATED_BOARD),
        Oddity("board missing in a room", lin_match(lin_board("o1")), 1),
        Oddity("different deals", lin_match(lin_board("o1") + turned), 2, Reason.DIFFERENT_DEALS),
        Oddity("sv against the number", other_vulnerability, 2, Reason.VULNERABILITY_DIFFERS),
        Oddity("dealer against the number", MATCH, 2, Reason.DEALER_DIFFERS),
        Oddity("no dealer", TEXT.replace("md|1S", "md|0S").encode(), 2, Reason.BAD_DEALER),
        Oddity("label against qx", other_label, 2, Reason.LABEL_DIFFERS),
        Oddity("a card in two hands", TEXT.replace("S2H653", "SAH653").encode(), 2, Reason.BAD_DEAL),
    ]


def pbn_oddities() -> list[Oddity]:
    game = pbn_game()
    teams = {"HomeTeam": "Modra", "VisitTeam": "Vihar"}
    exchanged = pbn_game(**teams) + pbn_game(HomeTeam="Vihar", VisitTeam="Modra")
    left_out = pbn_game(**teams) + '[Declarer "S"]\n[Contract "2N"]\n[Result "8"]\n\n'

    def pbn(name: str, text: str | bytes, boards: int, reason: Reason | None = None) -> Oddity:
        return Oddity(name, text.encode() if isinstance(text, str) else text, boards, reason, "pbn")

    return [
        pbn("utf-8 with a byte order mark", codecs.BOM_UTF8 + game.encode(), 1),
        pbn("utf-16", game.encode("utf-16"), 1),
        pbn("latin-1", pbn_game(West="Sträter").encode("latin-1"), 1),
        pbn("cr lf", game.replace("\n", "\r\n"), 1),
        pbn("exchanged home and visitors", exchanged, 2),
        pbn("tags left out", left_out, 2),
        pbn("result as overtricks", pbn_game(Result="+1"), 1, Reason.BAD_RESULT),
        pbn("result of fourteen", pbn_game(Result="14"), 1, Reason.BAD_RESULT),
        pbn("hands turned", pbn_game(Deal=DEAL.replace("N:", "E:")), 1, Reason.ROTATED_DEAL),
        pbn("two hands known", pbn_game(Deal="N:KQ97.Q9.AK54.J75 - A643.KJT8.92.AK3 -"), 1, Reason.NO_DEAL),
        pbn("lost quote", game.replace('"Club final"', '"Club final'), 1, Reason.DAMAGED_TEXT),
        pbn("unclosed comment", game.rstrip() + "\n{no end\n\n" + game, 2, Reason.DAMAGED_TEXT),
        pbn("no empty line", game.rstrip() + "\n" + pbn_game(Board="2"), 2, Reason.DAMAGED_TEXT),
    ]


def write_all(folder: Path) -> list[Path]:
    """Every file into the folder, which has to exist; their paths."""
    written = []
    for number, oddity in enumerate([*lin_oddities(), *pbn_oddities()], start=1):
        path = folder / f"{number:03}_{oddity.name.replace(' ', '_')}.{oddity.suffix}"
        path.write_bytes(oddity.data)
        written.append(path)
    return written
