"""References to a variable, `auto& r = total;`, as that variable: what kernels do to it has one name then. Lines stay."""

import re

from regrapht.source.syntax import SourceText, SyntaxNode, declarators, declared_name, walk

_DECLARING = ("declaration", "parameter_declaration", "optional_parameter_declaration", "for_range_loop")


def with_one_name_each(text: str) -> str:
    """The text; as it is where it does not parse."""
    while True:  # a reference may be to a reference
        source = SourceText(text)
        if source.error_line is not None:
            return text
        made = (_edits(source, node) for node in source.walk() if node.type == "declaration")
        edits = next((found for found in made if found), None)
        if edits is None:
            return text
        text = source.edited(edits)


def _edits(source: SourceText, declaration: SyntaxNode) -> list[tuple[int, int, str]]:
    """What makes one reference its variable; nothing for what is none, or where a name means something else in between."""
    other = _referred(source, declaration)
    variable = _declared_before(source, declaration, other) if other is not None else None
    if other is None or variable is None or not _is_same_type(source, declaration, variable):
        return []
    name, block = source.text(declared_name(declarators(declaration)[0])), declaration.parent
    behind = [node for node in walk(block) if node.start_byte >= declaration.end_byte]
    anew = {source.text(declared_name(d)) for n in behind if n.type in _DECLARING for d in declarators(n)}
    captured = {w for n in behind if n.type == "lambda_capture_specifier" for w in re.findall(r"\w+", source.text(n))}
    if {name, other} & anew or name in captured:
        return []
    uses = [node for node in behind if node.type == "identifier" and source.text(node) == name]
    lines = "\n" * source.text(declaration).count("\n")
    return [
        (declaration.start_byte, declaration.end_byte, lines),
        *((use.start_byte, use.end_byte, other) for use in uses),
    ]


def _declared_before(source: SourceText, place: SyntaxNode, name: str) -> SyntaxNode | None:
    """The declaration of a local or parameter that a place sees under a name; None for a field, or a variable of the file."""
    node = place
    while node is not None and node.parent is not None and node.type != "function_definition":
        before = [c for c in node.parent.named_children if c.end_byte <= node.start_byte]
        inside = [each for one in before for each in ([one] if one.type in _DECLARING else _parameters(one))]
        for each in reversed(inside):
            if any(source.text(declared_name(d)) == name for d in declarators(each)):
                return each
        node = node.parent
    return None


def _parameters(declarator: SyntaxNode) -> list[SyntaxNode]:
    """The parameters of a function or a lambda, whose declarator stands before its body."""
    if not declarator.type.endswith("_declarator"):
        return []
    return [each for each in walk(declarator) if each.type in _DECLARING]


def _referred(source: SourceText, declaration: SyntaxNode) -> str | None:
    """The variable that a local is declared as a reference to; None for any other."""
    made = declarators(declaration)
    if declaration.type != "declaration" or declaration.parent.type != "compound_statement" or len(made) != 1:
        return None
    refers, value = made[0].child_by_field_name("declarator"), made[0].child_by_field_name("value")
    is_reference = refers is not None and refers.type == "reference_declarator"
    return source.text(value) if is_reference and value is not None and value.type == "identifier" else None


def _is_same_type(source: SourceText, reference: SyntaxNode, variable: SyntaxNode) -> bool:
    kinds = [source.text(node.child_by_field_name("type")) for node in (reference, variable)]
    is_plain = all(
        n.type not in ("array_declarator", "function_declarator") for d in declarators(variable) for n in walk(d)
    )
    return kinds[0] == kinds[1] or (kinds[0] == "auto" and is_plain)
