"""The scratch memory that turns need for containers of their own: whether, and how much."""

import re
from dataclasses import dataclass

from regrapht.source.syntax import SyntaxNode, declarators
from regrapht.transform.verbatim.independence import Turns
from regrapht.transform.verbatim.rendering import CONTAINERS
from regrapht.transform.verbatim.scopes import Scopes, walk

_NAME = re.compile(r"\b[A-Za-z_]\w*\b")
_HELD = re.compile(rf"\bstd::({'|'.join(sorted(CONTAINERS))})\b")
_BY_REFERENCE = re.compile(r"const\s+std::vector<[^;{}&]*>\s*&")


@dataclass(frozen=True, slots=True)
class ScratchSizes:
    """Answers for the texts of one file."""

    scopes: Scopes

    def needs_scratch(self, text: str, makers: list[SyntaxNode]) -> bool:
        """Whether a text has containers of its own, itself or in what it calls and declares; `makers` are the statements that it is of."""
        known, waiting = set[str](), set(_NAME.findall(text))
        if _HELD.search(_BY_REFERENCE.sub("", text)):
            return True
        while waiting:
            name = waiting.pop()
            if name in known:
                continue
            known.add(name)
            nodes = [
                *self.scopes.by_name.get(name, ()),
                *([self.scopes.classes[name]] if name in self.scopes.classes else []),
            ]
            for node in nodes:
                inside = _BY_REFERENCE.sub("", self.scopes.text(node))
                if _HELD.search(inside) and self._is_local(name, makers):
                    return True
                waiting |= set(_NAME.findall(inside)) - known
        return False

    def _is_local(self, name: str, makers: list[SyntaxNode]) -> bool:
        """Whether a type is one that turns make objects of, rather than one that the launcher hands over."""
        if name not in self.scopes.classes:
            return True
        return any(
            node.type == "declaration" and re.search(rf"\b{name}\b", self.scopes.text(node)) is not None
            for holder in makers
            for node in walk(holder)
        )

    def bytes_of(self, turns: Turns) -> str:
        """What a turn's containers may need: four times its share of the arrays, what is declared with a length, and some more."""
        exact = [self._declared_bytes(d.parent, d) for d in turns.private.values()]
        seen = self.scopes.visible(turns.loop)
        fixed = seen.keys() - self.scopes.targets(turns.loop) - self.scopes.locals_of(turns.loop) - turns.moves.keys()
        for node in walk(turns.body):
            if node.type == "declaration":
                for declarator in declarators(node):
                    length = _length_of(declarator)
                    if length is not None and self.scopes.names(length) <= fixed and not _calls(length):
                        exact.append(self._declared_bytes(node, declarator))
        return " + ".join(["4 * verbatim::given_bytes / vb_count", *(text for text in exact if text), "4096"])

    def _declared_bytes(self, declaration: SyntaxNode, declarator: SyntaxNode) -> str:
        """What a vector that is declared with a length takes, with the vectors that are its elements; empty for any other."""
        length = _length_of(declarator)
        return "" if length is None else self._vector_bytes(declaration.child_by_field_name("type"), length.parent)

    def _vector_bytes(self, kind: SyntaxNode, arguments: SyntaxNode) -> str:
        held = re.fullmatch(r"std::vector\s*<(.*)>", self.scopes.text(kind).strip(), re.DOTALL)
        if held is None:
            return ""
        count, *value = arguments.named_children
        each, more = f"(long long)sizeof({held[1]})", ""
        if (
            value
            and value[0].type == "call_expression"
            and "std::vector" in self.scopes.text(value[0].named_children[0])
        ):
            inner = value[0].child_by_field_name("arguments")
            of = self._vector_bytes(value[0].child_by_field_name("function"), inner) if inner.named_children else ""
            if of:
                each, more = f"({each} + {of})", f" + {of}"  # one is made before it is copied
        return f"{each} * (long long)({self.scopes.text(count)}) + 64{more}"


def _length_of(declarator: SyntaxNode) -> SyntaxNode | None:
    """The length that a container is declared with, where it is declared with arguments."""
    arguments = declarator.child_by_field_name("parameters") or declarator.child_by_field_name("value")
    if arguments is None or arguments.type not in ("argument_list", "parameter_list") or not arguments.named_children:
        return None
    return arguments.named_children[0]


def _calls(node: SyntaxNode) -> bool:
    return any(each.type == "call_expression" for each in walk(node))
