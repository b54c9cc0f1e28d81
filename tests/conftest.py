"""Fixtures every test may use.

Real records, scoring tables and vectors live beside the project in ``../shared``. Tests that read them
ask for ``shared`` and are skipped by name where the folder is absent.
"""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# Drawn examples are new at every run of a developer and always the same in CI, which lands what was tested.
settings.register_profile("steady", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("steady")

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real match files and vectors; skips the test where it is absent."""
    if not (SHARED / "data").is_dir():
        pytest.skip("../shared with real match files and vectors is not here")
    return SHARED
