"""Loops that count, `for` or one in disguise: the variable, and the range that its start and condition give it."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regrapht.source.polynomial import Polynomial
from regrapht.source.syntax import bare, line_of, text_of, walk
from regrapht.tasks.inference.values.bounds import ONE, ZERO, Unbounded

if TYPE_CHECKING:
    from tree_sitter import Node

LOOPS = ("for_statement", "while_statement", "do_statement", "for_range_loop")
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!=", "==": "=="}
_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_STORES = ("assignment_expression", "update_expression")
_LEAVING = ("return_statement", "break_statement")
_CHANGING = ("swap", "exchange")


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """One loop over one integer variable."""

    node: "Node"
    name: str
    start: "Node | None"
    """None: the variable is a parameter, which is counted down or up from what it is given as."""
    operator: str
    """With the variable on the left."""
    bound: "Node | None"
    """None: 0."""
    shift: int = 0
    """What the condition adds to the variable: 1 for `i + 1 < n`."""
    beside: "Node | None" = None
    """What else it adds: `window` for `i + window <= n`."""
    step: int | None
    """None when it is no constant."""
    store: "Node | None" = None
    """What moves the variable in the body; None where the head does."""
    is_loose: bool = False
    """Whether the range is only a bound: the condition compares the variable's square, or an earlier loop moved it before."""

    def range(self, value: Callable[["Node"], Polynomial], given: Polynomial) -> tuple[Polynomial, Polynomial, bool]:
        """Smallest value, largest value, and whether every number from 0 up to it is taken.

        Args:
            value: The value of an expression.
            given: The variable as a parameter, for a loop without a start.

        Raises:
            Unbounded: Start or bound is no value that `value` knows.
        """
        start = value(self.start) if self.start is not None else given
        bound = (value(self.bound) if self.bound is not None else ZERO) - Polynomial.constant(self.shift)
        if self.beside is not None:
            bound = bound - value(self.beside)
        if self.step is None and self.operator == "!=":
            raise Unbounded(f"loop variable {self.name!r}, which moves by no constant", line_of(self.node))
        if self.operator in ("<", "<=") and (self.step or 1) < 0:
            return ZERO, start, self.step == -1  # `i < n` for an unsigned i that is counted down: it wraps below 0
        upwards = self.operator in ("<", "<=") or (self.operator == "!=" and (self.step or 1) > 0)
        if upwards:
            high = bound if self.operator == "<=" else bound - ONE
            dense = self.step == 1 and start.as_constant == 0 and not self.is_loose
            return start, high - _beyond(high - start, self.step), dense
        low = bound if self.operator == ">=" else bound + ONE
        return low, start, self.step == -1 and low.as_constant == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Test:
    """One comparison of a variable with what bounds it."""

    name: str
    operator: str
    bound: "Node | None"
    shift: int = 0
    beside: "Node | None" = None
    is_square: bool = False
    moved: "Node | None" = None
    """`n--`, where the test itself moves the variable."""


def _beyond(room: Polynomial, step: int | None) -> Polynomial:
    """How far the last value lies below the bound, for a step of several; 0 where the sizes decide on that."""
    if step is None or step <= 1 or any(names and value % step for names, value in room.terms.items()):
        return ZERO
    return Polynomial.constant(room.terms.get((), 0) % step)


def loop_of(node: "Node") -> Loop:
    """The counting loop that a loop statement is.

    Raises:
        Unbounded: It has no variable with a start, or no condition that bounds it.
    """
    line, started = line_of(node), node.child_by_field_name("initializer")
    condition, negated = _condition(node)
    if condition is None:
        raise Unbounded("a loop without start or condition", line)
    starts = dict(_started(started)) if started is not None else {}
    for test in _tests(condition, negated=negated):
        if test.beside is not None and stores_below(node, text_of(test.beside)):
            continue
        if test.name in starts and _moves_in_head(node, test.name):
            _require_still(node, test.name, line)
            step = _step(node, test.name)
            return Loop(
                node=node,
                name=test.name,
                start=starts[test.name],
                operator=test.operator,
                bound=test.bound,
                shift=test.shift,
                beside=test.beside,
                step=step,
                is_loose=test.is_square,
            )
        if (loop := _moved_in_body(node, test, starts)) is not None:
            return loop
    raise Unbounded("a loop whose condition does not compare its variable", line)


def bounds_tested(node: "Node") -> "list[tuple[str, Node, bool]]":
    """What bounds variables from above in every turn of a loop: (variable, bound, whether it may reach it)."""
    condition, negated = _condition(node)
    tests = _tests(condition, negated=negated) if condition is not None else []
    return [
        (test.name, test.bound, test.operator == "<=")
        for test in tests
        if test.operator in ("<", "<=")
        and test.bound is not None
        and not test.shift
        and test.beside is None
        and not test.is_square
    ]


