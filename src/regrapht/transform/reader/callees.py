"""What a call names: the functions and lambdas that are written out where they are called, and which of several it is."""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from regrapht.transform.ir.expressions import Expression, Number
from regrapht.transform.ir.scalar_types import canonical
from regrapht.transform.ir.scope import Binding, Pointer, Record, Scope, refuse
from regrapht.transform.reader.syntax import SourceText, SyntaxNode

if TYPE_CHECKING:
    from regrapht.transform.reader.statement_reader import StatementReader

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


@dataclass(slots=True)
class Meanings:
    """What the parameters of a template stand for in one call: names of types, and numbers."""

    types: dict[str, str] = field(default_factory=dict)
    values: dict[str, Binding] = field(default_factory=dict)


def callee_of(
    name: str, node: SyntaxNode, declarator: SyntaxNode | None, source: SourceText, scope: Scope, struct: str = ""
) -> Callee:
    """A function definition, one of a struct's, or a lambda with the name that it is bound to."""
    listed_first = [child for child in node.named_children if child.type == "field_initializer_list"]
    listed = declarator.child_by_field_name("parameters") if declarator is not None else None
    parameters = [n for n in listed.named_children if n.type != "comment"] if listed is not None else []
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


def chosen(
    reader: "StatementReader", callees: tuple[Callee, ...], given: list[Any], explicit: list[str], line: int
) -> Callee:
    """The function that a call means: the only one, the one of so many arguments, or the one of just these types.

    Raises:
        CannotTransform: None takes so many arguments, or several could be meant.
    """
    fitting = [one for one in callees if one.takes(len(given))]
    if len(fitting) > 1:
        fitting = [one for one in fitting if _takes_types(reader, one, given)]
    if len(fitting) > 1 and any(not one.template for one in fitting) and not explicit:
        fitting = [one for one in fitting if not one.template]
    if len({(one.source.text(one.body), *map(one.source.text, one.parameters)) for one in fitting}) == 1:
        fitting = fitting[:1]  # `float& at(int i)` and `const float& at(int i) const`
    name = callees[0].name
    if len(fitting) != 1:
        several = len(callees) > 1
        what = f"'{name}' is defined more than once" if several else f"call of '{name}' with {len(given)} arguments"
        raise refuse(what, line, "give each function a name of its own" if several else "give it what it declares")
    return fitting[0]


def _takes_types(reader: "StatementReader", callee: Callee, given: list[Any]) -> bool:
    """Whether the parameters have the types of the arguments; what a template or `auto` leaves open takes any."""
    names = {
        callee.source.text(n)
        for one in callee.template
        for n in callee.source.walk(one)
        if n.type.endswith("identifier")
    }
    for parameter, one in zip(callee.parameters, given, strict=False):
        written = callee.source.text(parameter.child_by_field_name("type"))
        if written in names | {"auto"} or not isinstance(one, Binding):
            continue
        struct = reader.expressions.structs.named(written)
        wanted = struct.name if struct is not None else canonical(written, reader.expressions.aliases)
        places = ("pointer_declarator", "array_declarator")
        is_pointer = any(n.type in places for n in callee.source.walk(parameter))
        if type_text(reader, one, 0) != wanted or (isinstance(one, Pointer) and one.length is None) != is_pointer:
            return False
    return True


def type_text(reader: "StatementReader", bound: Binding, line: int) -> str:
    """The type of an argument as C++ writes it; of a pointer, that of its elements."""
    if isinstance(bound, Record):
        return bound.struct
    if isinstance(bound, Pointer):
        struct = reader.expressions.structs.of_array.get(bound.array)
        elements = struct.name if struct is not None else reader.types[bound.array]
        return elements if bound.length is None else f"std::vector<{elements}>"
    assert isinstance(bound, Expression)
    return reader.type_of(bound, line)


def meanings_of(
    reader: "StatementReader", callee: Callee, given: list[Any], explicit: list[str], scope: Scope, line: int
) -> Meanings:
    """What the parameters of a template, and `auto`, stand for.

    Raises:
        CannotTransform: One follows neither from the call nor from a default.
    """
    found, source = Meanings(), callee.source
    for place, node in enumerate(callee.template):
        names = [n for n in source.walk(node) if n.type in ("identifier", "type_identifier")]
        if not names or "variadic" in node.type:
            raise refuse(f"the template '{callee.name}' with '{source.text(node)}'", line, "write it out for its types")
        name, is_type = source.text(names[0]), "type_parameter" in node.type
        default = node.child_by_field_name("default_type") or node.child_by_field_name("default_value")
        text = explicit[place] if place < len(explicit) else None
        if text is None:
            text = _deduced(reader, callee, name, given, line)
        if text is None and default is not None:
            text = source.text(default)
        if text is None:
            raise refuse(f"what '{name}' of the template '{callee.name}' is", line, f"write {callee.name}<...>(...)")
        aliases = reader.expressions.aliases
        if is_type:
            found.types[name] = canonical(text, aliases) or aliases.get(text, text)
        else:
            number = SourceText(f"auto given = {text};", line, reader.source)
            value = number.first("init_declarator").child_by_field_name("value")
            found.values[name] = reader.expressions.within(number).read(value, scope)
    return found


def _deduced(reader: "StatementReader", callee: Callee, name: str, given: list[Any], line: int) -> str | None:
    """What the first argument says whose parameter is of the type `name`, or an array or vector of it, or an array of that length."""
    for parameter, one in zip(callee.parameters, given, strict=False):
        written = callee.source.text(parameter.child_by_field_name("type"))
        if not isinstance(one, Binding):
            continue
        if written == name:
            return type_text(reader, one, line)
        if not isinstance(one, Pointer):
            continue
        if re.fullmatch(rf"(?:std::)?(?:array|vector)\s*<\s*{name}\s*[,>].*", written):
            return reader.types[one.array]
        if isinstance(one.length, Number) and re.fullmatch(rf"(?:std::)?array\s*<.*,\s*{name}\s*>", written):
            return one.length.text
    return None
