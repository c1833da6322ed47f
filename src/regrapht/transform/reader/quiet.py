"""What the body of a function changes besides its own locals: where that is nothing, its arguments need no copies."""

from typing import TYPE_CHECKING

from regrapht.transform.ir.math_functions import is_math
from regrapht.transform.reader.callees import Callee, called_name
from regrapht.transform.reader.syntax import SourceText, SyntaxNode

if TYPE_CHECKING:
    from regrapht.transform.reader.statement_reader import StatementReader

_CHANGES = ("assignment_expression", "update_expression")


def changed_names(source: SourceText, body: SyntaxNode) -> set[str]:
    """The names of variables, arrays, pointers and structs of which some part is changed."""
    return {name for node in source.walk(body) if node.type in _CHANGES for name in _bases(source, _target(node))}


def is_quiet(reader: "StatementReader", callee: Callee, depth: int = 3) -> bool:
    """Whether a call changes nothing that its caller could see; False where that is not plain to see."""
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
            node.type == "call_expression" and not _is_quiet_call(reader, callee, node, depth)
        ):
            return False
    return True


def _is_quiet_call(reader: "StatementReader", callee: Callee, node: SyntaxNode, depth: int) -> bool:
    name = called_name(callee.source, node.child_by_field_name("function"))[0].removeprefix("std::")
    called = reader.inliner.callees.get(name, ()) if reader.inliner is not None else ()
    if called:
        return depth > 0 and all(is_quiet(reader, one, depth - 1) for one in called)
    return is_math(name) or name in reader.expressions.helpers


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
