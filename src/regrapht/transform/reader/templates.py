"""What the parameters of a template stand for: in one call of it, or in the one way in which the file uses it, where it is the entry."""

import re
from dataclasses import dataclass, field

from regrapht.transform.ir.expressions import Number
from regrapht.transform.ir.names import refuse
from regrapht.transform.ir.scalar_types import canonical
from regrapht.transform.reader.callees import Callee, parameters_of
from regrapht.transform.reader.context import Context
from regrapht.transform.reader.overloads import type_text
from regrapht.transform.reader.scope import Binding, Pointer, Scope
from regrapht.transform.reader.syntax import SourceText, SyntaxNode


@dataclass(slots=True)
class Meanings:
    """What the parameters of a template stand for in one call: names of types, and numbers."""

    types: dict[str, str] = field(default_factory=dict)
    values: dict[str, Binding] = field(default_factory=dict)


def meanings_of(
    context: Context, callee: Callee, given: list[Binding | None], explicit: list[str], scope: Scope, line: int
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
            text = _deduced(context, callee, name, given, line)
        if text is None and default is not None:
            text = source.text(default)
        if text is None:
            raise refuse(f"what '{name}' of the template '{callee.name}' is", line, f"write {callee.name}<...>(...)")
        aliases = context.aliases
        if is_type:
            found.types[name] = canonical(text, aliases) or aliases.get(text, text)
        else:
            found.values[name] = context.read_text(text, line, scope)
    return found


def _deduced(context: Context, callee: Callee, name: str, given: list[Binding | None], line: int) -> str | None:
    """What the first argument says whose parameter is of the type `name`, or an array or vector of it, or an array of that length."""
    for parameter, one in zip(callee.parameters, given, strict=False):
        written = callee.source.text(parameter.child_by_field_name("type"))
        if not isinstance(one, Binding):
            continue
        if written == name:
            return type_text(context, one, line)
        if not isinstance(one, Pointer):
            continue
        if re.fullmatch(rf"(?:std::)?(?:array|vector)\s*<\s*{name}\s*[,>].*", written):
            return context.types[one.array]
        if isinstance(one.length, Number) and re.fullmatch(rf"(?:std::)?array\s*<.*,\s*{name}\s*>", written):
            return one.length.text
    return None


_POINTERS = ("pointer_declarator", "abstract_pointer_declarator")


def instance_of(source: SourceText, node: SyntaxNode, declarator: SyntaxNode, name: str) -> dict[str, str] | None:
    """The text that each parameter of the function template stands for; None where the function is no template.

    They are those of an explicit instantiation (`template void f<float>(...);`), of the calls that name them, or the defaults.

    Raises:
        CannotTransform: The file uses it for several types, or does not say for which.
    """
    outside, line = node.parent, source.line(node)
    if outside is None or outside.type != "template_declaration":
        return None
    parameters = parameters_of(outside)
    names = [_name(source, one) for one in parameters]
    if any(one is None or "variadic" in n.type for one, n in zip(names, parameters, strict=True)):
        raise refuse(f"'{name}' is a template with '{source.text(outside.child_by_field_name('parameters'))}'", line)
    defaults = [
        one.child_by_field_name("default_type") or one.child_by_field_name("default_value") for one in parameters
    ]
    ways: list[tuple[str | None, ...]] = []
    for explicit, types in _uses(source, declarator, name, node):
        found: list[str | None] = []
        for place, (parameter, default) in enumerate(zip(names, defaults, strict=True)):
            said = explicit[place] if place < len(explicit) else _told(source, declarator, parameter or "", types)
            found.append(said or (source.text(default) if default is not None else None))
        ways.append(tuple(found))
    if not ways and all(default is not None for default in defaults):
        ways = [tuple(source.text(default) for default in defaults)]
    known = [way for way in dict.fromkeys(ways) if None not in way]
    if len(known) != 1:
        what = f"'{name}' is a template" + (" that the file uses for several types" if known else "")
        raise refuse(what, line, f"write it out for its types, or add one: template void {name}<float>(...);")
    return {parameter: said for parameter, said in zip(names, known[0], strict=True) if parameter and said}


def _name(source: SourceText, parameter: SyntaxNode) -> str | None:
    names = [n for n in source.walk(parameter) if n.type in ("identifier", "type_identifier")]
    is_type = "type_parameter" in parameter.type
    named = names[:1] if is_type else [n for n in names if n.type == "identifier"][:1]
    return source.text(named[0]) if named else None


def _uses(
    source: SourceText, declarator: SyntaxNode, name: str, definition: SyntaxNode
) -> list[tuple[list[str], list[str]]]:
    """Explicit arguments and types of the parameters for each use of the template."""
    out: list[tuple[list[str], list[str]]] = []
    for node in source.walk():
        if node.type == "template_instantiation":
            inner = node.child_by_field_name("declarator")
            while inner is not None and inner.type != "function_declarator":
                inner = inner.child_by_field_name("declarator")
            named = inner.child_by_field_name("declarator") if inner is not None else None
            if named is not None and _plain(source, named) == name:
                types = [_type(source, n) for n in inner.child_by_field_name("parameters").named_children]
                out.append((_explicit(source, named), types))
        elif node.type == "call_expression" and not _inside(node, definition):
            function = node.child_by_field_name("function")
            if _plain(source, function) == name and (explicit := _explicit(source, function)):
                out.append((explicit, []))
    return out


def _plain(source: SourceText, named: SyntaxNode) -> str:
    return source.text(named).split("<")[0].rpartition("::")[2].strip()


def _explicit(source: SourceText, named: SyntaxNode) -> list[str]:
    if named.type == "qualified_identifier":
        named = named.child_by_field_name("name")
    if named.type != "template_function":
        return []
    return [source.text(one) for one in named.child_by_field_name("arguments").named_children]


def _inside(node: SyntaxNode, outer: SyntaxNode) -> bool:
    return bool(outer.start_byte <= node.start_byte and node.end_byte <= outer.end_byte)


def _type(source: SourceText, parameter: SyntaxNode) -> str:
    """The type of a parameter, or of what it points to, with a star for each pointer."""
    stars = "*" * sum(n.type in _POINTERS for n in source.walk(parameter))
    return source.text(parameter.child_by_field_name("type")) + stars


def _told(source: SourceText, declarator: SyntaxNode, name: str, types: list[str]) -> str | None:
    """What the types of an instantiation say that a type parameter is."""
    own = parameters_of(declarator)
    for parameter, told in zip(own, types, strict=False):
        written = _type(source, parameter)
        stars = written.removeprefix(name)
        if written.startswith(name) and not stars.strip("*") and told.endswith(stars):
            return told.removesuffix(stars) if stars else told
    return None
