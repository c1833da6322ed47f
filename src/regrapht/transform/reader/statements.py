"""Statements of tree-sitter's C++ syntax tree to those of the IR."""

from collections.abc import Callable

from regrapht.transform.ir.buffers import without_useless_fills
from regrapht.transform.ir.expressions import ONE, Expression, Number, Variable, mentions
from regrapht.transform.ir.idioms import assignment, conditional_extreme
from regrapht.transform.ir.names import refuse
from regrapht.transform.ir.statement_walk import assigned_variables
from regrapht.transform.ir.statements import Break, Continue, If, Return, Statement
from regrapht.transform.reader.assignments import changed_place, checked, keeps_values
from regrapht.transform.reader.bound_values import operated_assignment
from regrapht.transform.reader.call_statements import call_statement
from regrapht.transform.reader.callees import parts_of
from regrapht.transform.reader.context import Context, Fork
from regrapht.transform.reader.control_flow import do_loop, for_loop, range_loop, switch, while_loop
from regrapht.transform.reader.declarations import alias, declaration
from regrapht.transform.reader.enumerations import read_enumeration
from regrapht.transform.reader.expressions import read_condition
from regrapht.transform.reader.heap import is_free
from regrapht.transform.reader.library_calls import effect_refusal, statement_refusal
from regrapht.transform.reader.pointers import pointer_assignment, require_same
from regrapht.transform.reader.scope import Scope
from regrapht.transform.reader.side_effects import settled
from regrapht.transform.reader.struct_locals import assign_record, deduced_return, returned_record
from regrapht.transform.reader.syntax import SyntaxNode


def read_block(context: Context, node: SyntaxNode | None, scope: Scope) -> list[Statement]:
    """The statements of a block, or of the one statement that stands where a block could."""
    if node is None:
        return []
    parts = node.named_children if node.type == "compound_statement" else [node]
    return _in_order(context, list(parts), scope.inner())


def _in_order(context: Context, nodes: list[SyntaxNode], scope: Scope) -> list[Statement]:
    """The statements of a block; what follows buffers that change places is read once for each place that they may have."""
    out: list[Statement] = []
    waiting, context.fork = list(nodes), None
    while waiting:
        out += context.statement(waiting.pop(0), scope)
        if context.fork is not None:
            fork, context.fork = context.fork, None
            return out + _forked(context, fork, waiting, scope)
    return without_useless_fills(out)


def _forked(context: Context, fork: Fork, nodes: list[SyntaxNode], scope: Scope) -> list[Statement]:
    """What follows in the block where the pointers were declared.

    Raises:
        CannotTransform: They were declared further outside.
    """
    moved = [name for name, place in fork.before.items() if fork.after[name] != place]
    outside = [name for name in moved if name not in scope.names]
    if outside:
        raise refuse(f"'{outside[0]}' changes places in an inner loop", fork.line, "declare it beside that loop")
    branches = []
    for places in (fork.before, fork.after):
        for name in moved:
            scope.rebind(name, places[name])
        branches.append(_in_order(context, nodes, scope))
    return [If(fork.even, branches[0], branches[1], fork.line)] if any(branches) else []


def read_statement(context: Context, node: SyntaxNode, scope: Scope) -> list[Statement]:
    """One statement, as none, one or several of the engine's.

    Raises:
        CannotTransform: It is of a kind that the engine does not take.
    """
    if node.type in ("comment", "preproc_call", "empty_statement", "static_assert_declaration", ";"):
        return []
    read = _READERS.get(node.type)
    if read is None:
        raise statement_refusal(context.source, node)
    return read(context, node, scope)


def _expression(context: Context, node: SyntaxNode, scope: Scope) -> list[Statement]:
    parts = parts_of(node)
    return context.effect(parts[0], scope) if parts else []


def read_effect(context: Context, node: SyntaxNode, scope: Scope) -> list[Statement]:
    """What an expression that stands as a statement does."""
    line, text = context.source.line(node), context.source.text(node)
    match node.type:
        case "parenthesized_expression":
            return context.effect(node.named_children[0], scope)
        case "comma_expression":
            return [s for part in node.named_children for s in context.effect(part, scope)]
        case "cast_expression" if context.source.text(node.child_by_field_name("type")) == "void":
            unused = node.child_by_field_name("value")
            return [] if unused.type == "identifier" else context.value(unused, scope)[0]
        case "update_expression":
            before, target = context.gathered(
                lambda: changed_place(context, node.child_by_field_name("argument"), scope)
            )
            return [
                *before,
                checked(context, assignment(target, "+=" if "++" in text else "-=", ONE, line, context.types)),
            ]
        case "assignment_expression":
            return _assignment(context, node, scope)
        case "delete_expression" if is_free(context, node, scope):
            return []
        case "call_expression":
            called = call_statement(context, node, scope)
            if called is not None:
                return called
    raise effect_refusal(context.source, node)


