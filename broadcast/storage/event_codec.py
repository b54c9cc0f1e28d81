"""Facts as JSON and back: the one place that knows the stored names and versions of events.

An event is stored under its kind (``call_made`` for ``CallMade``) with a version and a JSON body that holds the
members of its dataclass as they stand. A new kind of event is one more class in the codec and needs no
migration of the database. A new member with a default needs nothing either. Any other change of a form is one
more *upcaster*: a function from the old body to the next one, which raises the version by one. A renamed class
keeps its stored rows under ``former``.

What JSON lacks: a deal is its PBN string, a fraction ``"1/3"``, a decimal its digits as a string, a moment ISO
8601; a board key is a list ``[segment, number]``. Left out: what the events mean, and the envelope round them.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

import msgspec

from broadcast.bridge.deals import Deal
from broadcast.bridge.errors import BridgeError

T = TypeVar("T")

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]
"""From a body of one version to the body of the next."""


class UnknownEvent(LookupError):
    """A kind, or a version of it, that this codec does not know: written by newer software, or by another."""


class UnreadableEvent(ValueError):
    """A stored body that is not the event it says it is."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """An event as the database holds it."""

    event: str
    """Its kind: ``call_made``."""
    version: int
    """From 1."""
    body: str
    """JSON."""


class Codec:
    """The events of one kind of stream, by name and version.

    >>> from broadcast.tables.events import MatchClosed
    >>> codec = Codec("match", [MatchClosed])
    >>> codec.encode(MatchClosed("complete"))
    Encoded(event='match_closed', version=1, body='{"reason":"complete"}')
    >>> codec.decode("match_closed", 1, '{"reason":"complete"}')
    MatchClosed(reason='complete')
    """

    def __init__(
        self,
        name: str,
        types: Iterable[type],
        *,
        upcasters: Mapping[str, Sequence[Upcaster]] | None = None,
        former: Mapping[str, str] | None = None,
    ) -> None:
        """``upcasters`` lists a kind's steps, first from version 1 to 2; ``former`` maps old kinds to new.

        Raises ``ValueError`` where two classes share a kind, or steps are given for a kind that is not there.
        """
        self.name = name
        self._upcasters = {kind: tuple(steps) for kind, steps in (upcasters or {}).items()}
        self._former = dict(former or {})
        self._kinds: dict[type, str] = {}
        self._decoders: dict[str, msgspec.json.Decoder[Any]] = {}
        self._types: dict[str, type] = {}
        for type_ in types:
            kind = kind_of(type_)
            if kind in self._types:
                raise ValueError(f"Two events of {name} are called {kind}")
            self._kinds[type_] = kind
            self._types[kind] = type_
            self._decoders[kind] = msgspec.json.Decoder(type_, dec_hook=_from_json)
        for kind in (*self._upcasters, *self._former.values()):
            if kind not in self._types:
                raise ValueError(f"{name} has no event called {kind}")

    @property
    def kinds(self) -> Mapping[str, type]:
        """Every kind with its class."""
        return dict(self._types)

    def version_of(self, kind: str) -> int:
        """The version in which events of this kind are written today."""
        return 1 + len(self._upcasters.get(kind, ()))

    def encode(self, event: object) -> Encoded:
        """Raises ``UnknownEvent`` for an event whose class is not in the codec."""
        try:
            kind = self._kinds[type(event)]
        except KeyError:
            raise UnknownEvent(f"{type(event).__name__} is not an event of {self.name}") from None
        return Encoded(kind, self.version_of(kind), _ENCODER.encode(event).decode())

    def decode(self, event: str, version: int, body: str) -> Any:
        """The event as its class today.

        Raises ``UnknownEvent`` for a kind or version from elsewhere, ``UnreadableEvent`` for a damaged body.
        """
        kind = self._former.get(event, event)
        if kind not in self._decoders or not 1 <= version <= self.version_of(kind):
            raise UnknownEvent(f"{self.name} has no event {event!r} in version {version}")
        try:
            if version == self.version_of(kind):
                return self._decoders[kind].decode(body)
            lifted = self.lift(event, version, body)
            return msgspec.convert(lifted, self._types[kind], dec_hook=_from_json)
        except (msgspec.MsgspecError, BridgeError, LookupError, TypeError, ValueError) as error:
            raise UnreadableEvent(f"The stored {event} cannot be read: {error}") from error

    def lift(self, event: str, version: int, body: str) -> dict[str, Any]:
        """The stored body as the version of today would have it."""
        members: dict[str, Any] = msgspec.json.decode(body, type=dict)
        for step in self._upcasters.get(self._former.get(event, event), ())[version - 1 :]:
            members = step(members)
        return members


def kind_of(type_: type) -> str:
    """The stored name of an event's class.

    >>> class BoardOpened: ...
    >>> kind_of(BoardOpened)
    'board_opened'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type_.__name__).lower()


def _to_json(value: object) -> object:
    if isinstance(value, Deal | Fraction):
        return str(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise NotImplementedError(f"{type(value).__name__} has no form in a stored event")


def _from_json(type_: type, value: Any) -> object:
    if type_ is Deal:
        return Deal.parse(value)
    if type_ is Fraction:
        return Fraction(value)
    raise NotImplementedError(f"{type_.__name__} has no form in a stored event")


_ENCODER = msgspec.json.Encoder(enc_hook=_to_json, decimal_format="string")
