"""Reading CUDA text: its tokens, and with tree-sitter its tree and the names that it declares itself."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

# tree-sitter-cuda reports an error on these, so they are blanked (same length) before parsing.
_ALIGNMENT = re.compile(rb"(?:__align__|alignas)\s*\([^()]*(?:\([^()]*\))?[^()]*\)")
_TOKEN = re.compile(
    r'(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<string>R"(?P<mark>[^()\s\\]{0,16})\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\')'
    r"|(?P<include>\#[ \t]*include[ \t]*[<\"](?P<header>[^>\"\n]+)[>\"])|(?P<word>[A-Za-z_]\w*)|(?P<number>\d[\w.']*)|(?P<other>::|->|\S)",
    re.DOTALL,
)
_NEVER = re.compile(r"^[ \t]*#[ \t]*if[ \t]+0[ \t]*\n(.*?)^[ \t]*#[ \t]*(?:else|elif|endif)", re.DOTALL | re.MULTILINE)
_DECLARING = (
    "declaration",
    "parameter_declaration",
    "optional_parameter_declaration",
    "field_declaration",
    "init_declarator",
)
_NAMED = (
    "class_specifier",
    "struct_specifier",
    "union_specifier",
    "enum_specifier",
    "enumerator",
    "alias_declaration",
    "namespace_definition",
    "namespace_alias_definition",
    "preproc_def",
    "preproc_function_def",
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a number, a punctuation mark, or a whole `#include` (its text is the header's name)."""

    kind: str
    text: str
    line: int


def tokens(source: str) -> list[Token]:
    """What is neither comment nor string nor inside `#if 0`, in order."""
    found, line, position = [], 1, 0
    for match in _TOKEN.finditer(_without_dead_code(source)):
        line += source.count("\n", position, match.start())
        position = match.start()
        kind = match.lastgroup if match.lastgroup not in ("mark", "header") else "include"
        if match["include"] is not None:
            found.append(Token("include", match["header"], line))
        elif match["word"] is not None or match["number"] is not None or match["other"] is not None:
            found.append(Token(kind or "other", match.group(0), line))
    return found


def parse(data: bytes) -> Any:
    """The root of the syntax tree, with offsets into `data`."""
    import tree_sitter
    import tree_sitter_cuda

    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_cuda.language()))
    return parser.parse(_ALIGNMENT.sub(lambda match: b" " * len(match.group(0)), data)).root_node


def declared_names(root: Any, data: bytes) -> frozenset[str]:
    """Every name that the program itself declares: functions, variables, parameters, members, types, namespaces, macros."""
    names: set[str] = set()
    stack = [root]
    while stack:
        node = stack.pop()
        stack.extend(node.children)
        if node.type in _NAMED:
            named = node.child_by_field_name("name")
            if named is not None and (node.type not in _NAMED[:4] or node.child_by_field_name("body") is not None):
                names.add(data[named.start_byte : named.end_byte].decode(errors="replace"))
        elif node.type in _DECLARING or node.type in ("function_definition", "type_definition"):
            for declarator in declarators(node):
                inner = identifier(declarator)
                names.add(data[inner.start_byte : inner.end_byte].decode(errors="replace"))
    return frozenset(names)


def declarators(node: Any) -> list[Any]:
    """The declarators of a declaration."""
    return [child for index, child in enumerate(node.children) if node.field_name_for_child(index) == "declarator"]


def function_declarator(node: Any) -> Any:
    """The declarator of a function's declaration or definition that has its parameters, or None."""
    declarator = node.child_by_field_name("declarator")
    while declarator is not None and declarator.type != "function_declarator":
        declarator = declarator.child_by_field_name("declarator")
    return declarator


def identifier(declarator: Any) -> Any:
    """The name inside nested array, pointer, reference and function declarators."""
    while declarator.type not in ("identifier", "field_identifier", "type_identifier"):
        inner = declarator.child_by_field_name("declarator") or next(
            (c for c in declarator.children if c.type.endswith(("identifier", "_declarator"))), None
        )
        if inner is None:
            break
        declarator = inner
    return declarator


def walk_up(node: Any) -> Iterator[str]:
    """The types of the nodes around one, from the inside out."""
    while (node := node.parent) is not None:
        yield node.type


def without_comments(source: str) -> str:
    """The source with comments and the insides of string literals blanked, every line kept."""

    def blank(match: re.Match[str]) -> str:
        text = match.group(0)
        kept = '"' if text[0] == '"' else ""
        inside = text[1:-1] if kept else text
        return kept + re.sub(r"[^\n]", " ", inside) + kept

    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', blank, source, flags=re.S)


def _without_dead_code(source: str) -> str:
    def blank(match: re.Match[str]) -> str:
        start, end = match.start(1) - match.start(), match.end(1) - match.start()
        text = match.group(0)
        return text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]

    return _NEVER.sub(blank, source)
