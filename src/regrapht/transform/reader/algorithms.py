"""The standard library's loops that are given a function (`std::transform`, `std::for_each`, `std::count_if`, ...), as loops."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from regrapht.transform.ir.expressions import (
    ONE,
    ZERO,
    Binary,
    Call,
    Conditional,
    Element,
    Expression,
    Number,
    Unary,
    Variable,
)
from regrapht.transform.ir.idioms import assignment
from regrapht.transform.ir.math_functions import helper_name, is_math
from regrapht.transform.ir.names import refuse
from regrapht.transform.ir.statements import Assign, Declare, If, Statement, Update
from regrapht.transform.reader.assignments import checked
from regrapht.transform.reader.callees import Callee
from regrapht.transform.reader.context import Context, Given
from regrapht.transform.reader.inlining import inlined
from regrapht.transform.reader.lambdas import lambda_callee
from regrapht.transform.reader.pointers import placed
from regrapht.transform.reader.ranges import SEARCHES, counting, distance, element_of, given_to, is_plain
from regrapht.transform.reader.scope import Pointer, Scope
from regrapht.transform.reader.syntax import SyntaxNode

_OPERATORS = {"plus": "+", "minus": "-", "multiplies": "*", "divides": "/"}
_STATEMENTS = {"transform": (4, 5), "for_each": (3,), "generate": (3,), "reverse": (2,), "partial_sum": (3,)}
_STATEMENTS |= {"inclusive_scan": (3, 5), "exclusive_scan": (4,), "replace_if": (4,)}
_VALUES: dict[str, tuple[int, ...]] = {"accumulate": (4,), "reduce": (4,), "count": (3,), "count_if": (3,)}
_VALUES |= {"transform_reduce": (5, 6), "inner_product": (6,)}
_VALUES |= {"any_of": (3,), "all_of": (3,), "none_of": (3,)}


def algorithm_statement(context: Context, node: SyntaxNode, scope: Scope) -> list[Statement] | None:
    """A call of one of these functions for what it changes; None for other calls.

    Raises:
        CannotTransform: What it is given as a function is none that is known.
    """
    call = range_call(context, node, scope, _STATEMENTS)
    if call is None:
        return None
    match call.name:
        case "transform" | "for_each" | "generate":
            body = _mapped(call)
        case "replace_if":
            before, test = call.applied(call.given[2], [call.element(call.first, node)])
            place = element_of(call.first, call.counter)
            value = context.read(call.given[3], scope)
            body = [*before, If(test, [Assign(place, value, call.line)], [], call.line)]
        case "reverse":
            return [_reversed(call)]
        case _:
            return _running(call)
    return [counting(call.counter, call.count, body, call.line)]


def algorithm_value(context: Context, node: SyntaxNode, scope: Scope) -> Expression | None:
    """A call of one of these functions for its value: a loop before the expression, and what it finds. None for other calls."""
    call = range_call(context, node, scope, _VALUES)
    if call is None:
        return None
    own, before = element_of(call.first, call.counter), list[Statement]()
    test: Expression
    if call.name in ("accumulate", "reduce"):
        return _accumulated(call, [], own, call.given[2], call.given[3])
    if call.name in ("transform_reduce", "inner_product"):
        return _transformed(call, own)
    if call.name == "count":
        test = call.equal(own, call.given[2])
    else:
        before, test = call.applied(call.given[2], [call.element(call.first, node)])
    is_count = call.name.startswith("count")
    found = call.local("counted" if is_count else "found", "long long" if is_count else "int", ZERO)
    if is_count:
        body: list[Statement] = [*before, If(test, [Update(found, "+", ONE, call.line)], [], call.line)]
    else:
        test = Unary("!", test) if call.name == "all_of" else test
        body = [*before, Update(found, "max", Conditional(test, ONE, ZERO), call.line)]
    call.out.append(counting(call.counter, call.count, body, call.line))
    context.add_effects(call.out, node)
    return found if is_count else Binary("!=" if call.name == "any_of" else "==", found, ZERO)


@dataclass(slots=True)
class RangeCall:
    """A call over the range that its first two arguments are."""

    context: Context
    scope: Scope
    name: str
    given: list[SyntaxNode]
    first: Pointer
    count: Expression
    counter: str
    line: int
    out: list[Statement]

    def element(self, place: Pointer, node: SyntaxNode) -> Given:
        own = element_of(place, self.counter)
        return Given(self.context, [], own, node, f"{place.array}[{self.counter}]", self.line, is_place=True)

    def value(self, value: Expression, node: SyntaxNode) -> Given:
        return Given(self.context, [], value, node, self.context.source.text(node), self.line)

    def equal(self, own: Element, sought: SyntaxNode) -> Expression:
        """Whether an element is equal to what is looked for."""
        return Binary("==", own, self.context.read(sought, self.scope))

    def place(self, node: SyntaxNode) -> Pointer:
        found = self.context.pointer(node, self.scope)
        if found is None or not is_plain(self.context, found):
            raise refuse(f"'{self.context.source.text(node)}' is no place in an array of numbers", self.line)
        return found

    def local(self, name: str, type_name: str, value: Expression) -> Variable:
        chosen = self.context.fresh(name, type_name)
        self.context.mutable.add(chosen)
        self.out.append(Declare(type_name, chosen, value, self.line))
        return Variable(chosen)

    def applied(self, function: SyntaxNode, given: list[Given]) -> tuple[list[Statement], Expression]:
        """A function on its arguments: what must run before, and its value.

        Raises:
            CannotTransform: It is none that is known, or has no plain value.
        """
        before, value = self.called(function, given)
        if not isinstance(value, Expression):
            raise refuse(f"'{self.context.source.text(function)}' has no plain value", self.line, "write a loop")
        return before, value

    def called(self, function: SyntaxNode, given: list[Given]) -> tuple[list[Statement], object]:
        text = self.context.source.text(function)
        operator = _OPERATORS.get(_standard_name(text))
        values = [one.value for one in given]
        if operator is not None and len(values) == 2:
            left, right = values
            assert isinstance(left, Expression) and isinstance(right, Expression)
            return [], Binary(operator, left, right)
        callees: tuple[Callee, ...] = ()
        held: list[Statement] = []
        if function.type == "lambda_expression":
            held, callee = lambda_callee(self.context, "applied", function, self.scope)
            callees = (callee,)
        elif function.type == "identifier":
            bound = self.scope.find_lambda(text)
            callees = (bound,) if bound is not None else self.context.callees.get(text, ())
        plain = text.removeprefix("std::")
        if not callees and (plain in self.context.helpers or is_math(plain)):
            return [], Call(helper_name(plain) if plain in self.context.helpers else plain, _plain(values))
        if not callees:
            raise refuse(f"'{text}' as a function for std::{self.name}", self.line, "give it a lambda, or write a loop")
        self.out += held
        return inlined(self.context, callees, given, self.scope, self.line)


def _plain(values: Sequence[object]) -> tuple[Expression, ...]:
    return tuple(value for value in values if isinstance(value, Expression))


def range_call(
    context: Context, node: SyntaxNode, scope: Scope, known: Mapping[str, tuple[int, ...]]
) -> RangeCall | None:
    text = context.source.text(node.child_by_field_name("function"))
    name = text.removeprefix("::").removeprefix("std::")
    given = given_to(context.source, node)
    if len(given) not in known.get(name, ()) or context.inlines(name) or name in context.helpers:
        return None
    first, end = (context.pointer(one, scope) for one in given[:2])
    if first is None or end is None or not is_plain(context, first):
        return None
    line = context.source.line(node)
    return RangeCall(
        context, scope, name, given, first, distance(first, end, line), context.fresh("place", "long long"), line, []
    )


def _mapped(call: RangeCall) -> list[Statement]:
    """One turn of `transform`, `for_each` or `generate`."""
    function, node = call.given[-1], call.given[0]
    if call.name == "for_each":
        return _with_held(call, call.called(function, [call.element(call.first, node)])[0])
    if call.name == "generate":
        before, value = call.applied(function, [])
        return _with_held(call, [*before, Assign(element_of(call.first, call.counter), value, call.line)])
    places = [call.first, *(call.place(one) for one in call.given[2:-2])]
    target = element_of(call.place(call.given[-2]), call.counter)
    before, value = call.applied(function, [call.element(place, node) for place in places])
    return _with_held(call, [*before, Assign(target, value, call.line)])


def _standard_name(text: str) -> str:
    """The name of a function object such as `std::plus<>()` or `std::plus{}`."""
    return re.split(r"[<({]", text.removeprefix("std::"))[0].strip()


def _with_held(call: RangeCall, body: list[Statement]) -> list[Statement]:
    """A turn with the copies of what a lambda holds by value, which nothing in the loop changes before."""
    held, call.out = call.out, []
    return [*held, *body]


def _accumulated(
    call: RangeCall, before: list[Statement], own: Expression, initial: SyntaxNode, function: SyntaxNode
) -> Expression | None:
    """What `function` makes of a start and of one value after the other."""
    context, line = call.context, call.line
    start = context.read(initial, call.scope)
    total = call.local("sum", context.type_of(start, line), start)
    text = _standard_name(context.source.text(function))
    inside, value = call.applied(function, [call.value(total, function), call.value(own, function)])
    same = context.type_of(own, line) == context.types[total.name]
    step: Statement = Assign(total, value, line)
    if same or text not in _OPERATORS:
        step = checked(context, assignment(total, "=", value, line, context.types))
    call.out.append(counting(call.counter, call.count, [*before, *inside, step], line))
    context.add_effects(call.out, function)
    return total


def _transformed(call: RangeCall, own: Element) -> Expression | None:
    """The same of what a second function makes of each element, or of an element and the one beside it in a second range."""
    *places, initial, outer, inner = call.given[2:]
    elements: list[Expression] = [own, *(element_of(call.place(one), call.counter) for one in places)]
    before, value = call.applied(inner, [call.value(one, inner) for one in elements])
    term = call.context.fresh("term", call.context.type_of(value, call.line))
    kept = Declare(call.context.types[term], term, value, call.line)
    return _accumulated(call, [*before, kept], Variable(term), initial, outer)


def _reversed(call: RangeCall) -> Statement:
    """Elements change places with those as far from the other end."""
    half = Binary("/", call.count, Number("2", 2))
    last = Binary("-", Binary("-", call.count, ONE), Variable(call.counter))
    at = call.first.subscripted(last)
    one, other = element_of(call.first, call.counter), Element(at.array, at.prefix)
    type_name = call.context.types[call.first.array]
    kept = call.context.fresh("swapped", type_name)
    body: list[Statement] = [
        Declare(type_name, kept, one, call.line),
        Assign(one, other, call.line),
        Assign(other, Variable(kept), call.line),
    ]
    return counting(call.counter, half, body, call.line)


def _running(call: RangeCall) -> list[Statement]:
    """Running sums: of the elements up to each place, or (`exclusive_scan`) in front of it. With a function, what that makes of them."""
    context, line = call.context, call.line
    is_exclusive = call.name == "exclusive_scan"
    has_start = is_exclusive or len(call.given) == 5
    start = context.read(call.given[-1], call.scope) if has_start else ZERO
    own = element_of(call.first, call.counter)
    type_name = context.type_of(start, line) if has_start else context.types[call.first.array]
    if type_name != context.types[call.first.array]:
        raise refuse(f"std::{call.name} of '{call.first.array}' from another type", line, "write a loop")
    total, target = call.local("sum", type_name, start), element_of(call.place(call.given[2]), call.counter)
    stores = Assign(target, total, line)
    body: list[Statement]
    if len(call.given) == 5:
        given = [call.value(total, call.given[3]), call.value(own, call.given[3])]
        before, value = call.applied(call.given[3], given)
        body = [*before, checked(context, assignment(total, "=", value, line, context.types)), stores]
    else:
        body = [checked(context, Update(total, "+", own, line)), stores]
    if is_exclusive:  # the element may be the target
        kept = context.fresh("holds", type_name)
        body = [Declare(type_name, kept, own, line), stores, Update(total, "+", Variable(kept), line)]
    return [*call.out, counting(call.counter, call.count, body, line)]


# ---- searches


def found_place(context: Context, node: SyntaxNode, scope: Scope) -> Pointer | None:
    """The place that such a call finds, the first one of several, or the end; None where it is no range of numbers."""
    call = range_call(context, node, scope, SEARCHES)
    if call is None:
        return None
    is_extreme = call.name.endswith("_element")
    at = _extreme(call, "<" if call.name == "max_element" else ">") if is_extreme else _first_match(call, node)
    context.add_effects(call.out, node)
    return _found_at(call, at)


def found_extremes(context: Context, node: SyntaxNode, scope: Scope) -> tuple[Pointer, Pointer] | None:
    """The places that `std::minmax_element` finds, the first of the least and the last of the largest; None for another call."""
    call = range_call(context, node, scope, {"minmax_element": (2,)})
    if call is None:
        return None
    least = _extreme(call, ">")
    call.counter = context.fresh("place", "long long")
    largest = _extreme(call, "<=")
    context.add_effects(call.out, node)
    return _found_at(call, least), _found_at(call, largest)


def extremes_local(context: Context, declarator: SyntaxNode, value: SyntaxNode, scope: Scope) -> list[Statement]:
    """`auto [low, high] = std::minmax_element(...)`: two pointers.

    Raises:
        CannotTransform: It is of another value.
    """
    line, names = context.source.line(declarator), [context.source.text(one) for one in declarator.named_children]
    before, places = context.gathered(lambda: found_extremes(context, value, scope))
    if places is None or len(names) != 2:
        raise refuse(f"declaration '{context.source.text(declarator)}'", line, "give each part a variable of its own")
    for name, place in zip(names, places, strict=True):
        declared, scope.names[name] = placed(context, name, place, line)
        before += declared
    return before


def _found_at(call: RangeCall, at: Variable) -> Pointer:
    return replace(call.first, offset=None, counter=None, length=None).moved(
        at if call.first.offset is None else Binary("+", call.first.offset, at)
    )


def _extreme(call: RangeCall, less: str) -> Variable:
    """The place of an element that no other is better than: where `best less other` holds, the other is taken."""
    line, start, own = call.line, call.first.subscripted(ZERO), element_of(call.first, call.counter)
    best = call.local("best", call.context.types[call.first.array], Element(start.array, start.prefix))
    at = call.local("best_at", "long long", ZERO)
    test = Binary(less, best, own)
    found: list[Statement] = [Assign(best, own, line), Assign(at, Variable(call.counter), line)]
    call.out.append(counting(call.counter, call.count, [If(test, found, [], line)], line))
    return at


def _first_match(call: RangeCall, node: SyntaxNode) -> Variable:
    """The least place of all that match: found in any order, where the source would stop at the first."""
    at = call.local("found_at", "long long", call.count)
    own, before = element_of(call.first, call.counter), list[Statement]()
    if call.name == "find":
        test = call.equal(own, call.given[2])
    else:
        before, test = call.applied(call.given[2], [call.element(call.first, node)])
        test = Unary("!", test) if call.name == "find_if_not" else test
    body = [*before, If(test, [Update(at, "min", Variable(call.counter), call.line)], [], call.line)]
    call.out.append(counting(call.counter, call.count, body, call.line))
    return at
