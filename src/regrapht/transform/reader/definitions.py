"""What a file defines, as its text says it: functions, lambdas with names, other names of types."""

import re
from collections.abc import Iterable

from regrapht.transform.reader.callees import function_declarator, parameters_of
from regrapht.transform.reader.changes import is_changeable_reference
from regrapht.transform.reader.members import Method, is_static, struct_around
from regrapht.transform.reader.syntax import SourceText, SyntaxNode


class Definitions:
    """The functions of a file by name, those of structs that belong to an object left out."""

    def __init__(self, source: SourceText) -> None:
        self.source = source
        self.declarators: dict[str, SyntaxNode] = {}
        self.overloads: dict[str, list[SyntaxNode]] = {}
        """All definitions of a name."""
        self.nodes = self._functions()
        """The last definition of a name."""
        self.by_reference = {
            name: self.changeable(one) for name, one in {**self.declarators, **self._lambdas()}.items()
        }
        """The places of the arguments that each function or lambda may change."""

    def _functions(self) -> dict[str, SyntaxNode]:
        found = {}
        for node in self.source.walk():
            if node.type == "function_definition":
                declarator = function_declarator(node)
                of_object = struct_around(self.source, node) is not None and not is_static(self.source, node)
                if declarator is not None and not of_object:
                    name = re.sub(r"\s+", "", self.source.text(declarator.child_by_field_name("declarator")))
                    self.overloads.setdefault(name, []).append(node)
                    found[name], self.declarators[name] = node, declarator
        for name, nodes in list(self.overloads.items()):
            if len(nodes) > 1 and any(struct_around(self.source, node) is not None for node in nodes):
                del self.overloads[name], found[name], self.declarators[name]  # which one is meant, its struct says
        return found

    def _lambdas(self) -> dict[str, SyntaxNode]:
        """The declarators of lambdas, by the names that they are bound to."""
        bound = [n for n in self.source.walk() if n.type == "init_declarator"]
        pairs = [(n.child_by_field_name("declarator"), n.child_by_field_name("value")) for n in bound]
        found = {self.source.text(name): value for name, value in pairs if value.type == "lambda_expression"}
        declarators = {name: value.child_by_field_name("declarator") for name, value in found.items()}
        return {name: node for name, node in declarators.items() if node is not None}

    def changeable(self, declarator: SyntaxNode) -> tuple[int, ...]:
        """The places of a helper's parameters that are references through which it may change something."""
        nodes = parameters_of(declarator)
        pairs = [(place, n, n.child_by_field_name("declarator")) for place, n in enumerate(nodes)]
        return tuple(k for k, n, inner in pairs if inner is not None and is_changeable_reference(self.source, n, inner))

    def needed(self, entry: str, methods: Iterable[Method]) -> list[str]:
        """Helpers that the entry calls, directly or not, in the order of the file."""
        found, todo = set(), [entry, *(name for name in self.nodes if name.startswith("operator"))]
        bodies = [method.node for method in methods]
        while todo or bodies:
            wholes, bodies = [*bodies, *(self.overloads[todo.pop()] if todo else ())], []
            for node in (part for whole in wholes for part in self.source.walk(whole)):
                name = self.source.text(node) if node.type == "identifier" else ""
                if name in self.nodes and name not in found and name != entry:
                    found.add(name)
                    todo.append(name)
        return [name for name in self.nodes if name in found]


def type_aliases(source: SourceText) -> dict[str, str]:
    """`typedef float real;` and `using real = float;`, in functions too; no name that stands for several types."""
    found: dict[str, set[str]] = {}
    for node in source.walk():
        if node.type in ("type_definition", "alias_declaration"):
            name = node.child_by_field_name("name") or node.child_by_field_name("declarator")
            if name.type == "type_identifier":
                found.setdefault(source.text(name), set()).add(source.text(node.child_by_field_name("type")))
    return {name: next(iter(types)) for name, types in found.items() if len(types) == 1}
