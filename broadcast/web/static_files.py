"""Styles and scripts, served under an address that changes with their content.

ES modules import each other by relative address, so a version in a query would be lost after the first
import. The version is therefore a folder: ``/static/3f9ac1d2/js/match.js`` imports
``/static/3f9ac1d2/js/fold.js``. It is a hash of the whole tree; a browser may keep what it got for ever, and
after an update asks for new addresses.
"""

import hashlib
from functools import cache
from pathlib import Path

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

SCRIPT_POLICY = "default-src 'self'; frame-ancestors 'none'"
"""A worker obeys the policy of its own script, not that of the page: it has to import and to open streams."""
OFFLINE_WORKER = "js/operate/offline.js"
"""A service worker: it may look after the operator's pages, which stand above its own address."""
STATIC_DIRECTORY = Path(__file__).resolve().parent / "static"


@cache
def static_version() -> str:
    """Eight hexadecimal digits that change when any static file changes; read once per process."""
    digest = hashlib.sha256()
    for path in sorted(STATIC_DIRECTORY.rglob("*")):
        if path.is_file():
            digest.update(path.relative_to(STATIC_DIRECTORY).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:8]


def static_address(path: str) -> str:
    """The address of one static file, like ``css/site.css``; raises FileNotFoundError for one that is not
    there.
    """
    if not (STATIC_DIRECTORY / path).is_file():
        raise FileNotFoundError(path)
    return f"/static/{static_version()}/{path}"


class VersionedStaticFiles(StaticFiles):
    """Serves ``<version>/<path>``; only the present version may be kept by browsers."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        version, _, rest = path.partition("/")
        response = await super().get_response(rest, scope)
        if response.status_code in (200, 304):
            kept = version == static_version()
            response.headers["cache-control"] = "public, max-age=31536000, immutable" if kept else "no-cache"
        response.headers["x-content-type-options"] = "nosniff"
        if rest == OFFLINE_WORKER:
            response.headers["service-worker-allowed"] = "/operate/"
        if rest.endswith(".js"):
            response.headers["content-security-policy"] = SCRIPT_POLICY
            # Modules are asked for as data: by other sites that frame us, and by frames without an origin.
            response.headers["access-control-allow-origin"] = "*"
            response.headers["cross-origin-resource-policy"] = "cross-origin"
        return response


def static_app() -> VersionedStaticFiles:
    """The application to mount at ``/static``."""
    return VersionedStaticFiles(directory=STATIC_DIRECTORY)