def loops_around(node: "Node", within: "Node") -> list[Loop]:
    """The loops that `node` is in the body of, outermost first, up to the node `within`; those that cannot be read are left out."""
    found: list[Loop] = []
    for outer in loop_nodes_around(node, within):
        with suppress(Unbounded):
            found.append(loop_of(outer))
    return found


def loops_testing(node: "Node", within: "Node") -> list[Loop]:
    """The loops in whose condition `node` stands, behind the comparison that bounds the variable: `i < n && a[i] > 0`."""
    found: list[Loop] = []
    inside, outer, compared = node, node.parent, set[str]()
    while outer is not None and inside.id != within.id:
        if outer.type == "binary_expression" and text_of(outer.children[1]) == "&&" and outer.children[2] == inside:
            compared |= {test.name for test in _tests(outer.children[0], negated=False)}
        condition = outer.child_by_field_name("condition") if outer.type in LOOPS else None
        if condition is not None and condition.start_byte <= node.start_byte < condition.end_byte:
            with suppress(Unbounded):
                found += [loop for loop in [loop_of(outer)] if loop.name in compared]
        inside, outer = outer, outer.parent
    return found


def loop_nodes_around(node: "Node", within: "Node") -> "list[Node]":
    """The loop statements that `node` is in the body of, outermost first, up to the node `within`."""
    found: list[Node] = []
    inside, outer = node, node.parent
    while outer is not None and inside.id != within.id:
        body = outer.child_by_field_name("body") if outer.type in LOOPS else None
        if body is not None and body.start_byte <= inside.start_byte and inside.end_byte <= body.end_byte:
            found.append(outer)
        inside, outer = outer, outer.parent
    return found[::-1]


def stores_below(node: "Node", name: str) -> "list[Node]":
    """Every assignment and step of the plain variable `name` in `node`, and what lets others change it: `&name`, a swap."""
    return [part for part in walk(node) if name in changed_names(part)]


def changed_names(part: "Node") -> set[str]:
    """The plain variables that one part of the syntax changes, or lets others change."""
    return {text_of(target) for target in _changed(part) if target is not None and target.type == "identifier"}


def _changed(part: "Node") -> "list[Node | None]":
    if part.type in _STORES:
        return [part.child_by_field_name("left") or part.child_by_field_name("argument")]
    if part.type == "pointer_expression" and text_of(part.children[0]) == "&":
        return [part.child_by_field_name("argument")]
    if part.type == "init_declarator":
        declarator = part.child_by_field_name("declarator")
        if declarator is not None and any(inner.type == "reference_declarator" for inner in walk(declarator)):
            return [part.child_by_field_name("value")]
    if part.type == "call_expression":
        called, given = part.child_by_field_name("function"), part.child_by_field_name("arguments")
        if called is not None and given is not None and text_of(called).rpartition("::")[2] in _CHANGING:
            return list(given.named_children)
    return []


def step_of(store: "Node") -> int | None:
    """The constant that `i++`, `i += 2` or `i = i + 2` adds; None for anything else."""
    if store.type == "update_expression":
        return 1 if any(child.type == "++" for child in store.children) else -1
    operator, right = store.child_by_field_name("operator"), store.child_by_field_name("right")
    left = store.child_by_field_name("left")
    if operator is None or right is None or left is None:
        return None
    right, sign = bare(right), text_of(operator).removesuffix("=")
    if not sign and right.type == "binary_expression" and text_of(bare(right.children[0])) == text_of(left):
        right, sign = bare(right.children[2]), text_of(right.children[1])
    number = text_of(right)
    if sign not in ("+", "-") or not number.isdigit():
        return None
    return int(number) if sign == "+" else -int(number)


def is_unconditional(node: "Node", body: "Node") -> bool:
    """Whether every turn of the loop with this body runs `node` once."""
    inside, outer = node, node.parent
    while outer is not None and inside.id != body.id:
        skips = outer.type in (*LOOPS, "if_statement", "conditional_expression", "switch_statement")
        late = outer.type == "binary_expression" and text_of(outer.children[1]) in ("&&", "||")
        if skips or (late and outer.children[0].id != inside.id):
            return False
        inside, outer = outer, outer.parent
    return not any(part.type == "continue_statement" and part.end_byte <= node.start_byte for part in walk(body))


def has_break(node: "Node") -> bool:
    """Whether a loop may end early."""
    return any(_leaves(part, node) for part in walk(node))


