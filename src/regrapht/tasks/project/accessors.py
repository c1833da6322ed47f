"""The public methods of a class by which a user's function reaches a field that is not public."""

from collections.abc import Iterator

from regrapht.tasks.project.clang_unit import Cursor
from regrapht.tasks.project.expressions import only_return, receiver_of, through

_BEGINS = ("data", "begin", "get")


def getter_of(member: Cursor) -> str | None:
    """The public method of a field's class that returns the field and does nothing else; None where it has none."""
    for method, returned in _returning(member):
        if method.is_const_method() and _is_field(returned, member):
            return str(method.spelling)
    return None


def handed_out(member: Cursor) -> tuple[str, bool] | None:
    """The public method that gives a field to be changed, and whether a constant object has one of that name; None where there is none.

    A pointer gives what it points to.
    """
    found: dict[bool, set[str]] = {True: set(), False: set()}
    is_pointer = member.type.get_canonical().kind.name == "POINTER"
    for method, returned in _returning(member):
        kind = method.result_type.get_canonical()
        if not _is_field(returned, member) or kind.kind.name not in (
            "LVALUEREFERENCE",
            *(["POINTER"] if is_pointer else []),
        ):
            continue
        is_const = bool(method.is_const_method())
        found[is_const].add(str(method.spelling))
        if kind.kind.name == "POINTER" and is_const and not kind.get_pointee().is_const_qualified():
            found[False].add(str(method.spelling))
    return _preferred(found)


def first_element_of(member: Cursor) -> tuple[str, bool] | None:
    """The public method that gives the first element of a vector, as a pointer or an iterator; told as `handed_out` does."""
    found: dict[bool, set[str]] = {True: set(), False: set()}
    for method, returned in _returning(member):
        call = through(returned)
        if _calls(call, member, _BEGINS):
            found[bool(method.is_const_method())].add(str(method.spelling))
    return _preferred(found)


def length_of(member: Cursor) -> str | None:
    """The public method that says how long a vector is; None where there is none."""
    for method, returned in _returning(member):
        call = through(returned)
        while call.kind.name in ("CXX_STATIC_CAST_EXPR", "CXX_FUNCTIONAL_CAST_EXPR", "CSTYLE_CAST_EXPR"):
            call = through(list(call.get_children())[-1])
        if _calls(call, member, ("size",)) and method.is_const_method():
            return str(method.spelling)
    return None


def _returning(member: Cursor) -> Iterator[tuple[Cursor, Cursor]]:
    """The public methods without arguments of a field's class that only return something, and what."""
    owner = member.semantic_parent
    for method in (owner.specialized_template or owner).get_children():
        if method.kind.name != "CXX_METHOD" or method.access_specifier.name != "PUBLIC" or list(method.get_arguments()):
            continue
        returned = only_return(method)
        if returned is not None:
            yield method, returned


def _calls(call: Cursor, member: Cursor, methods: tuple[str, ...]) -> bool:
    """Whether an expression calls one of these methods of a field; in a class template, where its type is not known yet, by its text."""
    if call.kind.name != "CALL_EXPR":
        return False
    if call.spelling:
        return call.spelling in methods and _is_field(receiver_of(call), member)
    text = "".join(token.spelling for token in call.get_tokens()).removeprefix("this->")
    return text in {f"{member.spelling}.{method}()" for method in methods}


def _is_field(expression: Cursor | None, member: Cursor) -> bool:
    meant = through(expression).referenced if expression is not None else None
    return meant is not None and meant.kind.name == "FIELD_DECL" and meant.spelling == member.spelling


def _preferred(found: dict[bool, set[str]]) -> tuple[str, bool] | None:
    """Of methods of objects that are constant, or not, one that is there for both, else one for those that are not."""
    names = sorted(found[False] & found[True], key=_rank) or sorted(found[False], key=_rank)
    return (names[0], names[0] in found[True]) if names else None


def _rank(name: str) -> tuple[bool, str]:
    return name not in _BEGINS[:1], name
