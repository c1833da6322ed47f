"""Loops and `switch` of the source: what is no plain `for` becomes `while`, which `counted_loops` turns back where it counts."""

from typing import TYPE_CHECKING

from regrapht.transform.ir.expressions import Binary, Expression, Number, Variable, integer, mentions
from regrapht.transform.ir.idioms import negation
from regrapht.transform.ir.scope import Scope, Spent, refuse
from regrapht.transform.ir.statement_walk import leaves_own_loop
from regrapht.transform.ir.statements import (
    Break,
    Continue,
    Declare,
    For,
    If,
    Return,
    Statement,
    While,
    every,
)
from regrapht.transform.reader.effects import settled_value
from regrapht.transform.reader.exchanges import body_with_exchanges
from regrapht.transform.reader.loop_header import Header, read_header
from regrapht.transform.reader.pointers import Fork, forget_set, require_same
from regrapht.transform.reader.syntax import SyntaxNode

if TYPE_CHECKING:
    from regrapht.transform.reader.statement_reader import StatementReader

TRUE = Number("true", 1)
_CHANGES = ("update_expression", "assignment_expression")


def for_loop(reader: "StatementReader", node: SyntaxNode, scope: Scope) -> list[Statement]:
    """A `for` over one variable as it is, any other as what it stands for."""
    if not _is_plain(reader, node) or _is_kept(reader, node) or _is_iterator(reader, node, scope):
        return _taken_apart(reader, node, scope)
    line, header, places = reader.source.line(node), read_header(reader, node, scope), scope.pointers()
    reader.open_loops.append(header.variable)
    body = reader.loop_body(node, header.scope)
    forget_set(places, scope)
    if (after := scope.pointers()) != places and _even_runs(header, body) is not None:
        even = _even_runs(header, body)
        body = _in_turns(reader, node, header, body)
        require_same(places, scope, line)
        assert even is not None
        reader.fork = Fork(even=even, before=places, after=after, line=line)
    elif after != places:
        body = body_with_exchanges(reader, node, header.scope, places)
    reader.open_loops.pop()
    if header.outside is not None:
        scope.rebind(header.outside, Spent(header.outside))
    head = (header.variable, header.type, header.start, header.condition, header.step, header.advance)
    return [For(*head, body, line)]


def _in_turns(reader: "StatementReader", node: SyntaxNode, header: Header, body: list[Statement]) -> list[Statement]:
    """The body of a loop in which buffers change places: read again for every second iteration."""
    line, start = reader.source.line(node), integer(header.start)
    assert start is not None
    other = reader.loop_body(node, header.scope)
    return [If(_is_even(Variable(header.variable), start), body, other, line)]


def _is_even(value: Expression, start: int) -> Expression:
    moved = Binary("+", value, Number("1", 1)) if start % 2 else value
    return Binary("==", Binary("%", moved, Number("2", 2)), Number("0", 0))


def _even_runs(header: Header, body: list[Statement]) -> Expression | None:
    """Whether a loop runs an even number of times; None where its head does not say how often it runs."""
    start = integer(header.start)
    if header.step != 1 or start is None or start < 0 or _left_inside(body):
        return None
    match header.condition:
        case Binary("<" | "<=" as operator, Variable(name=name), bound) if name == header.variable:
            never = Binary("<=" if operator == "<" else "<", bound, header.start)
            return Binary("||", never, _is_even(bound, start + (operator == "<=")))
    return None


def _is_iterator(reader: "StatementReader", node: SyntaxNode, scope: Scope) -> bool:
    """Whether the head declares a pointer by `auto`."""
    start = node.child_by_field_name("initializer")
    if start.type != "declaration" or reader.source.text(start.child_by_field_name("type")) != "auto":
        return False
    value = start.child_by_field_name("declarator").child_by_field_name("value")
    return value is not None and reader.expressions.begins_with_pointer(value, scope)


def _is_kept(reader: "StatementReader", node: SyntaxNode) -> bool:
    """Whether a variable that the head sets, and that was declared outside, is read where no loop's head has set it."""
    start, text = node.child_by_field_name("initializer"), reader.source.text
    if start is None or start.type != "assignment_expression":
        return False
    name, around = text(start.child_by_field_name("left")), node
    while around.parent is not None and around.type not in ("function_definition", "lambda_expression"):
        around = around.parent
    return any(
        text(n) == name and _is_read(reader, n, name) for n in reader.source.walk(around) if n.type == "identifier"
    )


def _is_read(reader: "StatementReader", node: SyntaxNode, name: str) -> bool:
    """Whether an identifier reads a variable outside of all loops whose heads set it first."""
    parent = node.parent
    if parent.type in ("declaration", "init_declarator", "parameter_declaration", "pointer_declarator"):
        return bool(parent.child_by_field_name("value") == node)
    if parent.type == "assignment_expression" and parent.child_by_field_name("left") == node:
        return reader.source.text(parent.child_by_field_name("operator")) != "="
    while parent is not None:
        start = parent.child_by_field_name("initializer") if parent.type == "for_statement" else None
        if start is not None and not start.start_byte <= node.start_byte < start.end_byte:
            left = start.child_by_field_name("left") if start.type == "assignment_expression" else None
            declared = start.children_by_field_name("declarator") if start.type == "declaration" else []
            names = [left, *(one.child_by_field_name("declarator") for one in declared)]
            if any(one is not None and reader.source.text(one) == name for one in names):
                return False
        parent = parent.parent
    return True


