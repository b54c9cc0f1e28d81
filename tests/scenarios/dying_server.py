"""``server.py`` that kills itself (SIGKILL) at a named point of its writer; run by ``test_kills`` only.

``TWINROOM_DIE_AT`` names the point, ``TWINROOM_DIE_AFTER`` how often it is passed before.
"""

import os
import signal
from functools import partial

from broadcast.console.commands import command_line
from server import KINDS, Server

POINT = os.environ.get("TWINROOM_DIE_AT", "")
AFTER = int(os.environ.get("TWINROOM_DIE_AFTER", "0"))
passed = 0


def at(point: str) -> None:
    global passed  # noqa: PLW0603
    if point == POINT:
        passed += 1
        if passed > AFTER:
            os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    command_line(partial(Server, at=at), KINDS)()
