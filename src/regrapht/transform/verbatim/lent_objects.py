"""Objects of the launcher that kernels change by their functions or in parts: lent to a kernel, they come back as it left them.

A local number is kept in device memory from where it is declared on (`verbatim::Box`), since all that is read of it is its value. An object
may have functions that the launcher calls, vectors that it frees, and other names; so it stays where it is, and goes to each kernel that
may change it and back (`verbatim::Lent`).
"""

import re
from collections.abc import Iterator

from regrapht.errors import CannotTransform
from regrapht.source.syntax import SyntaxNode, declarators, declared_name
from regrapht.transform.verbatim.held_objects import is_const
from regrapht.transform.verbatim.scopes import Scopes, walk

SELF = "vb_self"
"""What the object that a function belongs to is called in kernels."""
_CLASSES = ("struct_specifier", "class_specifier", "union_specifier")
_CHANGING = ("assignment_expression", "update_expression")
_OF_LIBRARY = frozenset({"fill", "set", "reset", "flip", "swap"})
"""Functions that change what the standard library's objects without memory of their own hold."""


def is_lent(scopes: Scopes, declaration: SyntaxNode, name: str) -> bool:
    """Whether kernels that change a name are lent what it stands for: an object of a class, or what has another name besides."""
    if declaration.type in _CLASSES:
        return True  # a field
    if _is_reference(scopes, declaration, name):
        return True
    kind = declaration.child_by_field_name("type")
    if kind is None:
        return False
    text = scopes.text(kind)
    if text == "auto":
        return any(_is_object_of(scopes, node, name) for node in walk(scopes.function_around(declaration)))
    words = re.findall(r"\w+", text)
    words += [
        each
        for word in words
        if word in scopes.aliases
        for each in re.findall(r"\w+", scopes.text(scopes.aliases[word]))
    ]
    return not text.startswith("std::vector") and ("vector" in words or not scopes.classes.keys().isdisjoint(words))


def _is_object_of(scopes: Scopes, node: SyntaxNode, name: str) -> bool:
    """Whether a node is `name.part`."""
    return node.type == "field_expression" and scopes.text(node).replace(" ", "").startswith(f"{name}.")


def changed_by_calls(scopes: Scopes, statement: SyntaxNode) -> set[str]:
    """The names of outer arrays and objects that a statement may change otherwise than by assigning to them or their parts: by functions of
    theirs that are not const, by references and by addresses."""
    own, found = scopes.locals_of(statement), set[str]()
    for code in scopes.run_by(statement):
        seen = scopes.visible(code)
        for node in walk(code):
            for place in _changed_places(scopes, node):
                root = _root(scopes, place, seen)
                if root in seen and not (root in own and code.id == statement.id):
                    found.add(root)
    return found & scopes.visible(statement).keys()


def changes_itself(scopes: Scopes, statement: SyntaxNode) -> bool:
    """Whether a statement of a class's function calls another one of the same object, which is not const."""
    owner = scopes.owner(scopes.function_around(statement))
    if owner is None:
        return False
    own = {
        scopes.name_of(f)
        for f in scopes.functions
        if (at := scopes.owner(f)) is not None and at.id == owner.id and not is_const(scopes, f)
    }
    calls = (node.child_by_field_name("function") for node in walk(statement) if node.type == "call_expression")
    return any(callee.type == "identifier" and scopes.text(callee) in own for callee in calls)


def _changed_places(scopes: Scopes, node: SyntaxNode) -> Iterator[SyntaxNode]:
    """What one node may change in part."""
    if node.type == "pointer_expression" and scopes.text(node.child_by_field_name("operator")) == "&":
        yield node.child_by_field_name("argument")
    elif node.type in _CHANGING:
        target = node.child_by_field_name("left") or node.child_by_field_name("argument")
        if target.type in ("field_expression", "subscript_expression"):
            yield target
    elif node.type == "call_expression":
        yield from scopes.handed_over(node)
        yield from _called_on(scopes, node)
    elif node.type == "for_range_loop" and _refers(scopes, node):
        yield node.child_by_field_name("right")
    elif node.type == "declaration" and _refers(scopes, node):
        yield from (value for one in declarators(node) if (value := one.child_by_field_name("value")) is not None)


