"""Passwords hashed and compared off the event loop, few at a time.

One hash takes 64 MiB and a core for tens of milliseconds, on purpose. A crowd of them waits here for its turn
instead of taking the machine's memory and cores from a running broadcast.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from teams.members.accounts import hash_password, is_password

AT_ONCE: Final = 2
_THREADS: Final = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="passwords")


async def hashed(password: str) -> str:
    """What is stored of a password. Raises ``Refusal`` ``bad_password``."""
    return await asyncio.get_running_loop().run_in_executor(_THREADS, hash_password, password)


async def matches(stored: str | None, password: str) -> bool:
    """Whether the password is the stored one; as slow where nothing is stored."""
    return await asyncio.get_running_loop().run_in_executor(_THREADS, is_password, stored, password)
