"""Adjusted scores (Law 12C): what a director gives in place of, or on top of, a table's result."""

from dataclasses import dataclass

from broadcast.bridge.rooms import Room


@dataclass(frozen=True, slots=True)
class Part:
    """A component of a weighted score (Law 12C1(c))."""

    score_ns: int
    percent: int


@dataclass(frozen=True, slots=True)
class Award:
    """One kind of adjusted score; ``kind`` says which of the other members apply.

    ``artificial``: ``home`` and ``visitors`` are ``+``, ``=`` or ``-`` (average plus, average, average minus).
    ``assigned``: ``score_ns`` stands for the result of ``room``.
    ``weighted``: ``parts`` stand for the result of ``room``.
    ``split``: ``for_home`` and ``for_visitors`` are awards of the kinds above, one for each side.
    """

    kind: str
    home: str | None = None
    visitors: str | None = None
    room: Room | None = None
    score_ns: int | None = None
    parts: tuple[Part, ...] = ()
    for_home: "Award | None" = None
    for_visitors: "Award | None" = None

    @property
    def rooms(self) -> frozenset[Room]:
        """The rooms whose own result no longer counts."""
        if self.kind == "split":
            sides = [award for award in (self.for_home, self.for_visitors) if award is not None]
            return frozenset(room for award in sides for room in award.rooms)
        return frozenset(Room) if self.room is None else frozenset({self.room})
