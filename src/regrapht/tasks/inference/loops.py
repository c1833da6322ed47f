"""`for` loops: the variable, and the range that its start and condition give it."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regrapht.source.syntax import line_of, text_of, walk
from regrapht.tasks.inference.bounds import ONE, Unbounded
from regrapht.tasks.inference.polynomial import Polynomial

if TYPE_CHECKING:
    from tree_sitter import Node

_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """One `for` statement over one integer variable."""

    node: "Node"
    name: str
    start: "Node"
    operator: str
    """With the variable on the left."""
    bound: "Node"
    step: int | None
    """None when it is no constant."""

    def range(self, value: Callable[["Node"], Polynomial]) -> tuple[Polynomial, Polynomial, bool]:
        """Smallest value, largest value, and whether every number from 0 up to it is taken.

        Raises:
            Unbounded: Start or bound is no value that `value` knows.
        """
        start, bound = value(self.start), value(self.bound)
        if self.operator in ("<", "<=", "!="):
            high = bound if self.operator == "<=" else bound - ONE
            return start, high, self.step == 1 and start.as_constant == 0
        low = bound if self.operator == ">=" else bound + ONE
        return low, start, self.step == -1 and low.as_constant == 0


def loop_of(node: "Node") -> Loop:
    """The loop that a `for_statement` is.

    Raises:
        Unbounded: It has no variable with a start, or no condition that bounds it.
    """
    started, condition = node.child_by_field_name("initializer"), node.child_by_field_name("condition")
    line = line_of(node)
    if started is None or condition is None:
        raise Unbounded("a loop without start or condition", line)
    for name, start in _started(started):
        for test in (part for part in walk(condition) if part.type == "binary_expression"):
            left, sign, right = (test.child_by_field_name(side) for side in ("left", "operator", "right"))
            if left is None or sign is None or right is None or text_of(sign) not in _FLIPPED:
                continue
            operator = text_of(sign)
            if text_of(right) == name:
                left, operator, right = right, _FLIPPED[operator], left
            if text_of(left) == name:
                return Loop(node=node, name=name, start=start, operator=operator, bound=right, step=_step(node, name))
    raise Unbounded("a loop whose condition does not compare its variable", line)


def loops_around(node: "Node", within: "Node") -> list[Loop]:
    """The loops that `node` is in the body of, outermost first, up to the node `within`; those that cannot be read are left out."""
    found: list[Loop] = []
    inside, outer = node, node.parent
    while outer is not None and inside.id != within.id:
        body = outer.child_by_field_name("body") if outer.type == "for_statement" else None
        if body is not None and body.start_byte <= inside.start_byte and inside.end_byte <= body.end_byte:
            with suppress(Unbounded):
                found.append(loop_of(outer))
        inside, outer = outer, outer.parent
    return found[::-1]


def _started(started: "Node") -> "list[tuple[str, Node]]":
    found = []
    for node in walk(started):
        if node.type == "init_declarator":
            name, value = node.child_by_field_name("declarator"), node.child_by_field_name("value")
        elif node.type == "assignment_expression":
            name, value = node.child_by_field_name("left"), node.child_by_field_name("right")
        else:
            continue
        if name is not None and value is not None and name.type == "identifier":
            found.append((text_of(name), value))
    return found


def _step(node: "Node", name: str) -> int | None:
    update = node.child_by_field_name("update")
    for part in walk(update) if update is not None else ():
        text = text_of(part).replace(" ", "")
        if part.type == "update_expression" and name in text:
            return 1 if "++" in text else -1
        if part.type == "assignment_expression" and text.startswith(name):
            digits = text.removeprefix(name).removeprefix("=" + name).lstrip("=")
            sign, number = digits[:1], digits[1:].lstrip("=")
            if sign in ("+", "-") and number.isdigit():
                return int(number) if sign == "+" else -int(number)
    return None
