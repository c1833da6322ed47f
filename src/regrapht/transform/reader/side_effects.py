"""What expressions do besides having a value (`x[used++]`, `*p++`, calls that are written out): statements before or behind their own."""

from collections.abc import Callable

from regrapht.transform.ir.expressions import ONE, Binary, Conditional, Expression, Number, Unary, Variable, rewrite
from regrapht.transform.ir.statement_walk import mentions_variable, rewritten
from regrapht.transform.ir.statements import Assign, Declare, If, Statement, Update
from regrapht.transform.reader.assignments import changed_place
from regrapht.transform.reader.context import Context
from regrapht.transform.reader.scope import Pointer, Scope
from regrapht.transform.reader.syntax import SyntaxNode


def in_order(
    context: Context, reads: list[Callable[[], Expression]], line: int
) -> tuple[list[Statement], list[Expression]]:
    """Expressions of which each is evaluated before the next one begins, as in a list of values, and what must run before them."""
    before: list[Statement] = []
    values: list[Expression] = []
    for read in reads:
        first, value = context.gathered(read)
        if first:
            before += [one for place in range(len(values)) for one in _frozen(context, values, place, line)]
        before += first
        values.append(value)
    return before, values


def _frozen(context: Context, values: list[Expression], place: int, line: int) -> list[Statement]:
    """A local that keeps a value of a list, unless nothing can change it."""
    value = values[place]
    if isinstance(value, Number) or (isinstance(value, Variable) and value.name not in context.mutable):
        return []
    name = context.fresh("holds", context.type_of(value, line))
    values[place] = Variable(name)
    return [Declare(context.types[name], name, value, line)]


def increment(context: Context, node: SyntaxNode, scope: Scope) -> Expression | Pointer:
    """`v++` and the like: its value, the change being noted."""
    source, argument = context.source, node.child_by_field_name("argument")
    text, line = source.text(node), source.line(node)
    place = context.pointer(argument, scope)
    is_pointer = place is not None and source.text(argument).strip("()").isidentifier()
    target = changed_place(context, argument, scope)
    step = ONE if "++" in text else Unary("-", ONE)
    change = Update(target, "+", step, line)
    if text.startswith(("++", "--")):
        context.add_effects([change], node)
        value: Expression = target
    else:
        value = _kept(context, target, line, node)
        context.add_effects([change], node)
    if is_pointer:
        assert place is not None
        return Pointer(place.array, place.rank, place.prefix, value)
    return value


def assigned(context: Context, node: SyntaxNode, scope: Scope) -> Expression:
    """`(x = y)` inside an expression: the target, the assignment being noted."""
    context.add_effects(context.effect(node, scope), node)
    return changed_place(context, node.child_by_field_name("left"), scope)


def both(
    context: Context, operator: str, left: Expression, read: Callable[[], Expression], node: SyntaxNode
) -> Expression:
    """`left && right` or `left || right`, where the right side may have effects: they only happen if it is evaluated."""
    before, right = context.gathered(read)
    if not before:
        if isinstance(right, Number) and right.text in ("true", "false") and bool(right.value) == (operator == "&&"):
            return left
        return Binary(operator, left, right)
    line = context.source.line(node)
    taken = _declared(context, "bool", left, line, node)
    decide: list[Statement] = [*before, Assign(taken, right, line)]
    condition: Expression = taken if operator == "&&" else Unary("!", taken)
    context.add_effects([If(condition, decide, [], line)], node)
    return taken


def conditional(
    context: Context,
    condition: Expression,
    reads: tuple[Callable[[], Expression], Callable[[], Expression]],
    node: SyntaxNode,
) -> Expression:
    """`condition ? a : b`, where each side may have effects of its own."""
    (before_then, then), (before_else, otherwise) = (context.gathered(read) for read in reads)
    if not before_then and not before_else:
        return Conditional(condition, then, otherwise)
    line = context.source.line(node)
    result = _declared(
        context, context.type_of(Conditional(condition, then, otherwise), line), None, line, node, name="chosen"
    )
    taken: list[Statement] = [*before_then, Assign(result, then, line)]
    other: list[Statement] = [*before_else, Assign(result, otherwise, line)]
    context.add_effects([If(condition, taken, other, line)], node)
    return result


def _kept(context: Context, target: Expression, line: int, node: SyntaxNode) -> Variable:
    return _declared(context, context.type_of(target, line), target, line, node, name="before")


def _declared(
    context: Context, type_name: str, value: Expression | None, line: int, node: SyntaxNode, *, name: str = "holds"
) -> Variable:
    chosen = context.fresh(name, type_name)
    context.add_effects([Declare(type_name, chosen, value, line)], node)
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
