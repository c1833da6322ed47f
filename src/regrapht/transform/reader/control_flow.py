"""Loops and `switch` of the source: what is no plain `for` becomes `while`, which `normalise` turns back where it counts."""

from dataclasses import dataclass

from regrapht.transform.ir.expressions import (
    ONE,
    TRUE,
    ZERO,
    Binary,
    Element,
    Expression,
    Number,
    Unary,
    Variable,
    integer,
    mentions,
    number,
)
from regrapht.transform.ir.idioms import negation
from regrapht.transform.ir.names import refuse
from regrapht.transform.ir.scalar_types import is_integer
from regrapht.transform.ir.statement_walk import leaves_own_loop
from regrapht.transform.ir.statements import (
    Assign,
    Break,
    Continue,
    Declare,
    For,
    If,
    Return,
    Statement,
    Update,
    While,
    every,
)
from regrapht.transform.reader.arguments import held_record
from regrapht.transform.reader.buffer_swaps import body_with_exchanges
from regrapht.transform.reader.context import Context, Fork
from regrapht.transform.reader.declarations import declared_type
from regrapht.transform.reader.grown_vectors import grown_vectors
from regrapht.transform.reader.pointers import begins_with_pointer, forget_set, require_same
from regrapht.transform.reader.ranges import counting
from regrapht.transform.reader.returns import without_continue
from regrapht.transform.reader.scope import Pointer, Record, Scope, Spent
from regrapht.transform.reader.side_effects import settled_value
from regrapht.transform.reader.struct_values import element_record
from regrapht.transform.reader.syntax import SyntaxNode

_CHANGES = ("update_expression", "assignment_expression")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Header:
    """`outside` names a variable that was declared before the loop and is spent after it."""

    variable: str
    type: str
    start: Expression
    condition: Expression
    step: int | None
    advance: Assign | Update
    scope: Scope
    outside: str | None


def _loop_body(context: Context, node: SyntaxNode, scope: Scope) -> list[Statement]:
    """The body of a loop statement, without `continue`."""
    return without_continue(context.block(node.child_by_field_name("body"), scope), context)


def for_loop(context: Context, node: SyntaxNode, scope: Scope) -> list[Statement]:
    """A `for` over one variable as it is, any other as what it stands for."""
    if not _is_plain(context, node) or _is_kept(context, node) or _is_iterator(context, node, scope):
        return _taken_apart(context, node, scope)
    line, header = context.source.line(node), _read_header(context, node, scope)
    memory = grown_vectors(context, node, scope, start=header.start, condition=header.condition, advance=header.advance)
    places = scope.pointers()
    context.open_loops.append(header.variable)
    body = _loop_body(context, node, header.scope)
    context.grown.clear()
    forget_set(places, scope)
    if (after := scope.pointers()) != places and _even_runs(header, body) is not None:
        even = _even_runs(header, body)
        body = _in_turns(context, node, header, body)
        require_same(places, scope, line)
        assert even is not None
        context.fork = Fork(even=even, before=places, after=after, line=line)
    elif after != places:
        body = body_with_exchanges(context, node, header.scope, places)
    context.open_loops.pop()
    if header.outside is not None:
        scope.rebind(header.outside, Spent(header.outside))
    head = (header.variable, header.type, header.start, header.condition, header.step, header.advance)
    return [*memory, For(*head, body, line)]


def _in_turns(context: Context, node: SyntaxNode, header: _Header, body: list[Statement]) -> list[Statement]:
    """The body of a loop in which buffers change places: read again for every second iteration."""
    line, start = context.source.line(node), integer(header.start)
    assert start is not None
    other = _loop_body(context, node, header.scope)
    return [If(_is_even(Variable(header.variable), start), body, other, line)]


def _is_even(value: Expression, start: int) -> Expression:
    moved = Binary("+", value, ONE) if start % 2 else value
    return Binary("==", Binary("%", moved, Number("2", 2)), ZERO)


def _even_runs(header: _Header, body: list[Statement]) -> Expression | None:
    """Whether a loop runs an even number of times; None where its head does not say how often it runs."""
    start = integer(header.start)
    if header.step != 1 or start is None or start < 0 or _left_inside(body):
        return None
    match header.condition:
        case Binary("<" | "<=" as operator, Variable(name=name), bound) if name == header.variable:
            never = Binary("<=" if operator == "<" else "<", bound, header.start)
            return Binary("||", never, _is_even(bound, start + (operator == "<=")))
    return None


def _is_iterator(context: Context, node: SyntaxNode, scope: Scope) -> bool:
    """Whether the head declares a pointer by `auto`."""
    start = node.child_by_field_name("initializer")
    if start.type != "declaration" or context.source.text(start.child_by_field_name("type")) != "auto":
        return False
    value = start.child_by_field_name("declarator").child_by_field_name("value")
    return value is not None and begins_with_pointer(context, value, scope)


