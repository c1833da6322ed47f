"""Records out of JSON by the hundred thousand: as `records.encoding.from_plain`, some ten times as fast.

A record whose fields are texts, whole numbers, numbers and lists of texts is checked by the types of its values alone. Whatever does not
look exactly as it should goes the slow way, which says what is wrong with it.
"""

import types
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from regrapht.errors import SchemaError
from regrapht.records.encoding import from_plain

Record = TypeVar("Record")
Fill = Callable[[Any, Any], None]


def bulk_reader(cls: type[Record], *, given: tuple[str, ...] = ()) -> Callable[..., Record]:
    """A function `(plain, where, index, *given)` that makes a `cls` of a JSON object: of item `index` of the list at `where`.

    Args:
        cls: A frozen dataclass with slots whose fields are of the kinds above, or optional ones of these.
        given: Fields that the caller hands over ready made, and that the JSON object does not hold.
    """
    hints = get_type_hints(cls)
    kinds = {field.name: _json_kinds(hints[field.name]) for field in fields(cls) if field.name not in given}  # type: ignore[arg-type]
    ready_made = [_fill(cls, name, hints[name], is_list=False) for name in given]
    check = getattr(cls, "__post_init__", None)
    known: dict[tuple[tuple[str, ...], tuple[type, ...]], tuple[Fill, ...]] = {}
    """How to fill a record from an object of these names and types: a graph has a few shapes of record, and each is looked at once."""

    def learnt(shape: tuple[tuple[str, ...], tuple[type, ...]]) -> tuple[Fill, ...]:
        names, found = shape
        if set(names) != kinds.keys() or not all(one in kinds[name] for name, one in zip(names, found, strict=True)):
            return ()
        own = [_fill(cls, name, hints[name], is_list=one is list) for name, one in zip(names, found, strict=True)]
        known[shape] = (*ready_made, *own)
        return known[shape]

    def read(plain: Any, where: str, index: int, *ready: Any) -> Record:
        if type(plain) is dict:
            values = plain.values()
            shape = (tuple(plain), tuple(map(type, values)))
            if fills := known.get(shape) or learnt(shape):
                # A frozen record's own constructor sets each field by its name, which takes twice as long.
                record = object.__new__(cls)
                try:
                    for fill, value in zip(fills, (*ready, *values), strict=True):
                        fill(record, value)
                    if check is not None:
                        check(record)
                    return record
                except (ValueError, TypeError):
                    pass  # a value that the record refuses: the slow way names it
        return _explain(cls, plain, f"{where}[{index}]", dict(zip(given, ready, strict=True)))

    return read


def _fill(cls: type, name: str, hint: Any, *, is_list: bool) -> Fill:
    """Sets the field `name` of a record of `cls`, whose fields are slots, to a value out of JSON."""
    put: Fill = cls.__dict__[name].__set__
    if not is_list:
        return put
    allowed = _item_kinds(hint)

    def put_list(record: Any, items: list[Any]) -> None:
        put(record, _as_tuple(items, allowed))

    return put_list


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
