"""Records to JSON and back, driven by the records' own annotations.

Strict in both directions: no NaN or infinity in the text, no unknown and no missing key, no newer schema. Floats survive exactly.
"""

import json
import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from regrapht.errors import SchemaError
from regrapht.records.expression import Expression

Record = TypeVar("Record")
MAX_BYTES = 256 * 1024 * 1024
MAX_DEPTH = 100


def to_json(record: object) -> str:
    """The canonical JSON text of a record: sorted keys, no spaces, finite numbers only."""
    return json.dumps(to_plain(record), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def from_json(cls: type[Record], text: str | bytes) -> Record:
    """The record of type `cls` that `text` holds.

    Raises:
        SchemaError: The text is no strict JSON, too large, too deep, of a newer schema, or does not describe a `cls`.
    """
    return from_plain(cls, parse_strict(text))


def parse_strict(text: str | bytes) -> Any:
    """Parse JSON, refusing NaN, infinities, duplicate keys, lone surrogates, and what is too large or too deep.

    Raises:
        SchemaError: As above; the message says which.
    """
    if len(text) > MAX_BYTES:
        raise SchemaError(f"JSON of {len(text)} bytes; the limit is {MAX_BYTES}")
    plain = parse_trusted(text)
    try:
        json.dumps(plain, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as error:
        raise SchemaError(f"not strict JSON: {error}") from error
    if _depth(plain) > MAX_DEPTH:
        raise SchemaError(f"JSON nested deeper than {MAX_DEPTH}")
    return plain


def parse_trusted(text: str | bytes) -> Any:
    """The same without looking for lone surrogates, size and depth, for text whose hash says that we wrote it.

    Raises:
        SchemaError: No JSON, NaN, an infinity, or a duplicate key.
    """
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        return json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        raise SchemaError(f"not strict JSON: {error}") from error


def to_plain(value: object) -> Any:
    """The value as dicts, lists, strings, numbers, booleans and None."""
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Expression):
        return {"expression": value.text}
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(to_plain(item) for item in value)
    if isinstance(value, tuple | list):
        return [to_plain(item) for item in value]
    raise TypeError(f"{type(value).__name__} is not part of a record")


def from_plain(cls: Any, plain: Any, where: str = "$") -> Any:
    """The inverse of `to_plain` for a value annotated as `cls`.

    Raises:
        SchemaError: `plain` does not fit; the message names the place as a path from `$`.
    """
    origin = get_origin(cls)
    if cls in (Any, object):
        return _free(plain)
    if origin in (Union, types.UnionType):
        return _from_union(get_args(cls), plain, where)
    if origin is tuple:
        return _from_tuple(get_args(cls), plain, where)
    if origin is frozenset:
        return frozenset(from_plain(get_args(cls)[0], item, where) for item in _expect(list, plain, where))
    if origin is not None and issubclass(origin, Mapping):
        item = get_args(cls)[1]
        return {key: from_plain(item, value, f"{where}.{key}") for key, value in _expect(dict, plain, where).items()}
    if cls is Expression:
        return _guard(lambda: Expression(_expect(dict, plain, where)["expression"]), where)
    if isinstance(cls, type) and issubclass(cls, Enum):
        return _guard(lambda: cls(plain), where)
    if cls is Path:
        return Path(from_plain(str, plain, where))
    if isinstance(cls, type) and is_dataclass(cls):
        return _from_record(cls, _expect(dict, plain, where), where)
    if cls is float:
        if isinstance(plain, bool) or not isinstance(plain, int | float):
            raise SchemaError(f"{where}: expected a number, found {plain!r:.60}")
        return _guard(lambda: float(plain), where)
    if cls is type(None):
        cls = types.NoneType
    if type(plain) is not cls:
        raise SchemaError(f"{where}: expected {cls.__name__}, found {plain!r:.60}")
    return plain


def _from_record(cls: type, plain: dict[str, Any], where: str) -> Any:
    newest = getattr(_module_of(cls), "SCHEMA_VERSION", None)
    version = plain.get("schema_version")
    if newest is not None and version is not None and version != newest:
        raise SchemaError(f"{where}: {cls.__name__} of schema {version}; this regrapht reads {newest}: upgrade it")
    hints = _hints(cls)
    known = {f.name: f for f in fields(cls) if f.init}
    if unknown := set(plain) - set(known):
        raise SchemaError(f"{where}: {cls.__name__} has no {', '.join(sorted(unknown))}")
    missing = [n for n, f in known.items() if n not in plain and f.default is MISSING and f.default_factory is MISSING]
    if missing:
        raise SchemaError(f"{where}: {cls.__name__} lacks {', '.join(missing)}")
    values = {name: from_plain(hints[name], plain[name], f"{where}.{name}") for name in plain}
    return _guard(lambda: cls(**values), where)


def _from_union(options: tuple[Any, ...], plain: Any, where: str) -> Any:
    if plain is None and type(None) in options:
        return None
    reasons = []
    for option in (option for option in options if option is not type(None)):
        try:
            return from_plain(option, plain, where)
        except SchemaError as error:
            reasons.append(str(error))
    raise SchemaError("; or ".join(reasons) or f"{where}: unexpected null")


def _from_tuple(arguments: tuple[Any, ...], plain: Any, where: str) -> tuple[Any, ...]:
    items = _expect(list, plain, where)
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return tuple(from_plain(arguments[0], item, f"{where}[{i}]") for i, item in enumerate(items))
    if len(items) != len(arguments):
        raise SchemaError(f"{where}: expected {len(arguments)} items, found {len(items)}")
    return tuple(from_plain(a, item, f"{where}[{i}]") for i, (a, item) in enumerate(zip(arguments, items, strict=True)))


def _free(plain: Any) -> Any:
    """A value that no annotation narrows: an expression, a tuple, a mapping or a scalar."""
    if isinstance(plain, dict):
        if set(plain) == {"expression"}:
            return Expression(plain["expression"])
        return {key: _free(value) for key, value in plain.items()}
    if isinstance(plain, list):
        return tuple(_free(item) for item in plain)
    return plain


@cache
def _hints(cls: type) -> dict[str, Any]:
    return get_type_hints(cls)


def _module_of(cls: type) -> Any:
    import sys

    return sys.modules[cls.__module__]


def _expect(kind: type, plain: Any, where: str) -> Any:
    if not isinstance(plain, kind):
        raise SchemaError(f"{where}: expected {'a list' if kind is list else 'an object'}, found {plain!r:.60}")
    return plain


def _guard(make: Any, where: str) -> Any:
    try:
        return make()
    except (ValueError, TypeError, KeyError, OverflowError) as error:
        raise SchemaError(f"{where}: {error}") from error


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number in JSON")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("an object has one key twice")
    return found


def _depth(plain: Any) -> int:
    deepest, level = 0, [plain]
    while level:
        deepest += 1
        if deepest > MAX_DEPTH:
            break
        level = [
            inner
            for item in level
            if isinstance(item, dict | list)
            for inner in (item.values() if isinstance(item, dict) else item)
        ]
    return deepest