def _is_kept(context: Context, node: SyntaxNode) -> bool:
    """Whether a variable that the head sets, and that was declared outside, is read where no loop's head has set it."""
    start, text = node.child_by_field_name("initializer"), context.source.text
    if start is None or start.type != "assignment_expression":
        return False
    name, around = text(start.child_by_field_name("left")), node
    while around.parent is not None and around.type not in ("function_definition", "lambda_expression"):
        around = around.parent
    return any(
        text(n) == name and _is_read(context, n, name) for n in context.source.walk(around) if n.type == "identifier"
    )


def _is_read(context: Context, node: SyntaxNode, name: str) -> bool:
    """Whether an identifier reads a variable outside of all loops whose heads set it first."""
    parent = node.parent
    if parent.type in ("declaration", "init_declarator", "parameter_declaration", "pointer_declarator"):
        return bool(parent.child_by_field_name("value") == node)
    if parent.type == "assignment_expression" and parent.child_by_field_name("left") == node:
        return context.source.text(parent.child_by_field_name("operator")) != "="
    while parent is not None:
        start = parent.child_by_field_name("initializer") if parent.type == "for_statement" else None
        if start is not None and not start.start_byte <= node.start_byte < start.end_byte:
            left = start.child_by_field_name("left") if start.type == "assignment_expression" else None
            declared = start.children_by_field_name("declarator") if start.type == "declaration" else []
            names = [left, *(one.child_by_field_name("declarator") for one in declared)]
            if any(one is not None and context.source.text(one) == name for one in names):
                return False
        parent = parent.parent
    return True


def _is_plain(context: Context, node: SyntaxNode) -> bool:
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
    inside = [part for whole in (start, condition) for part in context.source.walk(whole) if part.type in _CHANGES]
    inside += [part for part in context.source.walk(update) if part.type in _CHANGES]
    expected = 1 if start.type == "declaration" else 2
    return context.source.text(moved) == context.source.text(variable) and len(inside) == expected


def _taken_apart(context: Context, node: SyntaxNode, scope: Scope) -> list[Statement]:
    start, condition, update = (node.child_by_field_name(name) for name in ("initializer", "condition", "update"))
    inside, line, out = scope.inner(), context.source.line(node), []
    if start is not None:
        out = context.statement(start, inside) if start.type == "declaration" else context.effect(start, inside)
    before, test = context.value(condition, inside) if condition is not None else ([], TRUE)
    body = _looped(context, node, inside)
    advance = context.effect(update, inside) if update is not None else []
    return [*out, *_repeated(before, test, [*body, *advance], line)]


def _looped(context: Context, node: SyntaxNode, scope: Scope) -> list[Statement]:
    """The body of a loop of which nothing says how often it runs."""
    places = scope.pointers()
    body = _loop_body(context, node, scope)
    forget_set(places, scope)
    return body if scope.pointers() == places else body_with_exchanges(context, node, scope, places)


def range_loop(context: Context, node: SyntaxNode, scope: Scope) -> list[Statement]:
    """`for (float x : v)` over a vector or an array of constant length, as a loop that counts; over rows where that has several dimensions.

    Raises:
        CannotTransform: It goes over something else.
    """
    source, line = context.source, context.source.line(node)
    whole, declarator = node.child_by_field_name("right"), node.child_by_field_name("declarator")
    place = context.pointer(whole, scope)
    length = None if place is None else _length_of(context, place)
    if place is None or length is None:
        raise refuse(f"a loop over '{source.text(whole)}'", line, "count its elements: for (int i = 0; i < n; ++i)")
    inside = scope.inner()
    counter = context.declare_loop(context.names.unique("place"), "long long", inside)
    at = place.subscripted(Variable(counter))
    is_row = len(at.prefix) < at.rank
    element = at if is_row else Element(at.array, at.prefix)
    context.open_loops.append(counter)
    first: list[Statement] = []
    if place.width is not None and declarator.type != "reference_declarator":
        raise refuse(f"a loop over copies of the rows of '{source.text(whole)}'", line, "use a reference: auto& row")
    record = None if is_row else element_record(context, at)
    if record is not None and place.width is None:
        first = _element_of_structs(
            context,
            source.text(declarator.named_children[-1] if declarator.named_children else declarator),
            record,
            inside,
            line,
            by_reference=declarator.type == "reference_declarator",
        )
    elif declarator.type in ("reference_declarator", "pointer_declarator"):
        if declarator.type == "pointer_declarator" and not is_row:
            raise refuse(f"a loop over '{source.text(whole)}'", line, "count its elements: for (int i = 0; i < n; ++i)")
        inside.names[source.text(declarator.named_children[-1])] = element
    elif isinstance(element, Element):
        written, told = source.text(declarator), source.text(node.child_by_field_name("type"))
        kind = context.types[place.array]
        kind = kind if told == "auto" else context.type_name(told, line, f"'{written}'")
        first = [Declare(kind, context.declare(written, kind, inside), element, line)]
    else:
        inside.names[source.text(declarator)] = element  # `auto row`, which is a pointer to the row
    body = [*first, *_loop_body(context, node, inside)]
    context.open_loops.pop()
    return [counting(counter, length, body, line)]


