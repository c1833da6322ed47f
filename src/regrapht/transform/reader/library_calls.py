"""What does not become CUDA by its nature, and what would help: well-known functions, types and statements of C++."""

from regrapht.errors import CannotTransform
from regrapht.source.library_calls import (
    REFUSED_FUNCTIONS,
    REFUSED_STATEMENTS,
    REFUSED_TYPES,
    STREAMS,
    TAKEN_TYPES,
    plain_name,
)
from regrapht.transform.ir.names import refuse
from regrapht.transform.reader.members import has_virtual_functions
from regrapht.transform.reader.syntax import SourceText, SyntaxNode


def library_refusal(source: SourceText, call: SyntaxNode) -> CannotTransform | None:
    """Why the call of a well-known function is not taken; None for any other."""
    written = source.text(call.child_by_field_name("function")).partition("<")[0]
    name = plain_name(written)
    known = REFUSED_FUNCTIONS.get("clock" if name.startswith("chrono::") else name)
    return None if known is None else refuse(f"'{written}' {known[0]}", source.line(call), known[1])


def effect_refusal(source: SourceText, node: SyntaxNode) -> CannotTransform:
    """Why an expression that stands as a statement is not taken."""
    is_call = node.type == "call_expression"
    if is_call and (known := library_refusal(source, node)) is not None:
        return known
    first = node
    while first.type == "binary_expression":
        first = first.child_by_field_name("left")
    stream = STREAMS.get(plain_name(source.text(first))) if first is not node else None
    if stream is not None:
        return refuse(f"'{source.text(node)}' {stream[0]}", source.line(node), stream[1])
    what = f"'{source.text(node)}' has an effect that is not known"
    remedy = "define it in the same file" if is_call else "leave it out" if "asm" in node.type else "assign its value"
    return refuse(what, source.line(node), remedy)


def statement_refusal(source: SourceText, node: SyntaxNode) -> CannotTransform:
    """Why a statement of a kind that the engine does not know is not taken."""
    first = source.text(node).split("\n")[0]
    what = f"statement '{first}' ({node.type.replace('_', ' ')})"
    return refuse(what, source.line(node), REFUSED_STATEMENTS.get(node.type))


def type_refusal(source: SourceText, written: str, line: int, what: str) -> CannotTransform:
    """Why a type is not taken for `what`."""
    remedy = (
        REFUSED_TYPES.get(plain_name(written.removeprefix("const ")), TAKEN_TYPES)
        if "std::" in written
        else TAKEN_TYPES
    )
    if has_virtual_functions(source, written):
        remedy = "virtual functions are not taken: call the one that is meant, of a struct without a base"
    return refuse(f"type '{written}' of {what}", line, remedy)
