"""Declarations of locals."""

import re

from regrapht.transform.ir.expressions import integer
from regrapht.transform.ir.names import refuse
from regrapht.transform.ir.scalar_types import canonical
from regrapht.transform.ir.statements import Declare, Statement
from regrapht.transform.reader.algorithms import extremes_local
from regrapht.transform.reader.byte_counts import is_of_bytes
from regrapht.transform.reader.context import Bytes, Context
from regrapht.transform.reader.heap import heap_local, variable_array
from regrapht.transform.reader.lambdas import lambda_local
from regrapht.transform.reader.local_arrays import array_local, local_array
from regrapht.transform.reader.pointers import begins_with_pointer, pointer_local, reference_local
from regrapht.transform.reader.scope import Scope
from regrapht.transform.reader.side_effects import settled
from regrapht.transform.reader.struct_locals import constructed_local, declare_record
from regrapht.transform.reader.syntax import SourceText, SyntaxNode
from regrapht.transform.reader.vectors import vector_local

_LISTS = ("initializer_list", "argument_list")


def declaration(context: Context, node: SyntaxNode, scope: Scope) -> list[Statement]:
    words = {context.source.text(c) for c in node.children if c.type in ("type_qualifier", "storage_class_specifier")}
    if "static" in words and not words & {"const", "constexpr"}:
        raise refuse("a static local keeps its value between calls", context.source.line(node), "make it a parameter")
    out: list[Statement] = []
    for declarator in node.children_by_field_name("declarator"):
        out += _one_declaration(context, node, declarator, scope)
    return out


def _one_declaration(context: Context, node: SyntaxNode, declarator: SyntaxNode, scope: Scope) -> list[Statement]:
    line, value = context.source.line(node), None
    type_text = context.source.text(node.child_by_field_name("type"))
    if (braced := _with_braces(context, node, declarator, scope)) is not None:
        return declaration(context.within(braced), braced.first("declaration"), scope)
    if declarator.type == "init_declarator":
        value = declarator.child_by_field_name("value")
        declarator = declarator.child_by_field_name("declarator")
    is_place = declarator.type in ("pointer_declarator", "reference_declarator") or type_text == "auto"
    if is_place and value is not None and value.type in _LISTS and len(value.named_children) == 1:
        value = value.named_children[0]  # `const float* p{x + i}`
    if declarator.type == "structured_binding_declarator" and value is not None:
        return extremes_local(context, declarator, value, scope)
    if value is not None and value.type == "lambda_expression":
        return lambda_local(context, declarator, value, scope)
    if (vector := vector_local(context, type_text, declarator, value, scope)) is not None:
        return vector
    if (array := array_local(context, node, declarator, value, scope)) is not None:
        return array
    if (memory := heap_local(context, node, declarator, value, scope)) is not None:
        return memory
    is_named = declarator.type == "identifier" and value is not None
    if type_text == "auto" and is_named and begins_with_pointer(context, value, scope):
        return pointer_local(context, type_text, declarator, value, scope)
    if declarator.type == "pointer_declarator":
        return pointer_local(context, type_text, declarator, value, scope)
    if declarator.type == "reference_declarator":
        return reference_local(context, declarator, value, scope)
    if (buffer := variable_array(context, type_text, declarator, value, scope)) is not None:
        return buffer
    lengths: list[int] = []
    while declarator.type == "array_declarator":
        lengths.insert(0, _length(context, declarator.child_by_field_name("size"), scope, line))
        declarator = declarator.child_by_field_name("declarator")
    struct = context.structs.named(type_text, context.aliases)
    if declarator.type == "function_declarator" and struct is not None and not lengths:
        return constructed_local(context, declarator, struct, scope, line)
    if declarator.type != "identifier":
        raise refuse(f"declaration '{context.source.text(node)}'", line)
    written = context.source.text(declarator)
    if struct is not None and not lengths:
        return declare_record(context, written, struct, value, scope, line)
    type_name = declared_type(context, node, value, scope, written)
    if lengths:
        return local_array(context, node, Declare(type_name, written, None, line, tuple(lengths)), value, scope)
    if value is None:
        return [Declare(type_name, context.declare(written, type_name, scope), None, line)]
    before, read = context.value(value, scope)
    name = context.declare(written, type_name, scope)
    if name not in context.mutable and is_of_bytes(context.source, value):
        context.bytes[name] = Bytes(context.source, value, scope)
    return settled(before, [Declare(type_name, name, read, line)])


def _with_braces(context: Context, node: SyntaxNode, declarator: SyntaxNode, scope: Scope) -> SourceText | None:
    """`int k{m};` of `int k(m);`, which tree-sitter takes for a function; None of all else."""
    function = declarator
    while function is not None and function.type == "pointer_declarator":
        function = function.child_by_field_name("declarator")
    type_text = context.source.text(node.child_by_field_name("type"))
    if function is None or function.type != "function_declarator" or context.structs.named(type_text, context.aliases):
        return None
    given = context.source.text(function.child_by_field_name("parameters"))
    first = re.match(r"\(\s*(\w+)", given)
    if first is None or scope.find(first[1]) is None or canonical(type_text, context.aliases) is None:
        return None
    words = [context.source.text(c) for c in node.children if c.type == "type_qualifier"]
    text = context.source.text(declarator)
    at = text.rindex(given)
    return SourceText(
        f"{' '.join([*words, type_text])} {text[:at]}{{{given[1:-1]}}};", context.source.line(node), context.source
    )


def alias(context: Context, node: SyntaxNode, scope: Scope) -> list[Statement]:
    """`using real = float;` in a function: such names are of the whole file here, so each has to be of one type."""
    name = context.source.text(node.child_by_field_name("name") or node.child_by_field_name("declarator"))
    if name not in context.aliases:
        raise refuse(f"'{name}' names several types", context.source.line(node), "give each a name of its own")
    return []


def declared_type(context: Context, node: SyntaxNode, value: SyntaxNode | None, scope: Scope, name: str) -> str:
    text, line = context.source.text(node.child_by_field_name("type")), context.source.line(node)
    if text != "auto":
        return context.type_name(text, line, f"'{name}'")
    if value is None or begins_with_pointer(context, value, scope):
        raise refuse(f"'auto {name}'", line, "write the type out")
    _, read = context.value(value, scope)
    return context.type_of(read, line)


def _length(context: Context, node: SyntaxNode | None, scope: Scope, line: int) -> int:
    length = integer(context.read(node, scope)) if node else None
    if length is None:
        raise refuse("a local array without a constant length", line, "give it a constant length")
    return length
