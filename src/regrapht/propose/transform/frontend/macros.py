"""Macros put text in place of text: where brackets are missing, operators around take it apart, and the value is another one."""

from collections.abc import Sequence

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