def _is_plain(reader: "StatementReader", node: SyntaxNode) -> bool:
    """Whether the head declares or sets one variable, and only that one moves."""
    start, condition, update = (node.child_by_field_name(name) for name in ("initializer", "condition", "update"))
    if start is None or condition is None or update is None or update.type not in _CHANGES:
        return False
    if start.type == "declaration":
        declarators = start.children_by_field_name("declarator")
        if len(declarators) != 1 or declarators[0].type != "init_declarator":
            return False
        variable = declarators[0].child_by_field_name("declarator")
    elif start.type == "assignment_expression":
        variable = start.child_by_field_name("left")
    else:
        return False
    moved = update.child_by_field_name("left") or update.child_by_field_name("argument")
    inside = [part for whole in (start, condition) for part in reader.source.walk(whole) if part.type in _CHANGES]
    inside += [part for part in reader.source.walk(update) if part.type in _CHANGES]
    expected = 1 if start.type == "declaration" else 2
    return reader.source.text(moved) == reader.source.text(variable) and len(inside) == expected


def _taken_apart(reader: "StatementReader", node: SyntaxNode, scope: Scope) -> list[Statement]:
    start, condition, update = (node.child_by_field_name(name) for name in ("initializer", "condition", "update"))
    inside, line, out = scope.inner(), reader.source.line(node), []
    if start is not None:
        out = reader.statement(start, inside) if start.type == "declaration" else reader.effect(start, inside)
    before, test = reader.value(condition, inside) if condition is not None else ([], TRUE)
    body = _looped(reader, node, inside)
    advance = reader.effect(update, inside) if update is not None else []
    return [*out, *_repeated(before, test, [*body, *advance], line)]


def _looped(reader: "StatementReader", node: SyntaxNode, scope: Scope) -> list[Statement]:
    """The body of a loop of which nothing says how often it runs."""
    places = scope.pointers()
    body = reader.loop_body(node, scope)
    forget_set(places, scope)
    return body if scope.pointers() == places else body_with_exchanges(reader, node, scope, places)


def while_loop(reader: "StatementReader", node: SyntaxNode, scope: Scope) -> list[Statement]:
    """A loop with its test in front."""
    clause, line = node.child_by_field_name("condition"), reader.source.line(node)
    before, condition = reader.value(clause.child_by_field_name("value") or clause.named_children[0], scope)
    body = _looped(reader, node, scope)
    return _repeated(before, condition, body, line)


def _repeated(before: list[Statement], condition: Expression, body: list[Statement], line: int) -> list[Statement]:
    """`while (condition) body`, the condition needing `before`."""
    if not before:
        return [While(condition, body, line)]
    counted = settled_value(before, condition)
    if counted is not None and not counted[0] and not _left_inside(body):
        _, test, change = counted  # while (n-- > 0): the last test counts too
        if not any(isinstance(s, Declare) and mentions(test, Variable(s.name)) for s in before):
            return [While(test, [change, *body], line), change]
    return [While(TRUE, [*before, If(negation(condition), [Break(line)], [], line), *body], line)]


def _left_inside(body: list[Statement]) -> bool:
    return leaves_own_loop(body, Break) or any(isinstance(statement, Return) for statement in every(body))


def do_loop(reader: "StatementReader", node: SyntaxNode, scope: Scope) -> list[Statement]:
    """A loop with its test behind; `do { ... } while (0)` is its body."""
    line, body = reader.source.line(node), _looped(reader, node, scope)
    before, condition = reader.value(node.child_by_field_name("condition"), scope)
    once = isinstance(condition, Number) and condition.value == 0
    if once and not leaves_own_loop(body, Break):
        return body
    return [While(TRUE, [*body, *before, If(negation(condition), [Break(line)], [], line)], line)]


def switch(reader: "StatementReader", node: SyntaxNode, scope: Scope) -> list[Statement]:
    """A chain of conditions; every case ends in `break` or `return`.

    Raises:
        CannotTransform: One runs on into the next.
    """
    line, clause = reader.source.line(node), node.child_by_field_name("condition")
    before, value = reader.value(clause.child_by_field_name("value") or clause.named_children[0], scope)
    name = reader.names.unique("switched")
    reader.types[name] = reader.type_of(value, line)
    out: list[Statement] = [*before, Declare(reader.types[name], name, value, line)]
    cases = [child for child in node.child_by_field_name("body").named_children if child.type == "case_statement"]
    labels: list[Expression | None] = []
    branches: list[tuple[list[Expression | None], list[Statement]]] = []
    for position, case in enumerate(cases):
        label = case.child_by_field_name("value")
        labels.append(None if label is None else reader.expressions.read(label, scope))
        inside = scope.inner()
        parts = [part for part in case.named_children if label is None or part.id != label.id]
        body = [s for part in parts for s in reader.statement(part, inside)]
        if not body and position < len(cases) - 1:
            continue
        if body and isinstance(body[-1], Break):
            body = body[:-1]
        elif position < len(cases) - 1 and not isinstance(body[-1], Return | Continue):
            raise refuse("a case runs on into the next", reader.source.line(case), "end each with 'break'")
        if leaves_own_loop(body, Break):
            raise refuse("'break' in the middle of a case", reader.source.line(case), "turn it into a condition")
        branches.append((labels, body))
        labels = []
    return [*out, *_chain(Variable(name), branches, line)]


def _chain(
    value: Variable, branches: list[tuple[list[Expression | None], list[Statement]]], line: int
) -> list[Statement]:
    otherwise = next((body for labels, body in branches if None in labels), [])
    for labels, body in reversed(branches):
        if None in labels:
            continue
        condition: Expression | None = None
        for label in labels:
            assert label is not None
            test = Binary("==", value, label)
            condition = test if condition is None else Binary("||", condition, test)
        assert condition is not None
        otherwise = [If(condition, body, otherwise, line)]
    return otherwise
