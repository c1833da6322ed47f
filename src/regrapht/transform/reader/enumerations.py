"""The constants of an `enum`, with their values and the type that arithmetic sees."""

from collections.abc import Mapping
from dataclasses import dataclass

from regrapht.errors import CannotTransform
from regrapht.transform.ir.expressions import Expression, Number, Unary, integer
from regrapht.transform.ir.scalar_types import canonical
from regrapht.transform.reader.context import Context
from regrapht.transform.reader.scope import Scope
from regrapht.transform.reader.syntax import SyntaxNode

_SUFFIXES = {"unsigned int": "u", "long long": "ll", "unsigned long long": "ull"}


@dataclass(frozen=True, slots=True)
class Enumeration:
    """One `enum`; its own name is empty where it has none."""

    name: str
    type: str
    """The type under it, or, where the source leaves that open, the one that its values are promoted to."""
    is_scoped: bool
    values: Mapping[str, int]

    def literal(self, name: str) -> Expression:
        """A constant of it as a number."""
        value = self.values[name]
        size = Number(f"{abs(value)}{_SUFFIXES.get(self.type, '')}", abs(value))
        return size if value >= 0 else Unary("-", size)


def read_enumeration(context: Context, node: SyntaxNode, scope: Scope) -> Enumeration | None:
    """The enumeration that `node` declares; None where it declares no constants, or one without a value that is known."""
    source, body, name = context.source, node.child_by_field_name("body"), node.child_by_field_name("name")
    if body is None:
        return None
    is_scoped = any(child.type in ("class", "struct") for child in node.children)
    base = source.base_of_enum(node)
    inside, values, following = scope.inner(), dict[str, int](), 0
    for one in body.named_children:
        if one.type != "enumerator":
            continue
        written, given = source.text(one.child_by_field_name("name")), one.child_by_field_name("value")
        value = following if given is None else _value(context, given, inside)
        if value is None:
            return None
        values[written], following = value, value + 1
        inside.names[written] = Number(written, value)
    of_constants = "int" if is_scoped else _promoted(values)
    type_name = canonical(base, context.aliases) if base else of_constants
    if type_name is None:
        return None
    return Enumeration("" if name is None else source.text(name), type_name, is_scoped, values)


def _value(context: Context, node: SyntaxNode, scope: Scope) -> int | None:
    try:
        return integer(context.read(node, scope))
    except CannotTransform:
        return None  # an error only if the function uses it, and then named there


def _promoted(values: Mapping[str, int]) -> str:
    """The type that values of an `enum` without a given type are promoted to: the first that holds all of them."""
    low, high = min(values.values(), default=0), max(values.values(), default=0)
    if low >= -(2**31) and high < 2**31:
        return "int"
    if low >= 0 and high < 2**32:
        return "unsigned int"
    return "long long" if high < 2**63 else "unsigned long long"
