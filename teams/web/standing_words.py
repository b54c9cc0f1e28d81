"""What a change of somebody's roles does, in sentences: for the page that asks first and the command line."""

from collections.abc import Iterable, Iterator

from broadcast.web import wording
from broadcast.web.languages import Language, catalogue
from teams.members.accounts import Role
from teams.storage.standing import Effects


def sentences(effects: Effects, room_links: int, language: Language) -> list[str]:
    """Everything that would change, the roles first. ``room_links``: operators' links that end with it."""
    return list(_sentences(effects, room_links, language))


def _sentences(effects: Effects, room_links: int, language: Language) -> Iterator[str]:
    words, name = catalogue(language), effects.account.name
    if effects.closes:
        yield words.gettext("The account is closed: nobody can sign in as %(name)s.") % {"name": name}
        yield words.gettext(
            "The name %(name)s stays in every record, and nobody else can make an account of it."
        ) % {"name": name}
    if effects.opens:
        yield words.gettext("The account is open again; %(name)s needs a link to a new password.") % {
            "name": name
        }
    if effects.given:
        roles = _roles(effects.given, language)
        yield words.gettext("%(name)s gets: %(roles)s.") % {"name": name, "roles": roles}
    if effects.taken:
        roles = _roles(effects.taken, language)
        yield words.gettext("%(name)s loses: %(roles)s.") % {"name": name, "roles": roles}
    for handed in effects.handed:
        facts = {"team": handed.team.name, "deputy": handed.to}
        if handed.to is None:
            yield words.gettext("%(team)s has no captain then: invite somebody else.") % facts
        else:
            yield words.gettext("%(deputy)s, now deputy, becomes captain of %(team)s.") % facts
    for team in effects.deputy_of:
        yield words.gettext("%(team)s has no deputy then.") % {"team": team.name}
    for club in effects.clubs:
        yield words.gettext("%(name)s is no officer of %(club)s any more.") % {
            "name": name,
            "club": club.name,
        }
    if effects.taken or effects.closes:
        yield from _ended(effects, room_links, language)


def _ended(effects: Effects, room_links: int, language: Language) -> Iterator[str]:
    words = catalogue(language)
    if effects.sessions:
        yield words.ngettext(
            "%(num)d browser is signed out at once.",
            "%(num)d browsers are signed out at once.",
            effects.sessions,
        ) % {"num": effects.sessions}
    if effects.tokens:
        yield words.ngettext(
            "%(num)d token of a program is good no more.",
            "%(num)d tokens of programs are good no more.",
            effects.tokens,
        ) % {"num": effects.tokens}
    if effects.links:
        yield words.ngettext(
            "%(num)d open invitation or password link is withdrawn.",
            "%(num)d open invitations or password links are withdrawn.",
            effects.links,
        ) % {"num": effects.links}
    if room_links:
        yield words.ngettext(
            "%(num)d operator's link of this captain is withdrawn: whoever enters by it needs another.",
            "%(num)d operators' links of this captain are withdrawn: whoever enters by them needs others.",
            room_links,
        ) % {"num": room_links}
    if Role.DIRECTOR in effects.taken:
        yield words.gettext(
            "A director could copy the operators' links of every match: withdraw those of matches in play on "
            "their desk."
        )


def _roles(roles: Iterable[Role], language: Language) -> str:
    words = catalogue(language)
    return ", ".join(words.gettext(wording.ROLES[role]) for role in roles)
