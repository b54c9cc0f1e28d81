"""Forms that may bring files (multipart/form-data), from a body of bounded size; plain forms are read too."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Final

from python_multipart.exceptions import FormParserError
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request

from broadcast.web.bidi import without_controls
from broadcast.web.forms import read_form
from broadcast.web.own_site import check_own_site
from broadcast.web.problems import Problem
from broadcast.web.requests import house_of, read_body

MAX_UPLOAD: Final = 4 * 1024 * 1024
"""Largest body of a form with files, in bytes."""
MAX_FILES: Final = 4
MAX_FIELDS: Final = 4000


@dataclass(frozen=True, slots=True)
class Uploaded:
    name: str
    """As the sender's device calls it."""
    data: bytes


async def read_upload(request: Request, most: int = MAX_UPLOAD) -> tuple[dict[str, str], dict[str, Uploaded]]:
    """Fields and files by name; a file field left empty is not there.

    Raises ``Problem`` 403 for another site's form, 413, or 400 for what is no form.
    """
    content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if content_type != "multipart/form-data":
        return await read_form(request), {}
    check_own_site(request, house_of(request).origin)
    body = await read_body(request, most)

    async def stream() -> AsyncGenerator[bytes, None]:
        yield body

    fields: dict[str, str] = {}
    files: dict[str, Uploaded] = {}
    try:
        parser = MultiPartParser(
            request.headers, stream(), max_files=MAX_FILES, max_fields=MAX_FIELDS, max_part_size=most
        )
        form = await parser.parse()
        for name, value in form.multi_items():
            if isinstance(value, UploadFile):
                data = await value.read()
                if data or value.filename:
                    files[name] = Uploaded((value.filename or "")[:200], data)
            else:
                fields[name] = without_controls(value)
        await form.close()
    except (MultiPartException, FormParserError, KeyError, UnicodeDecodeError) as error:
        raise Problem(400, "bad_form", "The form could not be read: go back and send it again") from error
    return fields, files
