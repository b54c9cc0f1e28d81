"""Another site than ours, whose pages frame us; for tests.

Another port would be the same site to a browser, so both have names of their own, which its resolver maps here.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

RESOLVER = "--host-resolver-rules=MAP *.example 127.0.0.1"
"""For chromium: every name below ``.example`` is this machine."""
SITE = "our-club.example"
HOUSE = "twinroom.example"

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Our club</title></head>
<body><main><h1>Our club</h1>
{body}
</main></body></html>"""


@dataclass
class OtherSite:
    address: str
    pages: dict[str, str] = field(default_factory=dict)

    def shows(self, body: str, path: str = "/") -> str:
        """The address of a page with this in its body."""
        self.pages[path] = _PAGE.format(body=body)
        return self.address + path


def named(address: str, name: str = HOUSE) -> str:
    """The same server by a name."""
    return f"http://{name}:{urlsplit(address).port}"


@contextmanager
def other_site() -> Iterator[OtherSite]:
    site = OtherSite("")

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = site.pages.get(self.path, "").encode()
            self.send_response(200)
            self.send_header("content-type", "text/html; charset=utf-8")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Nobody reads it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site.address = f"http://{SITE}:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield site
    server.shutdown()
    server.server_close()
    thread.join()
