"""Assembler that changes nothing: taken out, a program can be emulated that would be refused for it alone."""

import re

from regrapht.source.syntax import SourceText, SyntaxNode, text_of, walk

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_WITHOUT_EFFECT = re.compile(
    r"(prefetchu?|nanosleep|applypriority|pragma|\.pragma|griddepcontrol\.launch_dependents)\b[^;]*"
)


def without_idle_assembly(source: str) -> str:
    """`source` without its assembler statements that have no effect on memory or values: empty ones, prefetches, sleeps.

    Lines stay where they are. What stands in a macro is left alone.
    """
    text = SourceText(source, cuda=True)
    data = text.written
    idle = [node for node in walk(text.root) if node.type == "gnu_asm_expression" and _is_idle(node)]
    for node in reversed(idle):
        lines = data[node.start_byte : node.end_byte].count(b"\n")
        data = data[: node.start_byte] + b"((void)0)" + b"\n" * lines + data[node.end_byte :]
    return data.decode("utf-8", "replace") if idle else source


def _is_idle(node: SyntaxNode) -> bool:
    if node.parent.type != "expression_statement":
        return False
    template = node.child_by_field_name("assembly_code")
    if template is None:
        return False
    literals = re.findall(r'"((?:[^"\\]|\\.)*)"', text_of(template))
    said = "".join(literals).replace("\\n", "\n").replace("\\t", "\t").replace("\\r", "")
    instructions = [each.strip() for each in re.split(r"[;\n]", _COMMENT.sub("", said)) if each.strip()]
    outputs = node.child_by_field_name("output_operands")
    written = re.findall(r'"([=+])', text_of(outputs)) if outputs is not None else []
    if not instructions:
        return "=" not in written
    return not written and all(_WITHOUT_EFFECT.fullmatch(each) for each in instructions)