def _leaves(part: "Node", loop: "Node") -> bool:
    """Whether a statement ends `loop`: a jump, or a `break` of its own."""
    kinds = {
        "break_statement": (*LOOPS, "switch_statement", "lambda_expression"),
        "return_statement": ("lambda_expression",),
        "goto_statement": (),
    }
    if part.type not in kinds:
        return False
    outer = part.parent
    while outer is not None and outer != loop and outer.type not in kinds[part.type]:
        outer = outer.parent
    return outer == loop


def _condition(node: "Node") -> "tuple[Node | None, bool]":
    """What is tested before a turn, and whether a turn runs where it does not hold: `for (;;) { if (i == n) return; ... }`."""
    condition = node.child_by_field_name("condition")
    while condition is not None and condition.type in ("condition_clause", "parenthesized_expression"):
        condition = condition.child_by_field_name("value") or condition.named_children[0]
    if condition is not None and text_of(condition) not in ("1", "true"):
        return condition, False
    body = node.child_by_field_name("body")
    first = (
        next((child for child in body.named_children if child.type != "comment"), None) if body is not None else None
    )
    taken = first.child_by_field_name("consequence") if first is not None and first.type == "if_statement" else None
    if first is None or taken is None:
        return None, False
    inside = taken.named_children if taken.type == "compound_statement" else [taken]
    test = first.child_by_field_name("condition")
    if test is None or len(inside) != 1 or inside[0].type not in _LEAVING:
        return None, False
    return test.child_by_field_name("value") or test.named_children[0], True


def _tests(condition: "Node", *, negated: bool) -> list[_Test]:
    found: list[_Test] = []
    if condition.type in ("identifier", "update_expression") and not negated:
        found += [test for test in [_against(condition, "!=", None)] if test is not None]
    for part in _certain(condition, negated=negated):
        left, sign, right = (part.child_by_field_name(side) for side in ("left", "operator", "right"))
        if left is None or sign is None or right is None or text_of(sign) not in _FLIPPED:
            continue
        operator = _NEGATED[text_of(sign)] if negated else text_of(sign)
        sides = (_against(left, operator, right), _against(right, _FLIPPED[operator], left))
        found += [test for test in sides if test is not None and test.operator != "=="]
    return found


def _certain(condition: "Node", *, negated: bool) -> "list[Node]":
    """The comparisons that hold in every turn: the parts of `a && b`, or of an `a || b` that leaves."""
    while condition.type == "parenthesized_expression":
        condition = condition.named_children[0]
    if condition.type == "comma_expression":
        return _certain(condition.children[-1], negated=negated)
    if condition.type != "binary_expression":
        return []
    if text_of(condition.children[1]) == ("||" if negated else "&&"):
        sides = (condition.children[0], condition.children[2])
        return [part for side in sides for part in _certain(side, negated=negated)]
    return [condition]


def _against(side: "Node", operator: str, bound: "Node | None") -> _Test | None:
    """A comparison with `name`, `name + 1`, `name * name` or `name--` on one side."""
    side = bare(side)
    if side.type == "identifier":
        return _Test(name=text_of(side), operator=operator, bound=bound)
    if side.type == "update_expression":
        target = side.child_by_field_name("argument")
        if target is None or target.type != "identifier" or side.children[0].id != target.id:
            return None
        return _Test(name=text_of(target), operator=operator, bound=bound, moved=side)
    if side.type != "binary_expression" or (counted := bare(side.children[0])).type != "identifier":
        return None
    name, sign, other = text_of(counted), text_of(side.children[1]), text_of(bare(side.children[2]))
    if sign == "*" and other == name and operator in ("<", "<="):
        return _Test(name=name, operator=operator, bound=bound, is_square=True)
    if sign in "+-" and other.isdigit():
        shift = int(other) if sign == "+" else -int(other)
        return _Test(name=name, operator=operator, bound=bound, shift=shift)
    added = bare(side.children[2])
    if sign == "+" and added.type == "identifier":
        return _Test(name=name, operator=operator, bound=bound, beside=added)
    return None


def _moves_in_head(node: "Node", name: str) -> bool:
    update = node.child_by_field_name("update")
    return update is not None and bool(stores_below(update, name))


def _require_still(node: "Node", name: str, line: int) -> None:
    body = node.child_by_field_name("body")
    if body is not None and stores_below(body, name):
        raise Unbounded(f"loop variable {name!r}, which the body changes too,", line)


