"""The words of the letters that bring links, in the language of whom they go to."""

from broadcast.storage.mail_store import Letter
from broadcast.web.house import House
from broadcast.web.languages import Language, catalogue
from broadcast.web.wording import LETTERS, ROLES
from teams.storage.address_store import Address
from teams.storage.link_store import GOOD_FOR, Kind, Link


def letter(house: House, link: Link, to: Address) -> Letter:
    """The letter for a link; where the link belongs it says ``{link}``, which is signed as the letter goes
    out."""
    words = catalogue(Language(to.language)).gettext
    role = "" if link.role is None else words(ROLES[link.role])
    kind = "join" if link.kind is Kind.JOIN else "reset"
    days = GOOD_FOR[link.kind].days
    site = house.origin.partition("//")[2]
    facts = {"site": site, "role": role, "name": link.note, "hours": days * 24, "days": days}
    subject, text, note = (
        words(LETTERS[f"{kind}_{part}"]).format(**facts) for part in ("subject", "text", "note")
    )
    return Letter(to.text, subject, f"{text}\n\n{{link}}\n\n{note}\n", link.mark)
