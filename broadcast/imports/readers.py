"""A file of either format, told apart by what it holds and not by its name."""

import re

from broadcast.notation.lin import read_lin
from broadcast.notation.pbn import read_pbn
from broadcast.notation.records import Reading

_PBN_TAG = re.compile(rb'^[ \t]*\[[ \t]*[A-Za-z_][A-Za-z0-9_]*[ \t]+"', re.MULTILINE)
_LIN_FIELD = re.compile(rb"(?:^|\|)[^|]{0,200}?(?:vg|rs|pn|qx|md|mb|pc|st|ah)\|", re.IGNORECASE)
_LOOKED_AT = 64 * 1024
"""Bytes that are looked at to tell the format."""


def read_record(data: bytes) -> Reading:
    """All that a LIN or PBN file gives. Never raises over what the file holds."""
    head = data[:_LOOKED_AT].replace(b"\x00", b"")
    tag, field = _PBN_TAG.search(head), _LIN_FIELD.search(head)
    if tag is not None and (field is None or tag.start() < field.start()):
        return read_pbn(data)
    return read_lin(data)
