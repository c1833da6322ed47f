"""Lambdas that are bound to a local: calls of them are written out, where they stand, over what they captured."""

import re

from regrapht.transform.ir.expressions import Variable
from regrapht.transform.ir.names import refuse
from regrapht.transform.ir.statements import Declare, Statement
from regrapht.transform.reader.callees import Callee, callee_of
from regrapht.transform.reader.changes import changed_names
from regrapht.transform.reader.context import Context
from regrapht.transform.reader.scope import Binding, Pointer, Record, Scope
from regrapht.transform.reader.syntax import SyntaxNode


def lambda_local(context: Context, declarator: SyntaxNode, value: SyntaxNode, scope: Scope) -> list[Statement]:
    """The declaration of a lambda: copies of the variables that it holds by value and that may change later.

    Raises:
        CannotTransform: It holds an array or a walking pointer by value that changes, or is `mutable`.
    """
    name = context.source.text(declarator)
    out, scope.lambdas[name] = lambda_callee(context, name, value, scope)
    return out


def lambda_callee(context: Context, name: str, value: SyntaxNode, scope: Scope) -> tuple[list[Statement], Callee]:
    """The copies that a lambda makes, and what its calls are.

    Raises:
        CannotTransform: As `lambda_local`.
    """
    source, line, heading = context.source, context.source.line(value), value.child_by_field_name("declarator")
    words = source.text(value)[: value.child_by_field_name("body").start_byte - value.start_byte]
    if re.search(r"\bmutable\b", words):
        raise refuse(f"the lambda '{name}' changes what it holds (mutable)", line, "capture by reference")
    inside = scope.inner()
    out = _made(context, value, scope, inside)
    for captured in _by_value(context, value, scope):
        declared, held = _kept(context, captured, value, scope)
        out += declared
        if held is not None:
            inside.names[captured] = held
    return out, callee_of(name, value, heading, source, inside)


def _made(context: Context, value: SyntaxNode, scope: Scope, inside: Scope) -> list[Statement]:
    """Locals for what a lambda holds under a name of its own: `[half = x / 2]`."""
    out: list[Statement] = []
    for capture in _own(context, value):
        line, name = context.source.line(capture), context.source.text(capture.child_by_field_name("left"))
        held = context.read(capture.child_by_field_name("right"), scope)
        made = context.fresh(name, context.type_of(held, line))
        out.append(Declare(context.types[made], made, held, line))
        inside.names[name] = Variable(made)
    return out


def _own(context: Context, value: SyntaxNode) -> list[SyntaxNode]:
    """The captures with a name and a value of their own; `[&x = y]` is none of them."""
    listed = value.child_by_field_name("captures").named_children
    made = [one for one in listed if one.type == "lambda_capture_initializer"]
    return [one for one in made if not context.source.text(one).startswith("&")]


def _by_value(context: Context, value: SyntaxNode, scope: Scope) -> list[str]:
    """The names of what a lambda holds by value.

    Raises:
        CannotTransform: A capture is no name.
    """
    source = context.source
    listed, own = source.text(value.child_by_field_name("captures")).strip()[1:-1], set()
    for made in _own(context, value):
        listed = listed.replace(source.text(made), "", 1)
        own.add(source.text(made.child_by_field_name("left")))
    captures = [one.strip() for one in listed.split(",") if one.strip()]
    if odd := [one for one in captures if not re.fullmatch(r"&|=|&?\s*[A-Za-z_]\w*", one) or one == "this"]:
        raise refuse(f"the capture '{odd[0]}' of a lambda", source.line(value), "capture variables by their names")
    names = [one for one in captures if one[0] not in "&="]
    if "=" in captures:
        references = {one[1:].strip() for one in captures if one[0] == "&"}
        used = dict.fromkeys(
            source.text(n) for n in source.walk(value.child_by_field_name("body")) if n.type == "identifier"
        )
        names += [one for one in used if one not in references and one not in names]
    return [one for one in names if one not in own and scope.find(one) is not None]


def _kept(context: Context, name: str, value: SyntaxNode, scope: Scope) -> tuple[list[Statement], Binding | None]:
    """A copy of what a lambda holds by value, where it may change later; None where the name will do."""
    line, found = context.source.line(value), scope.find(name)
    if isinstance(found, Variable) and found.name in context.mutable:
        copied = _copy(context, found, line)
        return [copied], Variable(copied.name)
    if isinstance(found, Record):
        parts = {field: part for field, part in found.fields.items() if isinstance(part, Variable)}
        if len(parts) != len(found.fields):
            raise refuse(f"'{name}' is captured by value with an array inside", line, "capture it by reference")
        copies = {field: _copy(context, part, line) for field, part in parts.items()}
        return list(copies.values()), Record(found.struct, {field: Variable(one.name) for field, one in copies.items()})
    if isinstance(found, Pointer):
        is_own = found.length is not None or name in _local_arrays(context, value)
        if found.counter is not None or (is_own and name in changed_names(context.source, _around(value))):
            raise refuse(f"'{name}' is captured by value and changes later", line, "capture it by reference")
        return [], found
    return [], None


def _copy(context: Context, variable: Variable, line: int) -> Declare:
    name = context.fresh(f"{variable.name}_held", context.types[variable.name])
    return Declare(context.types[name], name, variable, line)


def _around(node: SyntaxNode) -> SyntaxNode:
    while node.parent is not None and node.type != "function_definition":
        node = node.parent
    return node


def _local_arrays(context: Context, node: SyntaxNode) -> set[str]:
    inside = [n for n in context.source.walk(_around(node)) if n.type == "array_declarator"]
    return {context.source.text(n.child_by_field_name("declarator")) for n in inside}
