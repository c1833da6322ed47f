"""Loops around a kernel's body: one turn is what one thread did."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from regrapht.bench.harvest.edits import Edits
from regrapht.bench.harvest.loop_bounds import Bound, leaves, parts_of
from regrapht.bench.harvest.thread_indices import Axis, Mode
from regrapht.source.functions import FunctionDefinition, read_unit
from regrapht.source.syntax import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_LOOPS = ("for_statement", "while_statement", "do_statement", "for_range_loop", "switch_statement")


def loops_around_elements(
    function: FunctionDefinition,
    bounds: Mapping[str, Bound],
    limits: Mapping[str, str],
    axes: Sequence[Axis],
    variables: Mapping[str, tuple[str, str]],
) -> str:
    """The kernel's body inside its loops, tests that the loops make needless left out."""
    looped = [variables[axis.axis] for axis in reversed(axes) if axis.mode is not Mode.STRIDED]
    source = text_of(function.body)
    edits = _Inside(source, function.body)
    _drop_tests(function.body, bounds, edits)
    jumps = _turn_returns(function.body, edits) if looped else False
    inner = _unwrapped(edits.apply().strip())
    if jumps:
        inner = f"{{\n{inner}\n}}\nnext_element:;"
    if not looped:
        return "{\n" + inner + "\n}"
    heads = [f"for ({kind} {name} = 0; {name} < {limits[name]}; ++{name})" for name, kind in looped]
    return "{\n  " + "\n  ".join(heads) + " {\n" + inner + "\n  }\n}"


def _unwrapped(block: str) -> str:
    """What is inside a block, and inside a block that is all of it."""
    while True:
        block = block.strip()[1:-1]
        function = read_unit(f"void f() {{{block}}}").functions
        inside = function[0].body.named_children if function else []
        if len(inside) != 1 or inside[0].type != "compound_statement" or not block.strip().startswith("{"):
            return "\n".join(line for line in block.split("\n") if line.strip())


class _Inside(Edits):
    """Edits of a node's own text, by places in the whole."""

    def __init__(self, text: str, node: "Node") -> None:
        super().__init__(text)
        self._first = node.start_byte

    def put(self, node: "Node", text: str) -> None:
        self.replace_span(node.start_byte - self._first, node.end_byte - self._first, text)


def _drop_tests(body: "Node", bounds: Mapping[str, Bound], edits: _Inside) -> None:
    needless = {bound.test.id for bound in bounds.values() if bound.exact}
    for guard in {bound.guard.id: bound.guard for bound in bounds.values()}.values():
        condition = guard.child_by_field_name("condition")
        assert condition is not None, "a guard is an if"
        early = leaves(guard)
        parts = [_bare(part) for part in parts_of(condition, "||" if early else "&&")]
        left = [text_of(part) for part in parts if part.id not in needless]
        if left:
            joined = (" || " if early else " && ").join(f"({part})" if len(left) > 1 else part for part in left)
            edits.put(condition, f"({joined})")
        elif early:
            edits.put(guard, "")
        else:
            taken = guard.child_by_field_name("consequence")
            assert taken is not None, "a guard is an if"
            edits.replace_span(guard.start_byte - body.start_byte, taken.start_byte - body.start_byte, "")


def _bare(node: "Node") -> "Node":
    while node.type in ("condition_clause", "parenthesized_expression"):
        node = node.child_by_field_name("value") or node.named_children[0]
    return node


def _turn_returns(body: "Node", edits: _Inside) -> bool:
    """`return` ends one thread, and so one turn of the loop; whether some had to become a jump out of an inner loop."""
    jumps = False
    for node in walk(body):
        if node.type != "return_statement" or _in_lambda(node, body):
            continue
        outer, nested = node.parent, False
        while outer is not None and outer.id != body.id:
            nested = nested or outer.type in _LOOPS
            outer = outer.parent
        edits.put(node, "goto next_element;" if nested else "continue;")
        jumps = jumps or nested
    return jumps


def _in_lambda(node: "Node", body: "Node") -> bool:
    outer = node.parent
    while outer is not None and outer.id != body.id:
        if outer.type == "lambda_expression":
            return True
        outer = outer.parent
    return False
