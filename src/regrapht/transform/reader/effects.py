"""What expressions do besides having a value (`x[used++]`, `*p++`, calls that are written out): statements before or behind their own."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from regrapht.transform.ir.expressions import (
    Binary,
    Conditional,
    Expression,
    Number,
    Unary,
    Variable,
    rewrite,
)
from regrapht.transform.ir.scope import Pointer, Scope, refuse
from regrapht.transform.ir.statement_walk import mentions_variable, rewritten
from regrapht.transform.ir.statements import Assign, Declare, If, Statement, Update
from regrapht.transform.reader.syntax import SyntaxNode

if TYPE_CHECKING:
    from regrapht.transform.reader.statement_reader import StatementReader

Result = TypeVar("Result")
ZERO, ONE = Number("0", 0), Number("1", 1)


@dataclass(slots=True)
class Effects:
    """Collects the effects of the expression that is being read, in the order in which C++ takes them."""

    reader: "StatementReader"
    pending: list[Statement] | None = None

    def gathered(self, read: Callable[[], Result]) -> tuple[list[Statement], Result]:
        """What `read` returns, and the statements that must run before its expressions are used."""
        outer, self.pending = self.pending, []
        try:
            result = read()
            return self.pending, result
        finally:
            self.pending = outer

    def in_order(self, reads: list[Callable[[], Expression]], line: int) -> tuple[list[Statement], list[Expression]]:
        """Expressions of which each is evaluated before the next one begins, as in a list of values, and what must run before them."""
        before: list[Statement] = []
        values: list[Expression] = []
        for read in reads:
            first, value = self.gathered(read)
            if first:
                before += [one for place in range(len(values)) for one in self._frozen(values, place, line)]
            before += first
            values.append(value)
        return before, values

    def _frozen(self, values: list[Expression], place: int, line: int) -> list[Statement]:
        """A local that keeps a value of a list, unless nothing can change it."""
        value = values[place]
        if isinstance(value, Number) or (isinstance(value, Variable) and value.name not in self.reader.mutable):
            return []
        name = self.reader.names.unique("holds")
        self.reader.types[name] = self.reader.type_of(value, line)
        values[place] = Variable(name)
        return [Declare(self.reader.types[name], name, value, line)]

    def add(self, statements: list[Statement], node: SyntaxNode) -> None:
        """Note effects of a part of the expression.

        Raises:
            CannotTransform: No statement is being read that they could stand before.
        """
        if not statements:
            return
        if self.pending is None:
            text, line = self.reader.source.text(node), self.reader.source.line(node)
            if node.type == "call_expression":
                raise refuse(
                    f"'{text}' needs statements where none can stand", line, "keep its value in a variable before"
                )
            raise refuse(f"'{text}' changes something inside an expression", line)
        self.pending += statements

    def increment(self, node: SyntaxNode, scope: Scope) -> Expression | Pointer:
        """`v++` and the like: its value, the change being noted."""
        source, argument = self.reader.source, node.child_by_field_name("argument")
        text, line = source.text(node), source.line(node)
        place = self.reader.expressions.pointer(argument, scope)
        is_pointer = place is not None and source.text(argument).strip("()").isidentifier()
        target = self.reader.target(argument, scope)
        step = ONE if "++" in text else Unary("-", ONE)
        change = Update(target, "+", step, line)
        if text.startswith(("++", "--")):
            self.add([change], node)
            value: Expression = target
        else:
            value = self._kept(target, line, node)
            self.add([change], node)
        if is_pointer:
            assert place is not None
            return Pointer(place.array, place.rank, place.prefix, value)
        return value

    def assigned(self, node: SyntaxNode, scope: Scope) -> Expression:
        """`(x = y)` inside an expression: the target, the assignment being noted."""
        self.add(self.reader.effect(node, scope), node)
        return self.reader.target(node.child_by_field_name("left"), scope)

    def both(self, operator: str, left: Expression, read: Callable[[], Expression], node: SyntaxNode) -> Expression:
        """`left && right` or `left || right`, where the right side may have effects: they only happen if it is evaluated."""
        before, right = self.gathered(read)
        if not before:
            if (
                isinstance(right, Number)
                and right.text in ("true", "false")
                and bool(right.value) == (operator == "&&")
            ):
                return left
            return Binary(operator, left, right)
        line = self.reader.source.line(node)
        taken = self._declared("bool", left, line, node)
        decide: list[Statement] = [*before, Assign(taken, right, line)]
        condition: Expression = taken if operator == "&&" else Unary("!", taken)
        self.add([If(condition, decide, [], line)], node)
        return taken

    def chosen(
        self,
        condition: Expression,
        reads: tuple[Callable[[], Expression], Callable[[], Expression]],
        node: SyntaxNode,
    ) -> Expression:
        """`condition ? a : b`, where each side may have effects of its own."""
        (before_then, then), (before_else, otherwise) = (self.gathered(read) for read in reads)
        if not before_then and not before_else:
            return Conditional(condition, then, otherwise)
        line = self.reader.source.line(node)
        result = self._declared(
            self.reader.type_of(Conditional(condition, then, otherwise), line), None, line, node, name="chosen"
        )
        taken: list[Statement] = [*before_then, Assign(result, then, line)]
        other: list[Statement] = [*before_else, Assign(result, otherwise, line)]
        self.add([If(condition, taken, other, line)], node)
        return result

    def _kept(self, target: Expression, line: int, node: SyntaxNode) -> Variable:
        return self._declared(self.reader.type_of(target, line), target, line, node, name="before")

    def _declared(
        self, type_name: str, value: Expression | None, line: int, node: SyntaxNode, *, name: str = "holds"
    ) -> Variable:
        chosen = self.reader.names.unique(name)
        self.reader.types[chosen] = type_name
        self.add([Declare(type_name, chosen, value, line)], node)
        return Variable(chosen)


def settled(before: list[Statement], last: list[Statement]) -> list[Statement]:
    """The effects with the statement that they belong to: a change behind it where it only needs the old value."""
    if len(last) != 1 or not isinstance(last[0], Assign | Update | Declare):
        return [*before, *last]
    front, statement = list(before), last[0]
    behind: list[Statement] = []
    while len(front) >= 2:
        kept, change = front[-2:]
        if not isinstance(kept, Declare) or not isinstance(change, Update) or kept.value != change.target:
            break
        old, target = Variable(kept.name), change.target
        if not isinstance(target, Variable) or mentions_variable([statement, *behind], target.name):
            break

        def back(part: Expression, old: Variable = old, target: Variable = target) -> Expression | None:
            return target if part == old else None

        (moved,) = rewritten([statement], back)
        assert isinstance(moved, Assign | Update | Declare)
        statement = moved
        behind.insert(0, change)
        front = front[:-2]
    return [*front, statement, *behind]


def settled_value(before: list[Statement], value: Expression) -> tuple[list[Statement], Expression, Update] | None:
    """For a condition such as `n-- > 0`: the effects before it, itself over the old value, the change. None for other effects."""
    if len(before) < 2:
        return None
    kept, change = before[-2:]
    if not isinstance(kept, Declare) or not isinstance(change, Update) or kept.value != change.target:
        return None
    old = Variable(kept.name)
    condition = rewrite(value, lambda part: kept.value if part == old else None)
    return before[:-2], condition, change
