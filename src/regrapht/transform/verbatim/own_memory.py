"""Memory that a function makes and frees itself, as vectors: those the launcher keeps on the device, and turns in their scratch.

`T* p = (T*)malloc(...)`, `calloc`, `new T[n]` with the `free` or `delete[]` of `p` in the same function, `std::unique_ptr<T[]>`, and arrays
whose length a variable says. Lines stay. What cannot be told to live as long as its block is left as it is.
"""

import re
from collections.abc import Iterator

from regrapht.source.library_calls import MAKES_ARRAY
from regrapht.source.syntax import SourceText, SyntaxNode, bare, declarators, declared_name, walk

_OWNER = re.compile(r"std::unique_ptr\s*<\s*(.+?)\s*\[\s*\]\s*>", re.DOTALL)
_Edit = tuple[int, int, str]


def with_memory_as_vectors(text: str) -> str:
    """The text; as it is where it does not parse."""
    source = SourceText(text)
    if source.error_line is not None:
        return text
    return source.edited(edit for node in source.walk() for edit in _edits(source, node))


def _edits(source: SourceText, node: SyntaxNode) -> Iterator[_Edit]:
    if node.type != "declaration" or node.parent.type != "compound_statement" or len(declarators(node)) != 1:
        return
    declarator = declarators(node)[0]
    if declarator.type == "array_declarator":
        yield from _variable_length(source, node, declarator)
    if declarator.type != "init_declarator":
        return
    name, value = source.text(declared_name(declarator)), declarator.child_by_field_name("value")
    kind = source.text(node.child_by_field_name("type"))
    rest = [each for each in node.parent.children if each.start_byte >= node.end_byte]
    inner: SyntaxNode = declarator.child_by_field_name("declarator")
    if inner.type == "identifier" and (kind == "auto" or _OWNER.fullmatch(kind)):
        owned = _owned(source, value)
        if owned is not None and all(
            source.text(use.parent) == f"{name}.get" or _is_read(use) for use in _uses(source, rest, name)
        ):
            yield (
                node.start_byte,
                node.end_byte,
                _in_lines(source, node, f"std::vector<{owned[0]}> {name}({owned[1]});"),
            )
            for use in _uses(source, rest, name):
                if source.text(use.parent) == f"{name}.get":
                    yield use.parent.start_byte, use.parent.end_byte, f"{name}.data"
            return
    made = _made(source, value, name)
    frees = [each for each in rest for each in walk(each) if _frees(source, each, name)]
    if made is None or not frees or (kind != "auto" and kind != made[0]):
        return
    uses = [use for use in _uses(source, rest, name) if not any(_inside(use, free) for free in frees)]
    if made[0] != "bool" and all(map(_is_read, uses)):
        text = f"std::vector<{made[0]}> {name}({made[1]});"
    else:
        text = _with_pointer(made[0], name, made[1])
    yield node.start_byte, node.end_byte, _in_lines(source, node, text)
    for each in frees:
        yield each.start_byte, each.end_byte, ";"


def _with_pointer(kind: str, name: str, count: str) -> str:
    held = "char" if kind == "bool" else kind  # a vector of bools has no elements to point to
    cast = f"({kind}*)" if held != kind else ""
    return f"std::vector<{held}> {name}_owned({count}); {kind}* {name} = {cast}{name}_owned.data();"


def _variable_length(source: SourceText, node: SyntaxNode, declarator: SyntaxNode) -> Iterator[_Edit]:
    """`T row[n];`, whose length a variable of the function says."""
    inner, size = declarator.child_by_field_name("declarator"), declarator.child_by_field_name("size")
    if inner.type != "identifier" or size is None or "static" in source.text(node):
        return
    around = node.parent
    while around is not None and around.type != "function_definition":
        around = around.parent
    used = {source.text(n) for n in walk(size) if n.type == "identifier"}
    name = source.text(inner)
    sized = any(n.type == "sizeof_expression" and name in source.text(n) for n in walk(node.parent))
    if around is not None and not sized and used & _variables(source, around):
        text = _with_pointer(source.text(node.child_by_field_name("type")), name, source.text(size))
        yield node.start_byte, node.end_byte, _in_lines(source, node, text)


