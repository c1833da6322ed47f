"""Types that a function declares for itself, before the function: a kernel sees them there, and only such types may be handed to one.

Lines stay. A type that names variables, types or template parameters of its function is left where it is.
"""

from collections.abc import Iterator

from regrapht.source.syntax import SourceText, SyntaxNode, declarators, declared_name, function_declarator, walk

_TYPES = ("struct_specifier", "class_specifier", "union_specifier", "enum_specifier")
_DECLARING = ("declaration", "parameter_declaration", "optional_parameter_declaration", *_TYPES)
_Edit = tuple[int, int, str]


def before_their_functions(text: str) -> str:
    """The text; as it is where it does not parse."""
    for _ in range(8):  # a type may name one that was declared before it
        source = SourceText(text)
        edits = [] if source.error_line is not None else next(_moves(source), [])
        if not edits:
            return text
        text = source.edited(edits)
    return text


def _moves(source: SourceText) -> Iterator[list[_Edit]]:
    """What moves one type each."""
    for node in source.walk():
        if node.type in _TYPES and node.child_by_field_name("body") is not None:
            function = _function_around(node)
            if function is not None and (found := _move(source, node, function)):
                yield found


def _function_around(node: SyntaxNode) -> SyntaxNode | None:
    """The function in whose blocks a type is declared; None for one in another type, and in a function template."""
    around = node.parent
    if around.type == "declaration":
        around = around.parent
    if around.type not in ("compound_statement", "case_statement", "for_statement"):
        return None
    while around is not None and around.type not in ("function_definition", "lambda_expression"):
        around = around.parent
    is_plain = around is not None and around.type == "function_definition"
    return around if is_plain and around.parent.type != "template_declaration" else None


def _move(source: SourceText, node: SyntaxNode, function: SyntaxNode) -> list[_Edit]:
    name, is_declaration = node.child_by_field_name("name"), node.parent.type == "declaration"
    if name is None and (is_declaration or node.type != "enum_specifier"):
        return []
    used = {source.text(n) for n in walk(node) if n.type in ("identifier", "type_identifier")}
    if any(n.type.startswith("preproc") for n in walk(node)) or used & _names_before(source, node, function):
        return []
    outside = {source.text(n) for n in source.walk() if n.type.endswith("identifier") and not _within(n, function)}
    constants = {source.text(n.child_by_field_name("name")) for n in walk(node) if n.type == "enumerator"}
    if constants & outside:
        return []
    own = source.text(name) if name is not None else ""
    new = f"{own}_of_{_name_of(source, function)}" if own in outside else own
    start, end = node.start_byte, node.end_byte
    lines = "\n" * source.text(node).count("\n")
    left = f"{new}{lines}" if is_declaration else lines
    follows = node.next_sibling
    if not is_declaration and follows is not None and source.text(follows) == ";":
        end = follows.end_byte
    edits = [(start, end, left), (function.start_byte, function.start_byte, _in_a_line(source, node, own, new) + "; ")]
    if new != own:
        inside = [n for n in walk(function) if n.type == "type_identifier" and source.text(n) == own]
        edits += [(n.start_byte, n.end_byte, new) for n in inside if not _within(n, node)]
    return edits


def _names_before(source: SourceText, node: SyntaxNode, function: SyntaxNode) -> set[str]:
    """What a function declares outside of one of its types: variables, parameters, types."""
    found = set()
    for each in walk(function):
        if each.type in _DECLARING and not _within(each, node):
            named = [each.child_by_field_name("name")] if each.type in _TYPES else declarators(each)
            found |= {source.text(declared_name(one)) for one in named if one is not None}
    inside = {source.text(declared_name(d)) for each in walk(node) if each.type in _MEMBERS for d in declarators(each)}
    return (
        found
        - inside
        - ({source.text(node.child_by_field_name("name"))} if node.child_by_field_name("name") else set())
    )


_MEMBERS = ("declaration", "parameter_declaration", "optional_parameter_declaration", "field_declaration")


def _in_a_line(source: SourceText, node: SyntaxNode, own: str, new: str) -> str:
    """A type's text without comments and without ends of lines, under its new name."""
    out, at, data = [], node.start_byte, source.written
    for each in walk(node):
        is_own = each.type in ("type_identifier", "identifier") and new != own and source.text(each) == own
        if (each.type == "comment" or is_own) and each.start_byte >= at:
            out += [data[at : each.start_byte].decode(), new if is_own else " "]
            at = each.end_byte
    return " ".join("".join([*out, data[at : node.end_byte].decode()]).split())


def _name_of(source: SourceText, function: SyntaxNode) -> str:
    declarator = function_declarator(function)
    return source.text(declarator.child_by_field_name("declarator")).split("::")[-1] if declarator is not None else "f"


def _within(node: SyntaxNode, outer: SyntaxNode) -> bool:
    return bool(outer.start_byte <= node.start_byte and node.end_byte <= outer.end_byte)
