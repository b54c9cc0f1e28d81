"""The addresses of the captain's page, and what an account sets there for itself."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from broadcast.house.relational import raw_job
from broadcast.notation.time_zones import checked_zone
from broadcast.web.forms import go_to, read_form
from broadcast.web.requests import house_of
from teams.storage import captain_settings, inbox_store
from teams.web.captain_page import captain, inbox, signed_in_captain
from teams.web.captain_steps import challenge_step, ladder_step, or_refused
from teams.web.party_forms import back_to


async def settings(request: Request) -> Response:
    """``POST /captain/settings {"time_zone"}``."""
    sender = await signed_in_captain(request)
    form, account = await read_form(request), sender.account or ""

    async def done() -> Response:
        zone = checked_zone(form.get("time_zone", ""))
        await house_of(request).writer.write(
            raw_job(lambda connection, now: captain_settings.set_time_zone(connection, account, zone))
        )
        return back_to(request, "/captain", "settings")

    return await or_refused(request, sender, done)


async def address(request: Request) -> Response:
    """``POST /captain/address {"do"}``: ``renew`` or ``revoke`` the secret address of calendar and feed."""
    sender = await signed_in_captain(request)
    form, account, house = await read_form(request), sender.account or "", house_of(request)
    if form.get("do") == "revoke":
        await house.writer.write(
            raw_job(lambda connection, now: captain_settings.revoke_address(connection, account))
        )
    else:
        await house.writer.write(
            raw_job(lambda connection, now: captain_settings.renew_address(connection, account, house.secret))
        )
    return back_to(request, "/captain", "settings", "elsewhere-name")


async def read_messages(request: Request) -> Response:
    """``POST /captain/inbox {"until"}``: messages up to this number are read."""
    sender = await signed_in_captain(request)
    form, account = await read_form(request), sender.account or ""
    until = form.get("until", "")
    number = int(until) if until.isascii() and until.isdecimal() and len(until) < 16 else 0
    await house_of(request).writer.write(
        raw_job(lambda connection, now: inbox_store.mark_read(connection, account, number, now))
    )
    return go_to(request, "/captain/inbox")


def captain_routes() -> list[Route]:
    return [
        Route("/captain", captain, name="captain"),
        Route("/captain/inbox", inbox, name="inbox"),
        Route("/captain/inbox", read_messages, methods=["POST"], name="read_messages"),
        Route("/captain/settings", settings, methods=["POST"], name="captain_settings"),
        Route("/captain/address", address, methods=["POST"], name="personal_address"),
        Route(
            "/captain/challenges/{challenge}/{action}", challenge_step, methods=["POST"], name="captain_step"
        ),
        Route("/captain/ladders/{ladder}/{action}", ladder_step, methods=["POST"], name="captain_ladder"),
    ]
