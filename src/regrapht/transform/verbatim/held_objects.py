"""Objects that the launcher holds: what of them lies in the host's memory, where no kernel gets at it, and what in memory of their own."""

import re

from regrapht.errors import CannotTransform
from regrapht.source.syntax import SyntaxNode, declarators, declared_name, function_declarator
from regrapht.transform.verbatim.scopes import Scopes, walk

LENGTHS = ("push_back", "emplace_back", "pop_back", "resize", "insert", "erase", "assign", "reserve", "clear", "swap")
"""What changes the length of a container, or where its elements lie."""
_SWAPS = ("std::swap", "swap")
_CLASSES = ("struct_specifier", "class_specifier")
_CHANGING = ("assignment_expression", "update_expression")
_VECTOR_REFERENCE = re.compile(r"^(const\s+)?std::vector\s*<([^<>;]*)>\s*(?:const\s*)?&", re.DOTALL)


def fields_of(scopes: Scopes, owner: SyntaxNode) -> list[SyntaxNode]:
    """The declarations of a class's data."""
    body = owner.child_by_field_name("body")
    return [
        node
        for node in body.named_children
        if node.type == "field_declaration" and any(d.type != "function_declarator" for d in declarators(node))
    ]


def is_const(scopes: Scopes, method: SyntaxNode) -> bool:
    """Whether a function of a class says of itself that it changes nothing of its object."""
    declarator = function_declarator(method)
    if declarator is None:
        return False  # a conversion
    parameters: SyntaxNode = declarator.child_by_field_name("parameters")
    return "const" in scopes.source.written[parameters.end_byte : declarator.end_byte].decode()


def points_elsewhere(scopes: Scopes, owner: SyntaxNode) -> bool:
    """Whether a class has a pointer or a vector: its functions then reach memory that the host may not read."""
    return any(re.search(r"\bstd::vector\b|[*&]", scopes.text(field)) for field in fields_of(scopes, owner))


def with_parts(scopes: Scopes, names: set[str]) -> set[str]:
    """Classes of the file and those of what lies in their objects."""
    found, waiting = set(names), list(names)
    while waiting:
        words = {
            word
            for field in fields_of(scopes, scopes.classes[waiting.pop()])
            for word in re.findall(r"\w+", scopes.text(field))
        }
        more = words & scopes.classes.keys() - found
        found |= more
        waiting += more
    return found


def is_made(declarator: SyntaxNode) -> bool:
    """Whether a declarator makes an object, rather than a reference or a pointer to one."""
    inner = declarator.child_by_field_name("declarator") if declarator.type == "init_declarator" else declarator
    return inner is not None and inner.type not in ("reference_declarator", "pointer_declarator")


def refuse_this(scopes: Scopes, statement: SyntaxNode) -> None:
    """Raise where a kernel made of a statement would change its function's object by `this`, which points to the launcher's."""
    for node in walk(statement):
        target = node.child_by_field_name("left") or node.child_by_field_name("argument")
        while node.type in _CHANGING and target.type in ("subscript_expression", "field_expression"):
            target = target.child_by_field_name("argument")
            if scopes.text(target) == "this":
                why = "it changes its object by 'this', which a kernel has not"
                raise CannotTransform(why, line=scopes.line(node), remedy="leave out 'this->'")


def refuse_references(scopes: Scopes, shared: set[str]) -> None:
    """Raise for classes that refer to a vector whose elements move, and for those of objects that kernels are handed (`shared`) where they
    refer to anything else, which lies on the host."""
    for name, owner in scopes.classes.items():
        for field in fields_of(scopes, owner):
            text = scopes.text(field)
            if not any(n.type == "reference_declarator" for n in walk(field)):
                continue
            if _VECTOR_REFERENCE.match(text) and not text.startswith("const") and name in shared:
                # Watched runs do not tell whose elements a turn changes by such a reference.
                why = f"'{name}' may change a vector by the reference '{' '.join(text.split()).rstrip(';')}'"
                raise CannotTransform(why, line=scopes.line(field))
            if _VECTOR_REFERENCE.match(text):
                _refuse_moves(scopes, name, {scopes.text(declared_name(d)) for d in declarators(field)})
            elif name in shared:
                why = f"'{name}' refers to what lies on the host by '{' '.join(text.split()).rstrip(';')}'"
                raise CannotTransform(why, line=scopes.line(field))


def _refuse_moves(scopes: Scopes, owner: str, fields: set[str]) -> None:
    """Raise where a vector that some object of a class is made with, or its field, changes its length or is assigned as a whole."""
    for function in scopes.functions:
        handed = {id_ for node in walk(function) for id_ in _handed(scopes, node, owner)}
        for node in walk(function):
            for name in sorted(_moved(scopes, node)):
                declared = scopes.visible(node).get(name)
                if declared is not None and (declared.id in handed or (name in fields and declared.type in _CLASSES)):
                    why = f"'{owner}' refers to the vector '{name}', whose elements move"
                    raise CannotTransform(why, line=scopes.line(node))


def _moved(scopes: Scopes, node: SyntaxNode) -> set[str]:
    """The names whose elements would lie elsewhere after a node, were they vectors."""
    if node.type == "assignment_expression":
        return {scopes.text(node.child_by_field_name("left"))}
    if node.type != "call_expression":
        return set()
    callee = node.child_by_field_name("function")
    if callee.type == "field_expression" and scopes.text(callee.child_by_field_name("field")) in LENGTHS:
        return {scopes.text(callee.child_by_field_name("argument"))}
    return scopes.names(node.child_by_field_name("arguments")) if scopes.text(callee) in _SWAPS else set()


def _handed(scopes: Scopes, node: SyntaxNode, owner: str) -> set[int]:
    """The declarations of what a node hands to an object of a class that it makes."""
    is_made = node.type == "declaration" and scopes.text(node.child_by_field_name("type")) == owner
    is_made |= node.type == "call_expression" and scopes.text(node.child_by_field_name("function")) == owner
    is_made |= node.type == "compound_literal_expression"
    if not is_made:
        return set()
    words = re.findall(r"\w+", scopes.text(node))  # `T x(n, v)` may be read as a function of types
    return {declared.id for name, declared in scopes.visible(node).items() if name in words}


def as_view(text: str) -> str:
    """A field or parameter that refers to a vector, as a handle of its elements."""
    return _VECTOR_REFERENCE.sub(lambda m: f"verbatim::sequence<{m[2].strip()}> ", text, count=1)


def viewing(scopes: Scopes, constructor: SyntaxNode) -> dict[int, str]:
    """The types of the references to vectors that a constructor takes, as those of handles, where its class keeps such a reference."""
    owner = scopes.owner(constructor)
    if owner is None or scopes.name_of(constructor) != scopes.text(owner.child_by_field_name("name") or constructor):
        return {}
    if not any(_VECTOR_REFERENCE.match(scopes.text(field)) for field in fields_of(scopes, owner)):
        return {}
    return {
        parameter.id: as_view(text)
        for parameter in scopes.parameters(constructor)
        if _VECTOR_REFERENCE.match(text := scopes.text(parameter))
    }