def _assignment(context: Context, node: SyntaxNode, scope: Scope) -> list[Statement]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    line, operator = context.source.line(node), context.source.text(node.child_by_field_name("operator"))
    if operator == "=" and (moved := pointer_assignment(context, left, right, scope)) is not None:
        return moved
    if operator == "=" and (copied := assign_record(context, left, right, scope)) is not None:
        return copied
    if operator != "=" and (changed := operated_assignment(context, node, scope)) is not None:
        return changed
    before: list[Statement] = []
    if right.type == "assignment_expression":
        before = context.effect(right, scope)
        value: Expression = changed_place(context, right.child_by_field_name("left"), scope)
    else:
        before, value = context.value(right, scope)
    inside, target = context.gathered(lambda: changed_place(context, left, scope))
    if any(mentions(value, Variable(name)) for name in assigned_variables(inside)):
        raise refuse(f"'{context.source.text(node)}' reads and changes a variable", line, "use two statements")
    return settled([*before, *inside], [checked(context, assignment(target, operator, value, line, context.types))])


def _if(context: Context, node: SyntaxNode, scope: Scope) -> list[Statement]:
    clause, line = node.child_by_field_name("condition"), context.source.line(node)
    tested = clause.child_by_field_name("value") or clause.named_children[0]
    before, condition = context.gathered(lambda: read_condition(context, tested, scope))
    alternative = node.child_by_field_name("alternative")
    if isinstance(condition, Number) and condition.text in ("true", "false"):
        kept = node.child_by_field_name("consequence") if condition.value else None
        kept = kept or (alternative.named_children[-1] if alternative and not condition.value else None)
        return [*before, *context.block(kept, scope)]
    places = scope.pointers()
    then = context.block(node.child_by_field_name("consequence"), scope)
    require_same(places, scope, line)
    otherwise = context.block(alternative.named_children[-1], scope) if alternative else []
    require_same(places, scope, line)
    extreme = conditional_extreme(condition, then, otherwise)
    if extreme and keeps_values(context, extreme):
        return [*before, checked(context, extreme)]
    return [*before, If(condition, then, otherwise, line)]


def _return(context: Context, node: SyntaxNode, scope: Scope) -> list[Statement]:
    if not node.named_children:
        return [Return(None, context.source.line(node))]
    if context.deduced is not None and context.returned is None and node.named_children[0].type != "initializer_list":
        return deduced_return(context, context.deduced, node.named_children[0], scope)
    if context.returned is not None:
        return returned_record(context, context.returned, node.named_children[0], scope)
    before, value = context.value(node.named_children[0], scope)
    return [*before, Return(value, context.source.line(node))]


def _continue(context: Context, node: SyntaxNode, scope: Scope) -> list[Statement]:
    return [Continue(context.source.line(node))]


def _break(context: Context, node: SyntaxNode, scope: Scope) -> list[Statement]:
    return [Break(context.source.line(node))]


def _enumeration(context: Context, node: SyntaxNode, scope: Scope) -> list[Statement]:
    """The constants of a local `enum`."""
    found = read_enumeration(context, node, scope)
    if found is None:
        raise refuse(f"'{context.source.text(node)}'", context.source.line(node), "give its constants known values")
    for name in found.values:
        scope.names[f"{found.name}::{name}"] = found.literal(name)
        if not found.is_scoped:
            scope.names[name] = found.literal(name)
    return []


def _struct(context: Context, node: SyntaxNode, scope: Scope) -> list[Statement]:
    """A local struct: those of the whole file are read before its functions are."""
    name = node.child_by_field_name("name")
    if name is None or context.structs.named(context.source.text(name)) is None:
        raise statement_refusal(context.source, node)
    return []


def _using(context: Context, node: SyntaxNode, scope: Scope) -> list[Statement]:
    """`using namespace X;` and its like: names are looked up without their namespaces here."""
    return []


_READERS: dict[str, Callable[[Context, SyntaxNode, Scope], list[Statement]]] = {
    "declaration": declaration,
    "alias_declaration": alias,
    "type_definition": alias,
    "expression_statement": _expression,
    "if_statement": _if,
    "for_statement": for_loop,
    "for_range_loop": range_loop,
    "while_statement": while_loop,
    "do_statement": do_loop,
    "switch_statement": switch,
    "return_statement": _return,
    "continue_statement": _continue,
    "break_statement": _break,
    "compound_statement": read_block,
    "enum_specifier": _enumeration,
    "struct_specifier": _struct,
    "class_specifier": _struct,
    "using_declaration": _using,
}
