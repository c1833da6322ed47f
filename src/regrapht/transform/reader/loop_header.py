"""The head of a `for` loop: variable, start, condition and constant step."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from regrapht.transform.ir.expressions import Binary, Expression, Unary, Variable, integer
from regrapht.transform.ir.scalar_types import is_integer
from regrapht.transform.ir.scope import Scope, refuse
from regrapht.transform.ir.statements import Assign, Update
from regrapht.transform.reader.syntax import SyntaxNode

if TYPE_CHECKING:
    from regrapht.transform.reader.statement_reader import StatementReader


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """`outside` names a variable that was declared before the loop and is spent after it."""

    variable: str
    type: str
    start: Expression
    condition: Expression
    step: int | None
    advance: Assign | Update
    scope: Scope
    outside: str | None


def read_header(reader: "StatementReader", node: SyntaxNode, scope: Scope) -> Header:
    """The head of the loop at `node`.

    Raises:
        CannotTransform: It has no variable with a start, or no condition.
    """
    line, text = reader.source.line(node), reader.source.text
    initializer, condition = node.child_by_field_name("initializer"), node.child_by_field_name("condition")
    inside, remedy = scope.inner(), "write it as for (int i = start; i < end; ++i)"
    if initializer is None or condition is None or node.child_by_field_name("update") is None:
        raise refuse("a loop without start, condition or step", line, remedy)
    outside = None
    if initializer.type == "declaration":
        declarators = initializer.children_by_field_name("declarator")
        if len(declarators) != 1 or declarators[0].type != "init_declarator":
            raise refuse("a loop with several variables, or one without a start", line, remedy)
        written, first = (declarators[0].child_by_field_name(name) for name in ("declarator", "value"))
        type_name = reader._declared_type(initializer, first, scope, text(written))
    elif initializer.type == "assignment_expression":
        written, first = (initializer.child_by_field_name(name) for name in ("left", "right"))
        outside = text(written)
        found = scope.find(outside)
        known = reader.types.get(getattr(found, "name", ""))
        type_name = known or "int"
    else:
        raise refuse(f"the start '{text(initializer)}' of a loop", line, remedy)
    if written.type != "identifier" or not is_integer(type_name):
        raise refuse(f"'{text(written)}' counts a loop", line, "count in an integer")
    start = reader.expressions.read(first, scope)
    variable = reader.declare_loop(text(written), type_name, inside)
    advance = _advance(reader, node.child_by_field_name("update"), variable, inside)
    return Header(
        variable=variable,
        type=type_name,
        start=start,
        condition=reader.expressions.read(condition, inside),
        step=_step(advance),
        advance=advance,
        scope=inside,
        outside=outside,
    )


def _advance(reader: "StatementReader", node: SyntaxNode, variable: str, scope: Scope) -> Assign | Update:
    effects = reader.effect(node, scope)
    if len(effects) != 1 or not isinstance(effects[0], Assign | Update) or effects[0].target != Variable(variable):
        raise refuse("a loop's step changes something else than its variable", reader.source.line(node))
    return effects[0]


def _step(advance: Assign | Update) -> int | None:
    """The constant that a loop adds to its variable; None when it does something else."""
    if isinstance(advance, Update):
        return (integer(advance.value) or None) if advance.operator == "+" else None
    value = advance.value
    if isinstance(value, Binary) and value.operator == "-" and value.left == advance.target:
        return integer(Unary("-", value.right)) or None
    return None