def _called_on(scopes: Scopes, call: SyntaxNode) -> Iterator[SyntaxNode]:
    """The object of which a call may change something."""
    callee = call.child_by_field_name("function")
    if callee.type != "field_expression":
        if not all(is_const(scopes, each) for each in scopes.by_name.get("operator()", ())):
            yield callee
        return
    is_of_library = scopes.text(callee.child_by_field_name("field")) in _OF_LIBRARY
    if is_of_library or not all(is_const(scopes, each) for each in scopes.methods_of(callee)):
        yield callee.child_by_field_name("argument")


def _refers(scopes: Scopes, declaration: SyntaxNode) -> bool:
    """Whether a declaration makes a reference by which something may be changed."""
    words = [scopes.text(child) for child in declaration.children if child.type == "type_qualifier"]
    return "const" not in words and any(map(_refers_itself, declarators(declaration)))


def _refers_itself(declarator: SyntaxNode) -> bool:
    """Whether a declarator is that of a reference; what it is made with is not looked at."""
    inner = declarator.child_by_field_name("declarator") if declarator.type == "init_declarator" else declarator
    return inner is not None and inner.type == "reference_declarator"


def _root(scopes: Scopes, place: SyntaxNode, seen: dict[str, SyntaxNode]) -> str:
    """The variable in which a place lies; empty where a pointer or a vector leads to it."""
    through = ""
    while place.type in ("field_expression", "subscript_expression", "parenthesized_expression"):
        if place.type == "field_expression" and scopes.text(place.child_by_field_name("operator")) == "->":
            return ""
        through, place = place.type, place.child_by_field_name("argument") or place.named_children[0]
    name = scopes.text(place)
    if place.type != "identifier" or name not in seen or scopes.lambda_of(seen[name], name) is not None:
        return ""
    return "" if _leads(scopes, seen[name], name, through) else name


def _leads(scopes: Scopes, declaration: SyntaxNode, name: str, through: str) -> bool:
    """Whether what is taken of a name lies elsewhere: the elements of a vector, or those behind a pointer."""
    if declaration.type in _CLASSES:
        fields = [f for f in declaration.child_by_field_name("body").named_children if f.type == "field_declaration"]
        return any(_leads(scopes, f, name, through) for f in fields if name in scopes.declared(f))
    text = _kind(scopes, declaration)
    if text.startswith(("std::vector", "std::span")):
        return True
    own = [one for one in declarators(declaration) if scopes.text(declared_name(one)) == name]
    points = any(node.type == "pointer_declarator" for one in own for node in walk(one))
    points |= declaration.type == "parameter_declaration" and scopes.is_array(declaration, name)
    points |= text == "auto" and not is_lent(scopes, declaration, name)
    return points and through == "subscript_expression"


def refuse_other_names(scopes: Scopes, statement: SyntaxNode, lent: set[str]) -> None:
    """Raise where what is lent to a kernel may be named otherwise in it too: each would come back."""
    seen = scopes.visible(statement)
    named = scopes.names(statement) & seen.keys()
    kinds = {name: _kind(scopes, seen[name]) for name in named}
    for name in sorted(lent & named):
        for other in sorted(named - {name}):
            if not (_may_be(scopes, seen, name, other) or _may_be(scopes, seen, other, name)):
                continue
            if kinds[other] == kinds[name] or "auto" in (kinds[name], kinds[other]):
                why = f"'{name}' and '{other}' may be one object, which a kernel changes"
                raise CannotTransform(why, line=scopes.line(statement))


def _may_be(scopes: Scopes, seen: dict[str, SyntaxNode], name: str, other: str) -> bool:
    """Whether a name is a reference that may have been made to what another one stands for."""
    if not _is_reference(scopes, seen[name], name) or seen[other].type in _CLASSES:
        return False
    return seen[name].type == "declaration" or _is_reference(scopes, seen[other], other)


def _kind(scopes: Scopes, declaration: SyntaxNode) -> str:
    kind = declaration.child_by_field_name("type")
    return "" if kind is None else scopes.text(kind)


def _is_reference(scopes: Scopes, declaration: SyntaxNode, name: str) -> bool:
    own = [one for one in declarators(declaration) if scopes.text(declared_name(one)) == name]
    return any(map(_refers_itself, own))
