"""`used += encode(row, out + used);`: appends by a function that writes where it is told and says how much.

How much that is, a turn finds out by a twin of the function whose pointer is a sink: what is put there goes nowhere. That is right where
the function never reads there, and changes nothing else but what it declares itself.
"""

from collections.abc import Collection
from dataclasses import dataclass

from regrapht.source.library_calls import REFUSED_FUNCTIONS
from regrapht.source.syntax import SyntaxNode, function_declarator
from regrapht.transform.verbatim.held_objects import is_const
from regrapht.transform.verbatim.rendering import CONTAINERS
from regrapht.transform.verbatim.scopes import Scopes, walk

_CHANGING = ("assignment_expression", "update_expression")
_TWIN = "_counted"
_PUT = ("std::memcpy",)
"""Functions of the standard library that a sink may be the first argument of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedCall:
    """One statement that appends so."""

    function: SyntaxNode
    parameter: SyntaxNode
    """Where the function is told to write."""
    argument: SyntaxNode
    """What it is told."""
    callee: SyntaxNode
    """The name of the function, in the call."""
    reads: frozenset[str]
    """What the call needs besides."""


def counted_call(scopes: Scopes, statement: SyntaxNode, counters: Collection[str]) -> CountedCall | None:
    """How a statement appends by a function of the file; None where it does not, or where that function does more than write there."""
    assigned = (
        statement.named_children[0] if statement.type == "expression_statement" and statement.named_children else None
    )
    if assigned is None or assigned.type != "assignment_expression":
        return None
    counter, call = scopes.text(assigned.child_by_field_name("left")), assigned.child_by_field_name("right")
    if (
        counter not in counters
        or scopes.text(assigned.child_by_field_name("operator")) != "+="
        or call.type != "call_expression"
    ):
        return None
    callee, given = call.child_by_field_name("function"), call.child_by_field_name("arguments").named_children
    name = callee.child_by_field_name("field") if callee.type == "field_expression" else callee
    functions = scopes.by_name.get(scopes.text(name), [])
    places = [k for k, argument in enumerate(given) if _buffer(scopes, argument, counter) is not None]
    if len(functions) != 1 or len(places) != 1 or functions[0].parent.type == "template_declaration":
        return None
    parameters = scopes.parameters(functions[0])
    if len(parameters) != len(given) or (callee.type == "field_expression" and not is_const(scopes, functions[0])):
        return None
    argument, parameter = given[places[0]], parameters[places[0]]
    others = frozenset().union(*(scopes.names(one) for one in [callee, *given] if one.id != argument.id)) - {
        scopes.text(name)
    }
    if counter in others or not _only_writes(scopes, functions[0], parameter):
        return None
    return CountedCall(function=functions[0], parameter=parameter, argument=argument, callee=name, reads=others)


def _buffer(scopes: Scopes, argument: SyntaxNode, counter: str) -> str | None:
    """The array of `array + counter`."""
    if argument.type != "binary_expression" or scopes.text(argument.child_by_field_name("operator")) != "+":
        return None
    left, right = argument.child_by_field_name("left"), argument.child_by_field_name("right")
    is_sum = left.type == right.type == "identifier" and scopes.text(right) == counter
    return scopes.text(left) if is_sum else None


def _only_writes(scopes: Scopes, function: SyntaxNode, parameter: SyntaxNode) -> bool:
    """Whether a function writes to what one parameter points to, reads nothing there, and changes nothing else but its own locals."""
    body, names = function.child_by_field_name("body"), scopes.declared(parameter)
    if len(names) != 1 or "const" in scopes.text(parameter) or scopes.text(parameter).count("*") != 1:
        return False
    if any(f"std::{name}" in scopes.text(body) for name in CONTAINERS):
        return False  # a turn that counts has no scratch memory
    own = scopes.locals_of(body)
    values = {
        name for p in scopes.parameters(function) if not set("*&[") & set(scopes.text(p)) for name in scopes.declared(p)
    }
    for node in walk(body):
        if node.type == "identifier" and scopes.text(node) == names[0] and not _is_put(scopes, node):
            return False
        if node.type in _CHANGING:
            target = node.child_by_field_name("left") or node.child_by_field_name("argument")
            if _base(scopes, target) not in {names[0]} | values | own or _is_through_pointer(
                scopes, body, target, names[0]
            ):
                return False
        if node.type == "call_expression" and not _is_harmless(scopes, node, own, names[0]):
            return False
    return True


def _base(scopes: Scopes, target: SyntaxNode) -> str:
    """The variable that a place belongs to."""
    while target is not None and target.type != "identifier":
        target = (
            target.child_by_field_name("argument")
            or target.child_by_field_name("left")
            or next(iter(target.named_children), None)
        )
    return scopes.text(target) if target is not None else ""


def _is_through_pointer(scopes: Scopes, body: SyntaxNode, target: SyntaxNode, sink: str) -> bool:
    """Whether a place lies behind a pointer or reference that the function declares: it may be anybody's."""
    name = _base(scopes, target)
    declared = scopes.visible(target).get(name)
    if name == sink or declared is None or declared.type != "declaration" or target.type == "identifier":
        return name != sink and declared is not None and "&" in scopes.text(declared).split("=")[0]
    return not scopes.holds_its_parts(declared, name)


