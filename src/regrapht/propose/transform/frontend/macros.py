"""Macros put text in place of text: where brackets are missing, operators around take it apart, and the value is another one."""

import re
from collections.abc import Sequence

from regrapht.errors import CannotTransform
from regrapht.propose.transform.frontend.expressions import Binary, Conditional, Expression
from regrapht.propose.transform.frontend.syntax import SourceText, SyntaxNode

_LEVELS = (
    ("*", "/", "%"),
    ("+", "-"),
    ("<<", ">>"),
    ("<", "<=", ">", ">="),
    ("==", "!="),
    ("&",),
    ("^",),
    ("|",),
    ("&&", "and"),
    ("||", "or"),
    ("?",),
)
_BINDS_MOST = ("unary_expression", "cast_expression", "pointer_expression", "subscript_expression", "field_expression")


def is_taken_apart(
    body: SyntaxNode,
    source: SourceText,
    given: Sequence[tuple[str, SyntaxNode, Expression]],
    call: SyntaxNode,
    around: SourceText,
) -> bool:
    """Whether a macro's body at its call, or what it is given in its body, is not one value once it stands there as text.

    `given` are the parameters with their arguments, as written and as read.
    """
    if _parts(call, around, _level_of(body, source)):
        return True
    for name, written, value in given:
        level = None if written.type == "parenthesized_expression" else _level_of_value(value)
        places = (n for n in source.walk(body) if n.type == "identifier" and source.text(n) == name)
        if any(n != body and _parts(n, source, level) for n in places):
            return True
    return False


def falls_apart(name: str, value: SyntaxNode, own: SourceText, file: SourceText) -> bool:
    """Whether a macro's value is not one value everywhere that the file, or another of its macros, uses the name.

    What another macro's text is, where it is no expression, is not looked into: a use in it counts as one that falls apart.
    """
    level = _level_of(value, own)
    if level is None:
        return False
    if any(_parts(n, file, level) for n in file.walk() if n.type == "identifier" and file.text(n) == name):
        return True
    definitions = (n for n in file.walk() if n.type in ("preproc_def", "preproc_function_def"))
    bodies = (file.text(n.child_by_field_name("value")) for n in definitions if n.child_by_field_name("value"))
    return any(_falls_apart_in(body, name, level) for body in bodies if re.search(rf"\b{re.escape(name)}\b", body))


def _falls_apart_in(body: str, name: str, level: int) -> bool:
    try:
        text = SourceText(f"auto x = {body};")
    except CannotTransform:
        return True
    return any(_parts(n, text, level) for n in text.walk() if n.type == "identifier" and text.text(n) == name)


def _level(operator: str) -> int:
    return next(k for k, same in enumerate(_LEVELS) if operator in same)


def _level_of(node: SyntaxNode, source: SourceText) -> int | None:
    """How loosely the operator of an expression binds; None for one that holds together anywhere."""
    if node.type == "conditional_expression":
        return _level("?")
    return _level(source.text(node.child_by_field_name("operator"))) if node.type == "binary_expression" else None


def _level_of_value(value: Expression) -> int | None:
    if isinstance(value, Conditional):
        return _level("?")
    return _level(value.operator) if isinstance(value, Binary) else None


def _parts(place: SyntaxNode, source: SourceText, level: int | None) -> bool:
    """Whether the operator around a place takes apart what stands there and binds as loosely as `level`."""
    around = place.parent
    if level is None or around is None:
        return False
    if around.type in _BINDS_MOST:
        return True
    outer = _level_of(around, source)
    if outer is None:
        return False
    is_last = around.child_by_field_name("right") == place
    return level > outer or (level == outer and (is_last or around.type == "conditional_expression"))
