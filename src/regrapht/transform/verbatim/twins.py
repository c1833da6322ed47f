"""Single functions out of `runtime/standard.h`, for device code that another has written."""

from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from regrapht.source.syntax import SyntaxNode, parse, text_of, walk
from regrapht.source.tokens import TokenKind, tokens


def twins_of(names: Iterable[str]) -> str:
    """The namespace `verbatim` with the definitions of these names and of what they use; all overloads of each."""
    known = _definitions()
    wanted: set[str] = set()
    waiting = [name for name in names if name in known]
    while waiting:
        name = waiting.pop()
        if name not in wanted:
            wanted.add(name)
            used = {token.text for text in known[name] for token in tokens(text) if token.kind is TokenKind.NAME}
            waiting += used & known.keys()
    texts = [text for name in known if name in wanted for text in known[name]]
    return "\n".join(["namespace verbatim {", *texts, "}  // namespace verbatim"])


@cache
def _definitions() -> dict[str, tuple[str, ...]]:
    """Name -> its definitions, in the header's order."""
    header = files("regrapht.transform.verbatim").joinpath("runtime", "standard.h").read_text()
    found: dict[str, tuple[str, ...]] = {}
    body = next(node for node in parse(header, cuda=True).children if node.type == "namespace_definition")
    for node in body.child_by_field_name("body").named_children:  # type: ignore[union-attr]
        if node.type != "comment" and (name := _name(node)):
            found[name] = (*found.get(name, ()), text_of(node) + (";" if "specifier" in node.type else ""))
    return found


def _name(node: SyntaxNode) -> str:
    for one in walk(node):
        if one.type in ("preproc_ifdef", "struct_specifier", "class_specifier"):
            named = one.child_by_field_name("name")
            return "VERBATIM_BUILTIN" if one.type == "preproc_ifdef" else text_of(named) if named is not None else ""
        if one.type == "function_declarator":
            named = one.child_by_field_name("declarator")
            return text_of(named) if named is not None else ""
    return ""