def _variables(source: SourceText, function: SyntaxNode) -> set[str]:
    """What a function declares that is no constant of the compiler."""
    found = set()
    for each in walk(function):
        if each.type in ("declaration", "parameter_declaration"):
            for one in declarators(each):
                value = one.child_by_field_name("value")
                is_known = value is not None and not any(
                    n.type in ("identifier", "call_expression") for n in walk(value)
                )
                if "constexpr" not in source.text(each) and not (is_known and source.text(each).startswith("const ")):
                    found.add(source.text(declared_name(one)))
    return found


def _inside(node: SyntaxNode, around: SyntaxNode) -> bool:
    return bool(around.start_byte <= node.start_byte and node.end_byte <= around.end_byte)


def _in_lines(source: SourceText, node: SyntaxNode, text: str) -> str:
    return " ".join(text.split()) + "\n" * source.text(node).count("\n")


def _uses(source: SourceText, nodes: list[SyntaxNode], name: str) -> list[SyntaxNode]:
    return [n for each in nodes for n in walk(each) if n.type == "identifier" and source.text(n) == name]


def _is_read(use: SyntaxNode) -> bool:
    """Whether a use of an owner is that of an element."""
    around = use.parent
    return bool(around.type == "subscript_expression" and around.child_by_field_name("argument").id == use.id)


def _owned(source: SourceText, value: SyntaxNode) -> tuple[str, str] | None:
    """The elements' type and number of what an owner of an array is made of."""
    if value.type in ("argument_list", "initializer_list"):
        value = value.named_children[0] if len(value.named_children) == 1 else value
    if value.type == "new_expression":
        return _made(source, value)
    if value.type != "call_expression":
        return None
    makes = MAKES_ARRAY.fullmatch(source.text(value.child_by_field_name("function")))
    given = value.child_by_field_name("arguments").named_children
    is_unique = makes is not None and "unique" in source.text(value.child_by_field_name("function"))
    return (makes[2], source.text(given[0])) if makes is not None and is_unique and len(given) == 1 else None


def _made(source: SourceText, value: SyntaxNode, name: str = "") -> tuple[str, str] | None:
    """The elements' type and number of what an expression makes; `name` is what is declared with it, which it may have the size of."""
    if value.type == "new_expression":
        kind, declarator = value.child_by_field_name("type"), value.child_by_field_name("declarator")
        after = value.child_by_field_name("arguments")
        if declarator is None or declarator.type != "new_declarator" or (after is not None and after.named_children):
            return None
        length = declarator.child_by_field_name("length")
        inner = [n for n in declarator.named_children if n.type == "new_declarator"]
        return None if length is None or inner else (source.text(kind), source.text(length))
    call: SyntaxNode = bare(value)
    told = source.text(value)
    if call.type != "call_expression":
        return None
    kind_of = re.match(
        r"\(\s*([\w: ]+?)\s*\*\s*\)|static_cast\s*<\s*([\w: ]+?)\s*\*\s*>|reinterpret_cast\s*<\s*([\w: ]+?)\s*\*\s*>",
        told,
    )
    function = source.text(call.child_by_field_name("function")).split("::")[-1]
    given = [source.text(each) for each in call.child_by_field_name("arguments").named_children]
    if kind_of is None or function not in ("malloc", "calloc"):
        return None
    kind_text = next(each for each in kind_of.groups() if each)
    own = re.compile(rf"sizeof\s*(?:\(\s*\*\s*{name}\s*\)|\*\s*{name}\b)")
    bytes_text = own.sub(f"sizeof({kind_text})", " * ".join(f"(std::size_t)({each})" for each in given))
    if name and re.search(rf"\b{name}\b", bytes_text):
        return None
    return kind_text, f"({bytes_text}) / sizeof({kind_text})"


def _frees(source: SourceText, node: SyntaxNode, name: str) -> bool:
    """Whether a statement frees a pointer."""
    if node.type != "expression_statement" or not node.named_children:
        return False
    return (
        re.fullmatch(rf"(?:(?:std)?(?:::)?free\s*\(\s*{name}\s*\)|delete\s*\[\s*\]\s*{name})\s*;", source.text(node))
        is not None
    )
