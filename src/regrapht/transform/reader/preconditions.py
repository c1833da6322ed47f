"""`assert(...)`: what a caller promises. It holds for every call that the task makes, and so it is left out."""

from typing import TYPE_CHECKING

from regrapht.transform.ir.math_functions import is_math
from regrapht.transform.ir.scope import refuse
from regrapht.transform.reader.syntax import SyntaxNode

if TYPE_CHECKING:
    from regrapht.transform.reader.statement_reader import StatementReader

_CHANGES = ("assignment_expression", "update_expression")


def is_assertion(name: str) -> bool:
    return name == "assert"


def require_no_effect(reader: "StatementReader", node: SyntaxNode) -> None:
    """Refuse an `assert` that does more than look: it does it only where NDEBUG is not set.

    Raises:
        CannotTransform: It changes something, or calls a function that may.
    """
    source = reader.source
    for part in source.walk(node.child_by_field_name("arguments")):
        if part.type in _CHANGES or (part.type == "call_expression" and not _only_looks(reader, part)):
            what = f"'{source.text(part)}' inside an assert may change something"
            raise refuse(what, source.line(part), "do it in a statement before the assert")


def _only_looks(reader: "StatementReader", call: SyntaxNode) -> bool:
    function = call.child_by_field_name("function")
    if function.type == "field_expression":
        return reader.source.text(function.child_by_field_name("field")) in ("size", "empty", "front", "back", "at")
    name = reader.source.text(function).removeprefix("::").removeprefix("std::")
    return is_math(name) or (name in reader.expressions.helpers and not reader.inlines(name))
