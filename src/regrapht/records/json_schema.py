"""A record's JSON as a JSON Schema, from its annotations: what `encoding.to_json` writes, said for programs in other languages."""

import ast
import inspect
import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any, Union, get_args, get_origin, get_type_hints

from regrapht.records.expression import Expression

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_EXPRESSION = {
    "type": "object",
    "properties": {"expression": {"type": "string"}},
    "required": ["expression"],
    "additionalProperties": False,
}


def json_schema(record: type) -> dict[str, Any]:
    """The schema of one record, with those that it holds under `$defs`. Descriptions are the docstrings."""
    defined: dict[str, Any] = {}
    schema = _of(record, defined)
    return {"$schema": DIALECT, "title": record.__name__, **schema, "$defs": dict(sorted(defined.items()))}


def _of(kind: Any, defined: dict[str, Any]) -> dict[str, Any]:
    origin, inner = get_origin(kind), get_args(kind)
    if kind in (Any, object):
        return {}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_of(one, defined) for one in inner]}
    if kind is type(None):
        return {"type": "null"}
    if origin is tuple and len(inner) == 2 and inner[1] is Ellipsis:
        return {"type": "array", "items": _of(inner[0], defined)}
    if origin is tuple:
        each = [_of(one, defined) for one in inner]
        return {"type": "array", "prefixItems": each, "items": False, "minItems": len(each)}
    if origin is frozenset:
        return {"type": "array", "items": _of(inner[0], defined), "uniqueItems": True}
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _of(inner[1], defined)}
    if kind is Expression:
        return _EXPRESSION
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"enum": [member.value for member in kind]}
    if isinstance(kind, type) and is_dataclass(kind):
        return _reference(kind, defined)
    return {"type": {str: "string", Path: "string", int: "integer", float: "number", bool: "boolean"}[kind]}


def _reference(record: type, defined: dict[str, Any]) -> dict[str, Any]:
    name = record.__name__
    if name not in defined:
        defined[name] = {}  # held by itself, as a loop of bodies is
        hints, said = get_type_hints(record), _described(record)
        known = [one for one in fields(record) if one.init]
        defined[name] = {
            "type": "object",
            "description": inspect.cleandoc(record.__doc__ or ""),
            "properties": {
                one.name: _of(hints[one.name], defined) | ({"description": said[one.name]} if one.name in said else {})
                for one in known
            },
            "required": [one.name for one in known if one.default is MISSING and one.default_factory is MISSING],
            "additionalProperties": False,
        }
    return {"$ref": f"#/$defs/{name}"}


@cache
def _described(record: type) -> Mapping[str, str]:
    """The text below each field."""
    body = ast.parse(dedent(inspect.getsource(record))).body[0]
    assert isinstance(body, ast.ClassDef)
    found = {}
    for field, text in zip(body.body, body.body[1:], strict=False):
        is_text = (
            isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant) and isinstance(text.value.value, str)
        )
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and is_text:
            found[field.target.id] = " ".join(text.value.value.split())  # type: ignore[attr-defined]
    return found
