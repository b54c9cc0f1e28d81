"""Twinroom's server: settings, database, hub and application put together; commands in the packages.

``server:app`` is the ASGI application, configured by the environment. ``python server.py --help`` lists the
commands.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import partial

from starlette.applications import Starlette

from broadcast.analysis.double_dummy import DoubleDummy
from broadcast.console.commands import command_line
from broadcast.edges.connection import connect
from broadcast.edges.relay import Relay
from broadcast.feeds.hub import Hub
from broadcast.feeds.publishing import Publishing
from broadcast.feeds.streams import Change
from broadcast.house.clock import HouseClock
from broadcast.house.dealing import random_deal
from broadcast.house.kinds import Kinds
from broadcast.house.lock import DirectoryLock
from broadcast.house.mail import Mail
from broadcast.house.match_kind import match_kind
from broadcast.house.settings import Settings
from broadcast.house.signing import link_address
from broadcast.house.writer import Writer
from broadcast.storage import mail_store
from broadcast.storage.database import Database
from broadcast.storage.match_codec import MATCH_CODEC
from broadcast.web import authority, confirmers, match_drafts, operator_sessions
from broadcast.web.application import Application
from broadcast.web.clock_routes import clock_routes
from broadcast.web.confirm_routes import confirm_routes
from broadcast.web.correction_routes import correction_routes
from broadcast.web.described.document import MATCHES, described_routes
from broadcast.web.desk_routes import desk_routes
from broadcast.web.embeds import embed_routes
from broadcast.web.health import health_routes, house_figures
from broadcast.web.house import House
from broadcast.web.import_routes import import_routes
from broadcast.web.limits import ViewerLimits
from broadcast.web.local import local_socket
from broadcast.web.match_routes import match_routes
from broadcast.web.metrics import Meters, hub_figures
from broadcast.web.oembed import oembed_routes
from broadcast.web.operator_routes import operator_routes
from broadcast.web.pages import page_routes
from broadcast.web.record_routes import record_routes
from broadcast.web.room_routes import room_routes
from broadcast.web.ruling_routes import ruling_routes
from broadcast.web.setup_routes import setup_routes
from teams.console.demo import add_demo
from teams.console.users import add_users
from teams.matches.projection import MatchComparison
from teams.storage.ladder_kind import ladder_kind
from teams.storage.letterbox import Letterbox
from teams.storage.members import Members
from teams.storage.migrations import MIGRATIONS
from teams.storage.sessions import Sessions
from teams.web.authority import MembersAccounts
from teams.web.described import TEAMS
from teams.web.messages_by_mail import MessagesByMail
from teams.web.regulations import TeamRegulations
from teams.web.routes import team_routes

KINDS = Kinds((match_kind(MatchComparison()), ladder_kind()))
"""What a house keeps: matches, whose rooms are compared, and ladders."""
STEPS = (
    *mail_store.MIGRATIONS,
    *authority.MIGRATIONS,
    *MIGRATIONS,
    *operator_sessions.MIGRATIONS,
    *confirmers.MIGRATIONS,
    *match_drafts.MIGRATIONS,
)
"""Steps of the database that the packages bring beside the house's own."""


class Server:
    """One house: its application, and how its open streams are ended."""

    def __init__(self, settings: Settings, at: Callable[[str], None] = lambda point: None) -> None:
        """``at`` is told every point that the writer passes, as ``Writer`` says; tests kill it there."""
        self.settings = settings
        self._at = at
        self.hub: Hub | None = None
        self.app: Application
        desk = [*setup_routes(), *desk_routes(), *ruling_routes()]
        rooms = [*match_routes(), *room_routes(), *operator_routes(), *import_routes()]
        rooms += [*confirm_routes(), *clock_routes(), *correction_routes(), *record_routes()]
        routes = [*rooms, *desk, *team_routes(), *embed_routes(), *oembed_routes(), *page_routes()]
        limits = ViewerLimits(settings.viewers, settings.viewers_per_address)
        self.app = Application(
            [*routes, *described_routes(MATCHES, TEAMS), *health_routes()],
            self._lifespan,
            limits,
            framed_by=settings.framed_by,
        )

    def end_streams(self) -> None:
        """Send every viewer away in order; they come back to whoever serves next."""
        if self.hub is not None:
            self.hub.close()

    def opened(self) -> AbstractAsyncContextManager[None]:
        """The house opened without listening anywhere but on its local socket."""
        return self._lifespan(self.app.routed)

    def _relay(self, writer: Writer, epoch: int) -> Relay | None:
        settings = self.settings
        if settings.redis is None:
            return None
        return Relay(connect(settings.redis), writer, epoch, round(settings.archive_hours * 3600))

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        settings = self.settings
        async with AsyncExitStack() as stack:
            stack.enter_context(DirectoryLock(settings.data))
            database = await Database.open(settings.database, migrations=STEPS)
            stack.push_async_callback(database.close)
            self.hub = hub = Hub()
            stack.callback(hub.close)
            clock = HouseClock()
            meters = Meters()

            def at(point: str) -> None:
                meters.at(point)
                self._at(point)

            def on_commit(changes: tuple[Change, ...]) -> None:
                publishing.on_commit(changes)
                meters.on_commit(changes, clock.now())
                letterbox.on_commit(changes)
                if relay is not None:
                    relay.on_commit(changes)

            writer = Writer(database, KINDS, clock, on_commit=on_commit, at=at)
            publishing = Publishing(hub, database.epoch, writer)
            relay = self._relay(writer, database.epoch)
            letterbox = Letterbox(database, writer)
            await stack.enter_async_context(writer)
            if relay is not None:
                relay.want(writer.open_streams)
                await stack.enter_async_context(relay)
            secret = settings.secret()
            signed = partial(link_address, settings.public_origin, secret)
            mail = Mail(database, writer, clock, settings.smtp, signed)
            await stack.enter_async_context(mail)
            letterbox.post = MessagesByMail(mail, settings.public_origin)
            await stack.enter_async_context(letterbox)
            members = Members(database, writer)
            app.state.house = house = House(
                database=database,
                writer=writer,
                publishing=publishing,
                authority=authority.Authority(database, MembersAccounts(members, Sessions(database, writer))),
                clock=clock,
                regulations=TeamRegulations(database, members),
                match_codec=MATCH_CODEC,
                origin=settings.public_origin,
                secret=secret,
                mail=mail,
                deal=random_deal,
                sign_up_is_open=settings.sign_up == "open",
                meters=meters,
                analysis=await stack.enter_async_context(DoubleDummy()),
                relay=relay,
            )
            meters.read(lambda: hub_figures(hub, self.app.limits))
            meters.read(lambda: house_figures(house))
            await stack.enter_async_context(local_socket(self.app, settings.socket))
            yield


main = command_line(Server, KINDS)
add_users(main, Server)
add_demo(main, Server)

if __name__ == "__main__":
    main()
else:
    app = Server(Settings.from_environment()).app
