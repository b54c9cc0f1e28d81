"""The double-dummy worker: a process of its own that solves one position for each line it is sent.

Started by ``broadcast.analysis.double_dummy`` and imported by nobody: endplay (Bo Haglund's DDS inside) takes a
processor for itself while it thinks, which no operator should feel. A line is a JSON object ``deal`` (PBN),
``trump`` (S H D C NT), ``leader`` of the first trick and the ``cards`` played; the answer a line
``{"tricks"}``, what the declaring side takes in all, or ``{"tricks": null}`` for what cannot be solved.
"""

import json
import os
import sys
from typing import Any

CARDS = 52


def solve(asked: dict[str, Any]) -> int | None:
    """The declaring side's tricks in all, both sides playing on double dummy; ``None`` where that fails."""
    from endplay.dds import solve_board
    from endplay.types import Deal, Denom, Player

    deal = Deal(asked["deal"])
    deal.trump = Denom.find(asked["trump"])
    deal.first = leader = Player.find(asked["leader"])
    won = [0, 0]
    for card in asked["cards"]:
        deal.play(card)
        if len(deal.curtrick) == 0:
            won[int(deal.first) % 2] += 1
    left = 13 - sum(won)
    to_play = deal.curplayer
    most = max(tricks for _, tricks in solve_board(deal)) if len(asked["cards"]) < CARDS else 0
    declaring = (int(leader) + 1) % 2
    return int(won[declaring] + (most if int(to_play) % 2 == declaring else left - most))


def main() -> None:
    os.nice(10)
    for line in sys.stdin:
        try:
            tricks = solve(json.loads(line))
        except Exception:  # whatever DDS makes of a position, the next one is another
            tricks = None
        sys.stdout.write(json.dumps({"tricks": tricks}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
