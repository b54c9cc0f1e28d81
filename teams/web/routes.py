"""Every address of ``teams``, for ``server.py`` to mount."""

from starlette.routing import Route

from teams.web.account_pages import account_page_routes
from teams.web.account_routes import account_routes
from teams.web.account_standing import account_standing_routes
from teams.web.accounts_desk import accounts_desk_routes
from teams.web.captain_routes import captain_routes
from teams.web.challenge_pages import challenge_page_routes
from teams.web.challenge_routes import challenge_routes
from teams.web.club_routes import club_routes
from teams.web.embed_pages import embed_page_routes
from teams.web.follow import follow_routes
from teams.web.invitation_routes import invitation_routes
from teams.web.joining import joining_routes
from teams.web.ladder_forms import ladder_form_routes
from teams.web.ladder_pages import ladder_page_routes
from teams.web.ladder_routes import ladder_routes
from teams.web.ladder_rules_page import ladder_rules_routes
from teams.web.ladder_terms import ladder_terms_routes
from teams.web.personal_feeds import personal_routes
from teams.web.roster_routes import roster_routes
from teams.web.signing_in import signing_in_routes
from teams.web.team_forms import team_form_routes
from teams.web.team_page import team_page_routes
from teams.web.tools import tool_routes


def team_routes() -> list[Route]:
    """Accounts, teams, ladders and challenges, and the calculator's answers to programs."""
    return [
        *account_routes(),
        *signing_in_routes(),
        *account_page_routes(),
        *joining_routes(),
        *accounts_desk_routes(),
        *account_standing_routes(),
        *roster_routes(),
        *ladder_terms_routes(),
        *ladder_routes(),
        *challenge_routes(),
        *tool_routes(),
        *captain_routes(),
        *team_form_routes(),
        *club_routes(),
        *invitation_routes(),
        *personal_routes(),
        *follow_routes(),
        *ladder_form_routes(),
        *ladder_rules_routes(),
        *ladder_page_routes(),
        *challenge_page_routes(),
        *embed_page_routes(),
        *team_page_routes(),
    ]
