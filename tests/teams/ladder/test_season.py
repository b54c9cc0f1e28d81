"""A small season by chance through the public commands, with deaths; ``tests/bench/season`` is large."""

import asyncio
from pathlib import Path

from tests.teams.ladder.simulated_season import played_season


def test_season_of_a_dying_house_keeps_every_team_on_one_rung_and_explains_every_move(tmp_path: Path) -> None:
    done = asyncio.run(played_season(tmp_path, teams=10, challenges=30, seed=4, death=0.03))
    assert done["issue"] == 30
    assert done["died"] and done["match"]
