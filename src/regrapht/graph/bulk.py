"""Records out of JSON by the hundred thousand: as `records.encoding.from_plain`, some ten times as fast.

A record whose fields are texts, whole numbers, numbers and lists of texts is checked by the types of its values alone. Whatever does not
look exactly as it should goes the slow way, which says what is wrong with it.
"""

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from regrapht.errors import SchemaError
from regrapht.records.encoding import from_plain

Record = TypeVar("Record")
_NONE = type(None)


def bulk_reader(cls: type[Record], *, given: frozenset[str] = frozenset()) -> Callable[..., Record]:
    """A function `(plain, where, **given)` that makes a `cls` of a JSON object.

    Args:
        cls: A record whose fields are of the kinds above, or optional ones of these.
        given: Fields that the caller hands over ready made, and that the JSON object does not hold.
    """
    hints = get_type_hints(cls)
    own = [field for field in fields(cls) if field.init and field.name not in given]  # type: ignore[arg-type]
    kinds = {field.name: _json_kinds(hints[field.name]) for field in own}
    required = {field.name for field in own if field.default is MISSING and field.default_factory is MISSING}
    lists = {name: _item_kinds(hints[name]) for name, allowed in kinds.items() if list in allowed}

    known: set[tuple[tuple[str, ...], tuple[type, ...]]] = set()
    """Names and types of the objects that were found right: a graph has a few shapes of record, and each is looked at once."""

    def is_right(plain: dict[str, Any]) -> bool:
        shape = (tuple(plain), tuple(map(type, plain.values())))
        if shape in known:
            return True
        if not (plain.keys() >= required and plain.keys() <= kinds.keys()):
            return False
        if not all(type(value) in kinds[name] for name, value in plain.items()):
            return False
        known.add(shape)
        return True

    def read(plain: Any, where: str, **ready: Any) -> Record:
        if type(plain) is dict and is_right(plain):
            try:
                if not lists:
                    return cls(**plain, **ready)
                values = dict(plain)
                for name, allowed in lists.items():
                    if type(values.get(name)) is list:
                        values[name] = _as_tuple(values[name], allowed)
                return cls(**values, **ready)
            except (ValueError, TypeError):
                pass  # a value that the record refuses: the slow way names it
        return _explain(cls, plain, where, ready)

    return read


def _explain(cls: type[Record], plain: Any, where: str, ready: Mapping[str, Any]) -> Record:
    """The slow way; the fields that were ready made are put back into JSON's form."""
    from regrapht.records.encoding import to_plain

    if type(plain) is not dict:
        raise SchemaError(f"{where}: expected an object, found {plain!r:.60}")
    made: Record = from_plain(cls, {**plain, **{name: to_plain(value) for name, value in ready.items()}}, where)
    return made


def _as_tuple(items: list[Any], allowed: frozenset[type]) -> tuple[Any, ...]:
    if not allowed.issuperset(map(type, items)):
        raise TypeError("a list of something else")
    return tuple(items)


def _json_kinds(hint: Any) -> frozenset[type]:
    """The types, as JSON is parsed, that need no conversion but from list to tuple. Whole numbers for a float go the slow way."""
    options = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    return frozenset(list if get_origin(option) is tuple else option for option in options)


def _item_kinds(hint: Any) -> frozenset[type]:
    """The types of the items of a `tuple[X, ...]`, alone or optional."""
    options = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    (listed,) = (option for option in options if get_origin(option) is tuple)
    return _json_kinds(get_args(listed)[0])
