"""Every address of ``teams`` for programs, for ``server.py`` to mount."""

from starlette.routing import Route

from teams.web.account_routes import account_routes
from teams.web.ladder_routes import ladder_routes
from teams.web.team_routes import team_routes


def member_routes() -> list[Route]:
    """Accounts, teams, ladders and challenges."""
    return [*account_routes(), *team_routes(), *ladder_routes()]