def _element_of_structs(
    context: Context, written: str, record: Record, scope: Scope, line: int, *, by_reference: bool
) -> list[Statement]:
    """One struct of a loop over structs: another name for it, or a copy."""
    if by_reference:
        scope.names[written] = record
        return []
    declared, scope.names[written] = held_record(context, written, record, True, False, line)
    return declared


def _length_of(context: Context, place: Pointer) -> Expression | None:
    """How many elements or rows are at a place; None where that is not known, or it is not all of an array or row."""
    if place.length is not None:
        return place.length
    lengths = context.lengths.get(place.array, ())
    whole = place.offset is None and place.counter is None and len(place.prefix) < len(lengths)
    return number(lengths[len(place.prefix)]) if whole else None


def while_loop(context: Context, node: SyntaxNode, scope: Scope) -> list[Statement]:
    """A loop with its test in front."""
    clause, line = node.child_by_field_name("condition"), context.source.line(node)
    before, condition = context.value(clause.child_by_field_name("value") or clause.named_children[0], scope)
    body = _looped(context, node, scope)
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


def do_loop(context: Context, node: SyntaxNode, scope: Scope) -> list[Statement]:
    """A loop with its test behind; `do { ... } while (0)` is its body."""
    line, body = context.source.line(node), _looped(context, node, scope)
    before, condition = context.value(node.child_by_field_name("condition"), scope)
    once = isinstance(condition, Number) and condition.value == 0
    if once and not leaves_own_loop(body, Break):
        return body
    return [While(TRUE, [*body, *before, If(negation(condition), [Break(line)], [], line)], line)]


# ---- the head of a `for`


def _read_header(context: Context, node: SyntaxNode, scope: Scope) -> _Header:
    """The head of the loop at `node`.

    Raises:
        CannotTransform: It has no variable with a start, or no condition.
    """
    line, text = context.source.line(node), context.source.text
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
        type_name = declared_type(context, initializer, first, scope, text(written))
    elif initializer.type == "assignment_expression":
        written, first = (initializer.child_by_field_name(name) for name in ("left", "right"))
        outside = text(written)
        found = scope.find(outside)
        known = context.types.get(getattr(found, "name", ""))
        type_name = known or "int"
    else:
        raise refuse(f"the start '{text(initializer)}' of a loop", line, remedy)
    if written.type != "identifier" or not is_integer(type_name):
        raise refuse(f"'{text(written)}' counts a loop", line, "count in an integer")
    start = context.read(first, scope)
    variable = context.declare_loop(text(written), type_name, inside)
    advance = _advance(context, node.child_by_field_name("update"), variable, inside)
    return _Header(
        variable=variable,
        type=type_name,
        start=start,
        condition=context.read(condition, inside),
        step=_step(advance),
        advance=advance,
        scope=inside,
        outside=outside,
    )


def _advance(context: Context, node: SyntaxNode, variable: str, scope: Scope) -> Assign | Update:
    effects = context.effect(node, scope)
    if len(effects) != 1 or not isinstance(effects[0], Assign | Update) or effects[0].target != Variable(variable):
        raise refuse("a loop's step changes something else than its variable", context.source.line(node))
    return effects[0]


def _step(advance: Assign | Update) -> int | None:
    """The constant that a loop adds to its variable; None when it does something else."""
    if isinstance(advance, Update):
        return (integer(advance.value) or None) if advance.operator == "+" else None
    value = advance.value
    if isinstance(value, Binary) and value.operator == "-" and value.left == advance.target:
        return integer(Unary("-", value.right)) or None
    return None


# ---- switch


def switch(context: Context, node: SyntaxNode, scope: Scope) -> list[Statement]:
    """A chain of conditions; every case ends in `break` or `return`.

    Raises:
        CannotTransform: One runs on into the next.
    """
    line, clause = context.source.line(node), node.child_by_field_name("condition")
    before, value = context.value(clause.child_by_field_name("value") or clause.named_children[0], scope)
    name = context.fresh("switched", context.type_of(value, line))
    out: list[Statement] = [*before, Declare(context.types[name], name, value, line)]
    cases = [child for child in node.child_by_field_name("body").named_children if child.type == "case_statement"]
    labels: list[Expression | None] = []
    branches: list[tuple[list[Expression | None], list[Statement]]] = []
    for position, case in enumerate(cases):
        label = case.child_by_field_name("value")
        labels.append(None if label is None else context.read(label, scope))
        inside = scope.inner()
        parts = [part for part in case.named_children if label is None or part.id != label.id]
        body = [s for part in parts for s in context.statement(part, inside)]
        if not body and position < len(cases) - 1:
            continue
        if body and isinstance(body[-1], Break):
            body = body[:-1]
        elif position < len(cases) - 1 and not isinstance(body[-1], Return | Continue):
            raise refuse("a case runs on into the next", context.source.line(case), "end each with 'break'")
        if leaves_own_loop(body, Break):
            raise refuse("'break' in the middle of a case", context.source.line(case), "turn it into a condition")
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
