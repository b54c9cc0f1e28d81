"""Short words for JSON Schema (2020-12), which OpenAPI 3.1 uses as it is.

An object's members are all listed and, unless said otherwise, all there. More may come in later versions, so
that nothing is said against members which are not listed; tests are stricter.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

Schema = dict[str, Any]

STRING: Schema = {"type": "string"}
INTEGER: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
BOOLEAN: Schema = {"type": "boolean"}
AT: Schema = {"type": "string", "format": "date-time", "description": "recorded time, ISO 8601 in UTC"}


def thing(members: Mapping[str, Schema], about: str = "", optional: Iterable[str] = ()) -> Schema:
    """An object. ``optional`` members may be absent."""
    left_out = set(optional)
    schema: Schema = {"type": "object", "properties": dict(members)}
    required = [name for name in members if name not in left_out]
    if required:
        schema["required"] = required
    return schema | ({"description": about} if about else {})


def several(items: Schema, about: str = "") -> Schema:
    return {"type": "array", "items": items} | ({"description": about} if about else {})


def by_key(values: Schema, about: str = "") -> Schema:
    """An object whose names are data, like ids or seats."""
    return {"type": "object", "additionalProperties": values} | ({"description": about} if about else {})


def code(codes: Iterable[str] | type[StrEnum], about: str = "") -> Schema:
    """One of these words."""
    return {"type": "string", "enum": [str(each) for each in codes]} | ({"description": about} if about else {})


def maybe(schema: Schema) -> Schema:
    """The same, or null."""
    if isinstance(schema.get("type"), str) and "enum" not in schema:
        return schema | {"type": [schema["type"], "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


def ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def about(schema: Schema, text: str) -> Schema:
    """The same with a description."""
    return {**schema, "description": text}
