"""LIN text to fields: a run of ``tag|value|``, found again after a separator is lost.

The tag is the two characters before a ``|``; what stands before those (line ends, remarks) is skipped, as
BBO's handviewer does it. Where a ``|`` is missing, all later tags and values would change places. The reader
notices by a value that is a tag where none was due, and goes on from the next field that is whole. What ran
together and can only be read in one way is read; anything else becomes a ``LOST`` field, so that nobody takes
the calls before and after it for neighbours.
"""

import re
from dataclasses import dataclass

from broadcast.notation.problems import ProblemList, Reason

LOST = "??"
"""Tag of a field that stands for text which can no longer be understood."""


@dataclass(frozen=True, slots=True)
class Field:
    tag: str
    """Two lower-case characters."""
    value: str
    line: int
    """Line of the tag, from 1."""


_ANCHORS = frozenset(
    ("qx", "md", "sv", "mb", "an", "pc", "mc", "pg", "nt", "at", "ah", "rh", "pn", "vg", "rs", "ob")
)
"""Tags at which reading takes hold again. Those that are also cards (``st``, ``sa``, ``sk``) are not here."""

_KNOWN = _ANCHORS | frozenset(
    (
        "st",
        "mp",
        "pw",
        "bn",
        "sa",
        "sk",
        "ht",
        "bt",
        "mn",
        "tu",
        "fp",
        "fg",
        "fh",
        "fb",
        "fm",
        "ff",
        "cp",
        "cr",
        "cg",
        "cb",
        "cs",
        "pf",
        "up",
        "em",
        "va",
    )
)

FREE_TEXT = frozenset({"nt", "at", "an"})

_SHAPES = {
    # "xx" is x twice: written as a choice of its own, a run of x could be parted in endless ways.
    "mb": re.compile(r"-?(?:(?:p|d|r|x|[1-7](?:nt?|[shdc]))!?)+", re.IGNORECASE),
    "pc": re.compile(r"[shdc](?:[2-9tjqka]|10)", re.IGNORECASE),
    "qx": re.compile(r"[oc]\d{1,4}(?:,[^\n]*)?", re.IGNORECASE),
    "mc": re.compile(r"\d{1,2}"),
    "sv": re.compile(r"[oneb0-]", re.IGNORECASE),
    "md": re.compile(r"[0-4][SHDC2-9TJQKAX10,]{10,}", re.IGNORECASE),
    "pg": re.compile(r""),
    "rh": re.compile(r""),
}
"""What values look like: the test for a tag that has run together with its neighbour."""


def fields_of(text: str, problems: ProblemList) -> list[Field]:
    """Every field of the file in order; each lost separator is a problem."""
    parts = text.split("|")
    fields: list[Field] = []
    line = 1
    at = 0
    # The last part has no closing separator: as a value it is dropped, as a tag it has no value.
    while at + 2 < len(parts):
        head, value = parts[at], parts[at + 1]
        here = line + head.count("\n")
        tag = head[-2:].lower()
        if tag in _KNOWN:
            swallowed = _tag_in_value(tag, value, parts[at + 2])
            kept = value[: len(value) - len(swallowed)]
            fields.append(Field(tag, kept.rstrip("\n") if swallowed else value, here))
            line = here + kept.count("\n")
            if swallowed:
                _report(problems, here, f"a separator is missing after {tag}|{kept.strip()}")
                parts[at + 1] = swallowed
            at += 1 if swallowed else 2
        elif value.strip().lower() in _ANCHORS:
            found = _run_together(head, fields[-1] if fields else None, here)
            text_lost = head.strip()
            if found is not None:
                fields.append(found)
                _report(
                    problems, here, f"a separator is missing at {text_lost}, read as {found.tag}|{found.value}"
                )
            elif text_lost:
                fields.append(Field(LOST, text_lost, here))
                _report(problems, here, f"a separator is missing at {text_lost}")
            line = here
            at += 1
        else:
            if _SHAPES["mb"].fullmatch(value) or _SHAPES["pc"].fullmatch(value):
                fields.append(Field(LOST, value, here))
                _report(problems, here, f"{head.strip()[-12:]}|{value} is no field that is known")
            line = here + value.count("\n")
            at += 2
    return fields


def _tag_in_value(tag: str, value: str, after: str) -> str:
    """The next field's tag where the value has swallowed it, with the blank space before; else nothing."""
    anchor = value[-2:].lower()
    if anchor not in _ANCHORS:
        return ""
    rest = value[:-2]
    shape = _SHAPES.get(anchor)
    if rest.rstrip(" \t").endswith("\n") or (not rest.strip() and tag not in FREE_TEXT):
        if shape is not None and (shape.fullmatch(after)):
            return value[len(rest.rstrip()) :]
        return ""
    own = _SHAPES.get(tag)
    if own is not None and rest and own.fullmatch(rest) and not own.fullmatch(value):
        return value[-2:]
    return ""


def _run_together(head: str, before: Field | None, line: int) -> Field | None:
    """The one field that text without a tag can be: ``pcsQ``, ``o33``, a value whose tag ended the last one."""
    text = head.strip().rpartition("\n")[2].strip()
    tag, value = text[:2].lower(), text[2:]
    if tag in _SHAPES and value and _SHAPES[tag].fullmatch(value):
        return Field(tag, value, line)
    if _SHAPES["qx"].fullmatch(text):
        return Field("qx", text, line)
    if before is not None:
        swallowed = _SHAPES.get(before.value[-2:].lower())
        if before.tag in FREE_TEXT and swallowed is not None and text and swallowed.fullmatch(text):
            return Field(before.value[-2:].lower(), text, line)
    return None


def _report(problems: ProblemList, line: int, text: str) -> None:
    problems.add(line, "", Reason.DAMAGED_TEXT, text[:200])