def _is_put(scopes: Scopes, use: SyntaxNode) -> bool:
    """Whether a use of the sink is one of `p[k] = v;`, `*p = v;`, `*p++ = v;`, `p += k;`, `++p;` and `std::memcpy(p, ...)`."""
    node, around = use, use.parent
    if around.type == "subscript_expression" and around.child_by_field_name("argument").id == use.id:
        return _is_set(scopes, around)
    if around.type == "update_expression" or (
        around.type == "assignment_expression" and scopes.text(around.child_by_field_name("operator")) == "+="
    ):
        moved = around.child_by_field_name("left") or around.child_by_field_name("argument")
        node, around = around, around.parent
        return bool(moved.id == use.id) and (around.type == "expression_statement" or _is_behind_star(scopes, node))
    if around.type == "argument_list" and around.named_children[0].id == use.id:
        return (
            scopes.text(around.parent.child_by_field_name("function")) in _PUT
            and around.parent.parent.type == "expression_statement"
        )
    return _is_behind_star(scopes, use)


def _is_behind_star(scopes: Scopes, node: SyntaxNode) -> bool:
    star = node.parent
    is_star = star.type == "pointer_expression" and scopes.text(star.child_by_field_name("operator")) == "*"
    return is_star and _is_set(scopes, star)


def _is_set(scopes: Scopes, place: SyntaxNode) -> bool:
    """Whether a place is what a plain assignment sets, whose value nobody takes."""
    around = place.parent
    is_left = around.type == "assignment_expression" and around.child_by_field_name("left").id == place.id
    return (
        is_left
        and scopes.text(around.child_by_field_name("operator")) == "="
        and around.parent.type == "expression_statement"
    )


def _is_harmless(scopes: Scopes, call: SyntaxNode, own: set[str], sink: str) -> bool:
    """Whether a call changes at most the function's own locals: one of the file's on these, or one of the standard library on values."""
    callee, given = call.child_by_field_name("function"), call.child_by_field_name("arguments").named_children
    name = scopes.text(callee)
    if name in _PUT:
        return _base(scopes, given[0]) in own | {sink}
    if callee.type == "field_expression":
        return False
    pointers = [g for g in given if g.type in ("pointer_expression", "binary_expression", "identifier")]
    known = scopes.by_name.get(name, ())
    if not known:
        return name.removeprefix("std::") not in REFUSED_FUNCTIONS and not any(_may_point(scopes, g) for g in given)
    return all(_base(scopes, g) in own or not _may_point(scopes, g) for g in pointers) and all(
        _changes_arguments_alone(scopes, function) for function in known
    )


def _may_point(scopes: Scopes, argument: SyntaxNode) -> bool:
    """Whether an argument may be an address: of a name that a pointer or an array is declared as."""
    if argument.type == "subscript_expression":
        return False  # an element
    seen = scopes.visible(argument)
    return any(
        set("*&[") & set(scopes.text(seen[n]).split("=")[0]) for n in scopes.names(argument) & seen.keys()
    ) or scopes.text(argument).startswith("&")


def _changes_arguments_alone(scopes: Scopes, function: SyntaxNode) -> bool:
    """Whether all that a function changes are its locals and what its parameters stand for, and it calls nothing of the file."""
    body = function.child_by_field_name("body")
    if any(f"std::{name}" in scopes.text(body) for name in CONTAINERS):
        return False
    own = scopes.locals_of(body) | {name for p in scopes.parameters(function) for name in scopes.declared(p)}
    for node in walk(body):
        if (
            node.type in _CHANGING
            and _base(scopes, node.child_by_field_name("left") or node.child_by_field_name("argument")) not in own
        ):
            return False
        if node.type == "call_expression" and scopes.text(node.child_by_field_name("function")) in scopes.by_name:
            return False
    return True


def _with(scopes: Scopes, statement: SyntaxNode, pieces: list[tuple[SyntaxNode, str]]) -> str:
    out, at, data = [], statement.start_byte, scopes.source.written
    for node, text in sorted(pieces, key=lambda piece: piece[0].start_byte):
        out += [data[at : node.start_byte].decode(), text]
        at = node.end_byte
    return "".join([*out, data[at : statement.end_byte].decode()])


def counting_text(scopes: Scopes, statement: SyntaxNode, call: CountedCall) -> str:
    """The statement as a call of the twin."""
    pieces = [(call.callee, f"{scopes.text(call.callee)}{_TWIN}"), (call.argument, "verbatim::Sink()")]
    return _with(scopes, statement, pieces)


def twin_swaps(scopes: Scopes, call: CountedCall) -> dict[int, str]:
    """What differs in the twin of a function, by node."""
    (sink,) = scopes.declared(call.parameter)
    head: SyntaxNode = function_declarator(call.function)
    name: SyntaxNode = head.child_by_field_name("declarator")
    swaps = {call.parameter.id: f"verbatim::Sink {sink}", name.id: f"{scopes.text(name)}{_TWIN}"}
    for node in walk(call.function.child_by_field_name("body")):
        callee = node.child_by_field_name("function") if node.type == "call_expression" else None
        if callee is not None and scopes.text(callee) in _PUT:
            given = node.child_by_field_name("arguments").named_children
            swaps |= {callee.id: "verbatim::put_nowhere"} if _base(scopes, given[0]) == sink else {}
    return swaps
