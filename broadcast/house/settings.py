"""What a house is told from outside: by options of the command line, or by names in the environment.

``TWINROOM_DATA TWINROOM_HOST TWINROOM_PORT TWINROOM_ORIGIN``. An option goes before the environment.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

DATABASE = "twinroom.sqlite3"
"""The database's name in the data directory."""
SOCKET = "control.sock"
"""The local socket's name in the data directory."""


@dataclass(frozen=True, slots=True)
class Settings:
    data: Path = Path("data")
    host: str = "127.0.0.1"
    port: int = 8000
    origin: str | None = None
    """The public address; by default ``http://host:port``."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        return cls(
            Path(environment.get("TWINROOM_DATA", "data")),
            environment.get("TWINROOM_HOST", "127.0.0.1"),
            int(environment.get("TWINROOM_PORT", "8000")),
            environment.get("TWINROOM_ORIGIN"),
        )

    @property
    def database(self) -> Path:
        return self.data / DATABASE

    @property
    def socket(self) -> Path:
        return self.data / SOCKET

    @property
    def public_origin(self) -> str:
        """The public address without a slash at the end."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return (self.origin or f"http://{host}:{self.port}").rstrip("/")
