"""Outputs that are counts which a comparison of floats ends: how many steps a ray takes until it is near enough, say.

Where two floats are equal but for their last bits, a GPU's own sine takes the count one step further than the CPU's. That is not to be
seen from the outside as long as the count is compared exactly, so that a function is left for one element of a hundred thousand.
"""

import re
from collections.abc import Iterator

from regrapht.records.task import ArgKind, Task
from regrapht.source.functions import FunctionDefinition, read_unit
from regrapht.source.syntax import LOOPS, SyntaxNode, declarators, declared_name, text_of, walk

_FLOATS = frozenset({"float", "double"})
_FLOAT_NUMBER = re.compile(r"\d*\.\d|\d\.|\d[eE][-+]?\d")
_COMPARISONS = frozenset({"<", ">", "<=", ">="})


def counts_by_floats(task: Task) -> frozenset[str]:
    """The names of integer outputs that are set to a count which comparisons of floats decide, in the reference's own function."""
    unit = read_unit(task.reference.source.text)
    found = unit.named(task.entry)
    outputs = {arg.name for arg in task.outputs if arg.kind is ArgKind.ARRAY and not arg.dtype.is_float}
    if len(found) != 1 or not outputs:
        return frozenset()
    body: SyntaxNode = found[0].body
    counters = set(_counters(body, _floats(found[0])))
    return frozenset(name for name in outputs if (given := _given(body, name)) and given <= counters)


def _floats(function: FunctionDefinition) -> set[str]:
    """The names of a function's floats, parameters and locals."""
    body: SyntaxNode = function.body
    declared = [
        text_of(declared_name(one))
        for node in _nodes(body)
        if node.type == "declaration" and text_of(node.child_by_field_name("type")) in _FLOATS
        for one in declarators(node)
    ]
    return {*declared, *(one.name for one in function.parameters if one.type_text in _FLOATS)}


def _counters(body: SyntaxNode, floats: set[str]) -> Iterator[str]:
    """Variables that go up by one in a loop that a comparison of floats ends."""
    for loop in _nodes(body):
        if loop.type in LOOPS and any(_compares(one, floats) for one in _exits(loop)):
            yield from (text_of(node.child_by_field_name("argument")) for node in _nodes(loop) if _goes_up(node))


def _exits(loop: SyntaxNode) -> Iterator[SyntaxNode]:
    """What is asked before the loop goes on: its condition, and those of `if (...) break`."""
    if (condition := loop.child_by_field_name("condition")) is not None:
        yield condition
    body = loop.child_by_field_name("body")
    for node in _own(body) if body is not None else ():
        if node.type == "if_statement" and any(one.type == "break_statement" for one in _own(node)):
            yield node.child_by_field_name("condition")


def _own(node: SyntaxNode) -> Iterator[SyntaxNode]:
    """A node and what is below it, without loops inside of it."""
    yield node
    for child in node.named_children:
        if child.type not in LOOPS:
            yield from _own(child)


def _compares(condition: SyntaxNode, floats: set[str]) -> bool:
    return any(
        node.type == "binary_expression"
        and text_of(node.child_by_field_name("operator")) in _COMPARISONS
        and any(_is_float(text_of(node.child_by_field_name(side)), floats) for side in ("left", "right"))
        for node in _nodes(condition)
    )


def _is_float(text: str, floats: set[str]) -> bool:
    return bool(_FLOAT_NUMBER.search(text)) or not floats.isdisjoint(re.findall(r"[A-Za-z_]\w*", text))


def _goes_up(node: SyntaxNode) -> bool:
    return node.type == "update_expression" and text_of(node).replace(" ", "").strip("()").count("++") == 1


def _given(body: SyntaxNode, array: str) -> set[str]:
    """The names and expressions that elements of an array are set to; empty where it is changed otherwise."""
    given = set()
    for node in _nodes(body):
        if node.type not in ("assignment_expression", "update_expression"):
            continue
        target = node.child_by_field_name("left" if node.type == "assignment_expression" else "argument")
        if target is None or not re.match(rf"\(*\**{array}\b", text_of(target)):
            continue
        if node.type == "update_expression" or text_of(node.child_by_field_name("operator")) != "=":
            return set()
        given.add(text_of(node.child_by_field_name("right")))
    return given


def _nodes(node: SyntaxNode) -> Iterator[SyntaxNode]:
    yield from walk(node)
