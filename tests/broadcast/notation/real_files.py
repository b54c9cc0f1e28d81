"""Real record files, each read once for all tests of this folder."""

from functools import cache
from pathlib import Path

from broadcast.notation.lin import read_lin
from broadcast.notation.pbn import read_pbn
from broadcast.notation.records import Reading
from tests.conftest import SHARED

DATA = SHARED / "data"


def names(suffix: str) -> list[str]:
    """Addresses of the real files below ``data/<suffix>``, for parameters of tests; empty where absent."""
    folder = DATA / suffix
    return sorted(str(path.relative_to(folder)) for path in folder.rglob(f"*.{suffix}"))


def path_of(suffix: str, name: str) -> Path:
    return DATA / suffix / name


@cache
def reading_of(suffix: str, name: str) -> Reading:
    data = path_of(suffix, name).read_bytes()
    return read_lin(data) if suffix == "lin" else read_pbn(data)
