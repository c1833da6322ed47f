"""What the text of a body changes: its names, and whether it changes more than its own locals."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from regrapht.transform.ir.math_functions import is_math
from regrapht.transform.reader.callees import Callee, arguments_of, called_name
from regrapht.transform.reader.syntax import SourceText, SyntaxNode

_CHANGES = ("assignment_expression", "update_expression")


@dataclass(frozen=True, slots=True)
class Changes:
    """Names that a function's body changes, as written; heads of plain `for` loops do not count."""

    assigned: frozenset[str]
    stepped: frozenset[str]
    """By `++`, `+=` and the like: a pointer of that name walks."""


def changes_in(source: SourceText, body: SyntaxNode, by_reference: Mapping[str, tuple[int, ...]]) -> Changes:
    """What the code below `body` may change by name. `by_reference` has the places of arguments that helpers may change."""
    assigned, stepped = set(), set()
    for node in source.walk(body):
        assigned |= _handed_out(source, node, by_reference)
        if node.type not in ("assignment_expression", "update_expression"):
            continue
        target = node.child_by_field_name("left") or node.child_by_field_name("argument")
        if target.type != "identifier":
            continue
        name = source.text(target)
        if node.type == "update_expression" or source.text(node.child_by_field_name("operator")) in ("+=", "-="):
            stepped.add(name)
        if node.parent is None or node.parent.type != "for_statement":
            assigned.add(name)
    return Changes(frozenset(assigned), frozenset(stepped))


def _handed_out(source: SourceText, node: SyntaxNode, by_reference: Mapping[str, tuple[int, ...]]) -> set[str]:
    """Names that a call or a reference may change from now on."""
    given: list[SyntaxNode] = []
    if node.type == "call_expression":
        function = node.child_by_field_name("function")
        field = function.child_by_field_name("field") if function.type == "field_expression" else function
        name = source.text(field).rpartition("::")[2].split("<")[0]
        places = {*by_reference.get(name, ()), *by_reference.get(f".{name}", ())}
        listed = arguments_of(node)
        given = [listed[place] for place in places if place < len(listed)]
    elif node.type == "init_declarator" and is_changeable_reference(source, node.parent, node):
        given = [node.child_by_field_name("value")]
    return {source.text(one) for one in given if one is not None and one.type == "identifier"}


def is_changeable_reference(source: SourceText, declaration: SyntaxNode, declarator: SyntaxNode) -> bool:
    """Whether a declaration makes a reference through which something may be changed."""
    inner = declarator.child_by_field_name("declarator") if declarator.type == "init_declarator" else declarator
    words = {source.text(child) for child in declaration.children if child.type == "type_qualifier"}
    return inner is not None and inner.type == "reference_declarator" and "const" not in words


def changed_names(source: SourceText, body: SyntaxNode) -> set[str]:
    """The names of variables, arrays, pointers and structs of which some part is changed."""
    return {name for node in source.walk(body) if node.type in _CHANGES for name in _bases(source, _target(node))}


def is_pure(callee: Callee, callees: Mapping[str, tuple[Callee, ...]], known: Collection[str], depth: int = 3) -> bool:
    """Whether a call changes nothing that its caller could see; False where that is not plain to see.

    Calls of `callees` are looked into so deep; functions that are `known` by name change nothing.
    """
    source, parameters = callee.source, callee.parameters
    plain = [n for n in parameters if n.child_by_field_name("declarator") is not None]
    own = {source.text(n.child_by_field_name("declarator")) for n in plain}
    for node in source.walk(callee.body):
        if node.type == "declaration":
            own |= {name for one in node.children_by_field_name("declarator") for name in _declared(source, one)}
    for node in source.walk(callee.body):
        if node.type in _CHANGES and not _changes_own(source, _target(node), own):
            return False
        if node.type == "lambda_expression" or (
            node.type == "call_expression" and not _is_pure_call(callee.source, node, callees, known, depth)
        ):
            return False
    return True


def _is_pure_call(
    source: SourceText, node: SyntaxNode, callees: Mapping[str, tuple[Callee, ...]], known: Collection[str], depth: int
) -> bool:
    name = called_name(source, node.child_by_field_name("function"))[0].removeprefix("std::")
    called = callees.get(name, ())
    if called:
        return depth > 0 and all(is_pure(one, callees, known, depth - 1) for one in called)
    return is_math(name) or name in known


def _declared(source: SourceText, declarator: SyntaxNode) -> set[str]:
    """The name of a local that is a value of its own: no pointer and no reference."""
    if declarator.type == "init_declarator":
        declarator = declarator.child_by_field_name("declarator")
    return {source.text(declarator)} if declarator.type == "identifier" else set()


def _changes_own(source: SourceText, target: SyntaxNode, own: set[str]) -> bool:
    while target.type in ("field_expression", "parenthesized_expression"):
        if target.type == "field_expression" and source.text(target.child_by_field_name("operator")) != ".":
            return False
        target = target.child_by_field_name("argument") or target.named_children[0]
    return target.type == "identifier" and source.text(target) in own


def _target(node: SyntaxNode) -> SyntaxNode:
    return node.child_by_field_name("left") or node.child_by_field_name("argument")


def _bases(source: SourceText, target: SyntaxNode) -> set[str]:
    """The name that the place of a change begins with."""
    while target.type != "identifier":
        inner = target.child_by_field_name("argument") or next(iter(target.named_children), None)
        if inner is None:
            return set()
        target = inner
    return {source.text(target)}
