"""The demo's teams and players: invented names, in two scripts, the same at every start."""

from dataclasses import dataclass

from broadcast.bridge.seats import Seat


@dataclass(frozen=True, slots=True)
class DemoTeam:
    name: str
    players: tuple[str, str, str, str]
    """Two pairs: the first two sit North-South at home, the others East-West in the other room."""
    seed: int
    """Draws the style in which the team's programs bid and lead."""

    def pair(self, side: str) -> tuple[str, str]:
        """The pair that sits North-South or East-West."""
        return self.players[:2] if side == "NS" else self.players[2:]

    def seated(self, side: str) -> dict[str, str]:
        """The pair's names by seat."""
        seats = (Seat.N, Seat.S) if side == "NS" else (Seat.E, Seat.W)
        return {seat.value: name for seat, name in zip(seats, self.pair(side), strict=True)}


_NAMES = (
    ("Modra", "Ana Kovač", "Boris Hren", "Cilka Zupan", "Dušan Vidmar"),
    ("Vihar", "Eva Rozman", "Filip Kos", "Gaja Pirc", "Hugo Bizjak"),
    ("江南雨", "林知远", "沈若水", "顾长风", "苏晚晴"),
    ("Nordlys", "Ingrid Sæther", "Jonas Lien", "Kari Moen", "Lars Brekke"),
    ("Falcons", "Mia Hart", "Noah Quill", "Olive Reed", "Peter Vane"),
    ("Les Trèfles", "Quentin Faure", "Rose Marchal", "Simon Blanc", "Thérèse Roy"),
    ("青山客", "陆青山", "白云舟", "柳如是月", "秦明远"),
    ("Corvara", "Ugo Ferri", "Vera Lodi", "Walter Piva", "Zita Monti"),
    ("Old Mill", "Arthur Penn", "Beth Lowe", "Clive Marsh", "Dora Finch"),
    ("Siete Mares", "Elena Rivas", "Fabio Soto", "Gala Mendez", "Hector Vega"),
    ("Kingfisher", "Isla Gray", "Jack Thorn", "Kate Winslow-Bird", "Liam Ford"),
    ("Tafelrunde", "Moritz Lange", "Nele Brandt", "Otto Kühn", "Paula Vogt"),
    ("长河落日", "韩长河", "叶落秋", "宋日新", "杜若飞"),
    ("Blue Hour", "Quinn Avery", "Rita Dell", "Sam Orr", "Tess Lind"),
    ("Dwa Króle", "Urszula Mazur", "Wiktor Lis", "Xawery Duda", "Zofia Wrona"),
    ("Harbour", "Alma Stone", "Ben Carver", "Cora Wells", "Dan Pike"),
    ("Zelkova", "Emi Sato", "Fumio Ono", "Gen Mori", "Hana Abe"),
    ("North Star", "Ida Frost", "Jon Vale", "Kim Dahl", "Leo Strand"),
    ("听雨轩", "方听雨", "孟轩然", "夏知秋", "冯远山"),
    ("Grand Tour", "Max Ridley", "Nina Cole", "Oscar Bell", "Pia Lorne"),
    ("Maratona", "Renzo Galli", "Sara Conti", "Tito Neri", "Ada Serra"),
    ("Squeeze Play", "Una Kerr", "Vic Nash", "Wendy Frye", "Zack Moss"),
    ("Lighthouse", "Abel Cross", "Bria Lake", "Cole Hurst", "Dee Marlow"),
    ("Late Entry", "Ed Norris", "Fay Compton", "Gus Tully", "Hope Arden"),
)

TEAMS = tuple(
    DemoTeam(name, (first, second, third, fourth), seed)
    for seed, (name, first, second, third, fourth) in enumerate(_NAMES, 1)
)
"""Twenty-four, in their order at the start of the ladder."""
