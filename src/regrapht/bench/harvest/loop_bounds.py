"""How far a thread's index goes: read from the test that keeps surplus threads out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regrapht.bench.harvest.thread_indices import plain_locals, stores_of
from regrapht.source.syntax import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_ARITHMETIC = (
    "binary_expression",
    "parenthesized_expression",
    "cast_expression",
    "number_literal",
    "identifier",
    "unary_expression",
)
_PARTS = (*_ARITHMETIC, "type_descriptor", "primitive_type", "sized_type_specifier", "type_identifier")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """`variable < limit` holds wherever the kernel does anything."""

    variable: str
    limit: str
    """C++ over the kernel's parameters and the file's constants."""
    test: "Node"
    """The comparison in the text."""
    guard: "Node"
    """The `if` that it stands in."""
    exact: bool
    """Whether the comparison says just that, so that a loop up to the limit makes it needless."""


def read_bounds(body: "Node", variables: Sequence[str], outside: frozenset[str]) -> dict[str, Bound]:
    """The bounds of these variables; those without one are left out.

    Args:
        body: The kernel's body.
        variables: Names that a loop is to count.
        outside: Names that mean the same for every thread: parameters that are never changed, macros, constants.
    """
    known = _uniform_locals(body, outside)
    copies = _copies(body, variables)
    found: dict[str, Bound] = {}
    for guard, comparisons in _guards(body):
        for left, operator, right, test, alone in comparisons:
            for side, sign, other in ((left, operator, right), (right, _FLIPPED[operator], left)):
                name = _meant(text_of(_bare(side)), copies, guard)
                if name not in variables or name in found or sign not in ("<", "<="):
                    continue
                limit = _limit(other, outside, known)
                if limit is not None:
                    limit = f"{limit} + 1" if sign == "<=" else limit
                    found[name] = Bound(variable=name, limit=limit, test=test, guard=guard, exact=alone)
    return found


def parts_of(test: "Node", operator: str) -> "Iterator[Node]":
    """The parts of `a && b && c`, parentheses around the whole taken off."""
    test = _bare(test)
    if test.type == "binary_expression" and text_of(test.children[1]) == operator:
        yield from parts_of(test.children[0], operator)
        yield from parts_of(test.children[2], operator)
    else:
        yield test


def leaves(guard: "Node") -> bool:
    """Whether an `if` without an else does nothing but return."""
    taken = guard.child_by_field_name("consequence")
    if guard.type != "if_statement" or taken is None or guard.child_by_field_name("alternative") is not None:
        return False
    inside = (
        [part for part in taken.named_children if part.type != "comment"]
        if taken.type == "compound_statement"
        else [taken]
    )
    return len(inside) == 1 and inside[0].type == "return_statement"


def _copies(body: "Node", variables: Sequence[str]) -> dict[str, tuple[str, int]]:
    """Locals that start as one of the variables -> which, and the place from which on they may be something else."""
    found = {}
    for statement in body.named_children:
        for declarator in statement.children_by_field_name("declarator") if statement.type == "declaration" else ():
            named, value = declarator.child_by_field_name("declarator"), declarator.child_by_field_name("value")
            if named is not None and value is not None and text_of(_bare(value)) in variables:
                changed = [store.start_byte for store in stores_of(body, text_of(named))]
                found[text_of(named)] = text_of(_bare(value)), min(changed, default=body.end_byte)
    return found


def _meant(name: str, copies: Mapping[str, tuple[str, int]], guard: "Node") -> str:
    variable, until = copies.get(name, (name, guard.end_byte + 1))
    return variable if guard.start_byte < until else name


def _guards(body: "Node") -> "Iterator[tuple[Node, list[tuple[Node, str, Node, Node, bool]]]]":
    """Each test that everything depends on, with its certain comparisons: left, operator, right, the node, whether it stands alone."""
    statements = [part for part in body.named_children if part.type != "comment"]
    for position, statement in enumerate(statements):
        condition = statement.child_by_field_name("condition") if statement.type == "if_statement" else None
        if condition is None:
            if not _is_harmless(statement):
                return
            continue
        if leaves(statement):
            yield statement, [found for part in parts_of(condition, "||") for found in _comparisons(part, holds=False)]
            continue
        rest = statements[position + 1 :]
        if statement.child_by_field_name("alternative") is None and all(_is_harmless(other) for other in rest):
            yield statement, [found for part in parts_of(condition, "&&") for found in _comparisons(part, holds=True)]
        return


def _comparisons(part: "Node", *, holds: bool, alone: bool = True) -> "Iterator[tuple[Node, str, Node, Node, bool]]":
    """The comparisons that are certain to hold where the guarded code runs."""
    part = _bare(part)
    if part.type == "unary_expression" and text_of(part.children[0]) == "!":
        inner = list(parts_of(part.children[1], "||" if holds else "&&"))
        for one in inner:
            yield from _comparisons(one, holds=not holds, alone=False)
    elif part.type == "binary_expression" and (operator := text_of(part.children[1])) in _NEGATED:
        sign = operator if holds else _NEGATED[operator]
        yield part.children[0], sign, part.children[2], part, alone


def _is_harmless(statement: "Node") -> bool:
    """A declaration, or a change of locals only: no array is written before it or behind it."""
    if statement.type in (
        "preproc_call",
        "using_declaration",
        "type_definition",
        "alias_declaration",
        "return_statement",
    ):
        return True
    if statement.type not in ("declaration", "expression_statement"):
        return False
    for part in walk(statement):
        target = part.child_by_field_name("left") if part.type == "assignment_expression" else None
        if part.type == "update_expression":
            target = part.child_by_field_name("argument")
        if target is not None and target.type != "identifier":
            return False
        if part.type == "call_expression" and statement.type == "expression_statement":
            return False
    return True


def _uniform_locals(body: "Node", outside: frozenset[str]) -> Mapping[str, str]:
    """Locals that are the same for every thread, with what they are in outside names."""
    known: dict[str, str] = {}
    for declaration, _, name, value in plain_locals(body):
        if declaration.parent is not None and declaration.parent.id == body.id:
            limit = _limit(value, outside, known)
            if limit is not None:
                known[name] = limit if limit.isidentifier() or limit.isdigit() else f"({limit})"
    return known


def _limit(node: "Node", outside: frozenset[str], known: Mapping[str, str]) -> str | None:
    """An expression over outside names; None where it depends on the thread or on data."""
    text, at, made = text_of(node), 0, []
    data = text.encode()
    for part in walk(node):
        if part.is_named and part.type not in _PARTS:
            return None
        if part.type == "identifier":
            name = text_of(part)
            if name not in outside and name not in known:
                return None
            start, end = part.start_byte - node.start_byte, part.end_byte - node.start_byte
            made.append(data[at:start].decode() + known.get(name, name))
            at = end
    return "".join(made) + data[at:].decode()


def _bare(node: "Node") -> "Node":
    while node.type in ("condition_clause", "parenthesized_expression", "cast_expression"):
        node = node.child_by_field_name("value") or node.named_children[0]
    return node
