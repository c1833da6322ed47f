"""A file's text with the standard library's names in full: aliases of its containers, and names that a `using` lets one shorten.

What a container becomes depends on where it is, on a turn's stack or in the launcher, so its name has to be seen there. Lines stay.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from regrapht.source.syntax import SourceText, SyntaxNode, walk
from regrapht.transform.verbatim.rendering import CONTAINERS, STANDARD

_CONTAINER = re.compile(rf"\bstd\s*::\s*({'|'.join(sorted(CONTAINERS))})\b")
_NAMED = STANDARD | CONTAINERS
_ALIASES = ("alias_declaration", "type_definition")


@dataclass(frozen=True, slots=True)
class _Alias:
    """One name of a type."""

    parameters: tuple[str, ...]
    written: str
    declaration: SyntaxNode

    def sees(self, use: SyntaxNode) -> bool:
        around = self.declaration.parent
        if around.type == "template_declaration":
            around = around.parent
        return bool(self.declaration.end_byte <= use.start_byte and use.end_byte <= around.end_byte)


def spelled_out(text: str) -> str:
    """The text; as it is where it does not parse."""
    for _ in range(4):  # an alias may name an alias
        source = SourceText(text)
        if source.error_line is not None:
            return text
        edits = {*_qualified(source), *_aliased(source)}
        if not edits:
            return text
        text = source.edited(edits)
    return text


def _qualified(source: SourceText) -> Iterator[tuple[int, int, str]]:
    """`std::` before names that `using namespace std` or `using std::NAME` brings in; names that the file declares stay its own."""
    usings = {source.text(node).replace(" ", "") for node in source.walk() if node.type == "using_declaration"}
    brought = _NAMED if "usingnamespacestd;" in usings else {n for n in _NAMED if f"usingstd::{n};" in usings}
    if not brought:
        return
    own = {
        source.text(node.child_by_field_name("declarator"))
        for node in source.walk()
        if node.type == "function_declarator"
    }
    own |= {
        source.text(name)
        for node in source.walk()
        if node.type in ("struct_specifier", "class_specifier", *_ALIASES, "init_declarator", "parameter_declaration")
        and (name := node.child_by_field_name("name") or node.child_by_field_name("declarator")) is not None
    }
    for node in source.walk():
        name = source.text(node)
        if node.type not in ("identifier", "type_identifier") or name not in brought - own:
            continue
        around = node.parent
        is_template = around.type in ("template_type", "template_function")
        outer = around.parent if is_template else around
        if outer.type in ("qualified_identifier", "using_declaration", "field_expression"):
            continue
        is_call = around.type == "call_expression" and around.child_by_field_name("function").id == node.id
        if is_template or is_call:
            yield node.start_byte, node.start_byte, "std::"


def _aliased(source: SourceText) -> Iterator[tuple[int, int, str]]:
    """Containers in the place of their aliases."""
    aliases: dict[str, list[_Alias]] = {}
    for node in source.walk():
        if node.type in _ALIASES and (found := _alias(source, node)) is not None:
            aliases.setdefault(found[0], []).append(found[1])
    for node in source.walk() if aliases else ():
        if node.type != "type_identifier" or source.text(node) not in aliases:
            continue
        seen = [one for one in aliases[source.text(node)] if one.sees(node)]
        if not seen or not _CONTAINER.search(seen[-1].written) or node.parent.type == "qualified_identifier":
            continue
        alias, place, text = seen[-1], node, seen[-1].written
        if alias.parameters:
            if node.parent.type != "template_type":
                continue
            place = node.parent
            given = [source.text(one) for one in place.child_by_field_name("arguments").named_children]
            if len(given) != len(alias.parameters):
                continue
            for name, value in zip(alias.parameters, given, strict=True):
                text = re.sub(rf"\b{name}\b", value.replace("\\", ""), text)
        yield place.start_byte, place.end_byte, text


def _alias(source: SourceText, node: SyntaxNode) -> tuple[str, _Alias] | None:
    """(name, what it stands for) of one alias of a whole type."""
    name = node.child_by_field_name("name") or node.child_by_field_name("declarator")
    kind = node.child_by_field_name("type")
    if name is None or kind is None or name.type != "type_identifier":
        return None
    parameters: tuple[str, ...] = ()
    if node.parent.type == "template_declaration":
        own = node.parent.child_by_field_name("parameters")
        parameters = tuple(source.text(each) for each in walk(own) if each.type == "type_identifier")
    return source.text(name), _Alias(parameters, " ".join(source.text(kind).split()), node)
