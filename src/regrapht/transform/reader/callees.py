"""What a call names: the functions and lambdas that are written out where they are called, and which of several it is."""

from dataclasses import dataclass

from regrapht.transform.reader.scope import Scope
from regrapht.transform.reader.syntax import SourceText, SyntaxNode

_DEDUCED = ("", "auto", "decltype(auto)")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Callee:
    """A function, an operator or a lambda whose calls are written out."""

    name: str
    source: SourceText
    body: SyntaxNode
    scope: Scope
    """What its body sees besides its parameters."""
    parameters: tuple[SyntaxNode, ...] = ()
    returned: str = ""
    """The text of the type that it returns; empty where its `return` says it."""
    template: tuple[SyntaxNode, ...] = ()
    is_lambda: bool = False
    struct: str = ""
    """The struct whose objects it belongs to."""
    initialisers: tuple[SyntaxNode, ...] = ()
    """Of a constructor, what stands between its head and its body."""

    @property
    def has_value(self) -> bool:
        return self.returned != "void"

    @property
    def word(self) -> str:
        """What names of its results begin with."""
        return self.name if self.name.isidentifier() else "combined"

    def default(self, place: int) -> SyntaxNode | None:
        found: SyntaxNode | None = self.parameters[place].child_by_field_name("default_value")
        return found

    def takes(self, count: int) -> bool:
        """Whether it can be called with so many arguments."""
        return count <= len(self.parameters) and all(
            self.default(place) is not None for place in range(count, len(self.parameters))
        )


def parts_of(node: SyntaxNode) -> list[SyntaxNode]:
    """The named nodes inside, without comments."""
    return [part for part in node.named_children if part.type != "comment"]


def arguments_of(call: SyntaxNode) -> list[SyntaxNode]:
    return parts_of(call.child_by_field_name("arguments"))


def parameters_of(declarator: SyntaxNode) -> list[SyntaxNode]:
    return parts_of(declarator.child_by_field_name("parameters"))


def library_name(source: SourceText, call: SyntaxNode) -> str:
    """The name that a call has, without the namespace `std`."""
    return source.text(call.child_by_field_name("function")).removeprefix("::").removeprefix("std::")


def function_declarator(node: SyntaxNode) -> SyntaxNode | None:
    """The declarator of a function definition that has its name and its parameters."""
    declarator = node.child_by_field_name("declarator")
    while declarator is not None and declarator.type != "function_declarator":
        inner = [
            n for n in declarator.named_children if n.type.endswith("declarator")
        ]  # that of a reference has no field name
        declarator = declarator.child_by_field_name("declarator") or next(iter(inner), None)
    return declarator


def callee_of(
    name: str, node: SyntaxNode, declarator: SyntaxNode | None, source: SourceText, scope: Scope, struct: str = ""
) -> Callee:
    """A function definition, one of a struct's, or a lambda with the name that it is bound to."""
    listed_first = [child for child in node.named_children if child.type == "field_initializer_list"]
    listed = declarator.child_by_field_name("parameters") if declarator is not None else None
    parameters = parts_of(listed) if listed is not None else []
    if len(parameters) == 1 and source.text(parameters[0]) == "void":
        parameters = []
    behind = (
        [n for n in declarator.named_children if n.type == "trailing_return_type"] if declarator is not None else []
    )
    declared = node.child_by_field_name("type")
    returned = source.text(declared) if declared is not None else ""
    if behind:
        returned = source.text(behind[0]).removeprefix("->").strip()
    outside = node.parent
    is_template = outside is not None and outside.type == "template_declaration"
    template = outside.child_by_field_name("parameters").named_children if is_template else []
    return Callee(
        name=name,
        source=source,
        body=node.child_by_field_name("body"),
        scope=scope,
        parameters=tuple(parameters),
        returned="" if returned in _DEDUCED else returned,
        template=tuple(template),
        is_lambda=node.type == "lambda_expression",
        struct=struct,
        initialisers=tuple(n for one in listed_first for n in one.named_children if n.type == "field_initializer"),
    )


def called_name(source: SourceText, function: SyntaxNode) -> tuple[str, list[str]]:
    """The name that a call has, without the namespace where that is not `std`, and the arguments given to a template."""
    if function.type == "qualified_identifier" and not source.text(function).startswith("std::"):
        inner = function.child_by_field_name("name")
        return called_name(source, inner) if inner is not None else ("", [])
    if function.type == "template_function":
        given = function.child_by_field_name("arguments").named_children
        return source.text(function.child_by_field_name("name")), [source.text(one) for one in given]
    return source.text(function), []