def _moved_in_body(node: "Node", test: _Test, starts: "dict[str, Node]") -> Loop | None:
    """A loop whose body (or test) moves the variable once a turn; None where it does something else."""
    stores, body = stores_below(node, test.name), node.child_by_field_name("body")
    if body is None or len(stores) != 1:
        return None
    store, known, head = stores[0], True, node.child_by_field_name("update")
    in_head = head is not None and head.start_byte <= store.start_byte < head.end_byte
    if test.moved is None and not in_head and not is_unconditional(store, body):
        return None
    start, step = starts.get(test.name), step_of(store)
    earlier = earlier_loop(node, test.name, step) if start is None else None
    if earlier is not None:
        start = earlier.start
    elif start is None:
        start, known = _value_before(node, test.name)
    if not known or step is None or (test.operator == "!=" and abs(step) != 1):
        return None
    if test.operator != "!=" and (step > 0) != (test.operator in ("<", "<=")):
        return None
    return Loop(
        node=node,
        name=test.name,
        start=start,
        operator=test.operator,
        bound=test.bound,
        shift=test.shift,
        beside=test.beside,
        step=step,
        store=None if in_head else store,
        is_loose=test.is_square or earlier is not None,
    )


def earlier_loop(node: "Node", name: str, step: int | None) -> Loop | None:
    """The loop before this one that moved the variable the same way: `for (; i + 4 <= n; i += 4) ... for (; i < n; i++)`."""
    before = node.prev_named_sibling
    while before is not None and not stores_below(before, name):
        before = before.prev_named_sibling
    started = before.child_by_field_name("initializer") if before is not None else None
    if before is None or before.type not in LOOPS or (started is not None and started.type == "declaration"):
        return None
    with suppress(Unbounded):
        loop = loop_of(before)
        same = loop.name == name and step is not None and loop.step is not None and (loop.step > 0) == (step > 0)
        return loop if same else None
    return None


def _value_before(node: "Node", name: str) -> "tuple[Node | None, bool]":
    """What a variable is set to before the loop (None: a parameter's own value), and whether that is known."""
    inside, outer = node, node.parent
    while outer is not None:
        for sibling in reversed([c for c in outer.named_children if c.end_byte <= inside.start_byte]):
            for declarator in sibling.children_by_field_name("declarator") if sibling.type == "declaration" else ():
                target = declarator.child_by_field_name("declarator") if declarator.type == "init_declarator" else None
                if target is not None and text_of(target).lstrip("* ") == name:
                    return declarator.child_by_field_name("value"), True
                if declarator.type == "identifier" and text_of(declarator) == name:
                    return None, False
            stores = stores_below(sibling, name)
            if stores:
                direct = sibling.type == "expression_statement" and stores[-1].id == sibling.named_children[0].id
                operator = stores[-1].child_by_field_name("operator")
                plain = direct and operator is not None and text_of(operator) == "="
                return (stores[-1].child_by_field_name("right"), True) if plain else (None, False)
        if outer.type in LOOPS:
            return None, False  # what an earlier turn of it left
        if outer.type == "function_definition":
            return None, True
        inside, outer = outer, outer.parent
    return None, False


def _started(started: "Node") -> "list[tuple[str, Node]]":
    found = []
    for node in walk(started):
        if node.type == "init_declarator":
            name, value = node.child_by_field_name("declarator"), node.child_by_field_name("value")
        elif node.type == "assignment_expression":
            name, value = node.child_by_field_name("left"), node.child_by_field_name("right")
        else:
            continue
        while name is not None and name.type == "pointer_declarator":
            name = name.child_by_field_name("declarator")
        if name is not None and value is not None and name.type == "identifier":
            found.append((text_of(name), value))
    return found


def _step(node: "Node", name: str) -> int | None:
    update = node.child_by_field_name("update")
    stores = stores_below(update, name) if update is not None else []
    return step_of(stores[0]) if len(stores) == 1 else None


def data_walk(body: "Node") -> tuple["Node", str] | None:
    """The first loop of a function's body whose condition has a variable that it sets to nothing but elements of arrays, with that
    variable; None where there is no such loop."""
    for loop in walk(body):
        condition = loop.child_by_field_name("condition") if loop.type in LOOPS else None
        if condition is None:
            continue
        for name in sorted({text_of(node) for node in walk(condition) if node.type == "identifier"}):
            stores = stores_below(loop, name)
            if stores and all(_is_element(store.child_by_field_name("right")) for store in stores):
                return loop, name
    return None


def _is_element(value: "Node | None") -> bool:
    while value is not None and value.type in ("parenthesized_expression", "cast_expression") and value.named_children:
        value = value.named_children[-1]
    return value is not None and value.type == "subscript_expression"
