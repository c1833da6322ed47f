"""How the outer names of a turn get into its kernel: numbers and pointers as parameters of their own types, anything else as its bytes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from regrapht.source.syntax import SyntaxNode, declarators, declared_name
from regrapht.transform.verbatim.counting import TURN
from regrapht.transform.verbatim.scopes import Scopes

_BUILT_IN = ("primitive_type", "sized_type_specifier")
_STANDARD = re.compile(r"std::(u?int(8|16|32|64)_t|size_t|ptrdiff_t)")
_DECLARING = ("parameter_declaration", "declaration")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter of a kernel, and what a launch gives for it."""

    name: str
    argument: str
    kind: str | None = None
    """Its type as it is written; None where the kernel is a template over it."""
    opened: str = ""
    """The line that makes the outer name of it, where the parameter is not that name itself."""


def moved_by_turn(name: str, kind: str | None) -> str:
    """The declaration of a turn's own copy of what the loop moves."""
    if kind is not None and kind.endswith("*"):
        return f"{kind} {name} = vb_m_{name} + {TURN} * vb_b_{name};"
    return f"auto {name} = verbatim::moved(vb_m_{name}, {TURN} * vb_b_{name});"


def opened_bytes(name: str) -> str:
    """The line that makes a name of the bytes that were handed over for it."""
    return f"const auto& {name} = verbatim::open(vb_h_{name});"


def number(name: str) -> Parameter:
    """A count that goes by the same name in launcher and kernel."""
    return Parameter(name=name, argument=name, kind="long long")


def opaque(name: str, argument: str = "") -> Parameter:
    """What is of a type that is not spelled out; it goes by the same name in launcher and kernel where no argument is given."""
    return Parameter(name=name, argument=argument or name)


def head(name: str, parameters: Sequence[Parameter]) -> str:
    """The declaration of a kernel, without its semicolon."""
    open_ = [p for p in parameters if p.kind is None]
    kinds = {p.name: f"const T{k}" for k, p in enumerate(open_)}
    template = f"template <{', '.join(f'class T{k}' for k in range(len(open_)))}> " if open_ else ""
    return f"{template}__global__ void {name}({', '.join(f'{p.kind or kinds[p.name]} {p.name}' for p in parameters)})"


def own_type(scopes: Scopes, declaration: SyntaxNode, name: str, *, of_the_file: bool) -> str | None:
    """The type of a number or a pointer as its declaration has it, such as `const float*`; None where a kernel cannot have it so.

    Args:
        of_the_file: Whether the file's own types are known where the kernel is declared.
    """
    kind = declaration.child_by_field_name("type") if declaration.type in _DECLARING else None
    if kind is None or any(child.type == "storage_class_specifier" for child in declaration.children):
        return None
    qualifiers = {scopes.text(child) for child in declaration.children if child.type == "type_qualifier"}
    found = [d for d in declarators(declaration) if scopes.text(declared_name(d)) == name]
    if not qualifiers <= {"const"} or not found:
        return None
    declarator = found[0]
    if declarator.type == "init_declarator" and (inner := declarator.child_by_field_name("declarator")) is not None:
        declarator = inner
    const = "const " if qualifiers else ""
    built_in = kind.type in _BUILT_IN or _STANDARD.fullmatch(scopes.text(kind)) is not None
    if declarator.type == "identifier" and built_in:
        return f"{const}{scopes.text(kind)}"
    pointed = declarator.child_by_field_name("declarator") if declarator.type == "pointer_declarator" else None
    if pointed is not None and pointed.type == "identifier":
        known = built_in or (of_the_file and _is_of_the_file(scopes, declaration, scopes.text(kind)))
        return f"{const}{scopes.text(kind)}*" if known else None
    return None


def _is_of_the_file(scopes: Scopes, declaration: SyntaxNode, kind: str) -> bool:
    """Whether a type's name means the same at file scope, where kernels stand, as in the entry."""
    defined = scopes.classes.get(kind)
    if defined is None or scopes.function_around(declaration).id != scopes.entry.id:
        return False
    return defined.parent.type == "translation_unit"
