"""Where pointers point: the array of the entry, and how far into it."""

from typing import TYPE_CHECKING

from regrapht.source.polynomial import Polynomial
from regrapht.source.syntax import line_of, text_of, walk
from regrapht.tasks.inference.values.bounds import ZERO, Unbounded
from regrapht.tasks.inference.values.index_syntax import is_step
from regrapht.tasks.inference.values.index_values import IndexValues
from regrapht.tasks.inference.values.scope import Activation, Declaration, find_declaration, stores_to

if TYPE_CHECKING:
    from tree_sitter import Node


def is_pointer(node: "Node", at: Activation, *, seen: frozenset[str] = frozenset()) -> bool:
    """Whether a name is one of the entry's arrays, or a local pointer into one."""
    name = text_of(node)
    declared = find_declaration(node, name, at.function)
    if declared is None:
        return name in at.arrays
    if name in seen or not _declares_pointer(declared, name, at):
        return False
    given = [declared.value]
    for store in stores_to(name, at.function):
        listed = store.child_by_field_name("arguments")  # of a swap
        given += listed.named_children if listed is not None else [store.child_by_field_name("right")]
    return any(points(value, at, seen=seen | {name}) for value in given if value is not None)


def points(node: "Node", at: Activation, *, seen: frozenset[str] = frozenset()) -> bool:
    """Whether an expression is about a pointer into one of the entry's arrays, by itself or moved."""
    return any(is_pointer(part, at, seen=seen) for part in _pointer_parts(node))


def is_declared_pointer(declarator: "Node") -> bool:
    """Whether an `init_declarator` makes a pointer whose uses are followed: a local one, or one in the head of a `for`."""
    declaration = declarator.parent
    if declaration is None or declaration.type != "declaration" or declaration.parent is None:
        return False
    inner, kind = declarator.child_by_field_name("declarator"), declaration.child_by_field_name("type")
    automatic = kind is not None and kind.type == "placeholder_type_specifier"
    if inner is None or any(part.type == "reference_declarator" for part in walk(inner)):
        return False
    made = inner.type == "pointer_declarator" or (automatic and inner.type == "identifier")
    return made and declaration.parent.type in ("compound_statement", "for_statement")


def whole_pointer(node: "Node") -> "Node":
    """The largest expression around a pointer that is one too: `(p + 1)`, `p++` inside `*p++`."""
    while node.parent is not None:
        outer = node.parent
        arithmetic = outer.type == "binary_expression" and text_of(outer.children[1]) in "+-"
        read = outer.type == "update_expression" and outer.parent is not None and outer.parent.type in _READING
        if outer.type != "parenthesized_expression" and not arithmetic and not read:
            return node
        node = outer
    return node


def pointer_place(node: "Node", at: Activation, reader: IndexValues) -> tuple[str, Polynomial] | None:
    """The array that a pointer expression points into and how far; None for another expression.

    Raises:
        Unbounded: As `pointer_value`.
    """
    if not points(node, at):
        return None
    circle = f"pointer@{node.id}"
    if circle in reader.settling:
        raise Unbounded(f"{text_of(node)!r}, which depends on itself,", line_of(node))
    reader.settling.add(circle)
    try:
        return pointer_value(node, at, reader)
    finally:
        reader.settling.remove(circle)


def is_arrow(node: "Node") -> bool:
    """Whether an expression is `p->x`."""
    return node.type == "field_expression" and any(child.type == "->" for child in node.children)


_READING = ("pointer_expression", "subscript_expression", "init_declarator", "parenthesized_expression")


def pointer_value(node: "Node", at: Activation, reader: IndexValues) -> tuple[str, Polynomial]:
    """The array that a pointer expression points into, and the element.

    Raises:
        Unbounded: It is no such expression, or moves in a way that is not followed.
    """
    match node.type:
        case "identifier":
            return _named(node, at, reader)
        case "parenthesized_expression":
            return pointer_value(node.named_children[0], at, reader)
        case "update_expression":
            target = node.child_by_field_name("argument")
            if target is not None:
                array, offset = pointer_value(target, at, reader)
                before = node.children[0].id != target.id
                step = Polynomial.constant(1 if any(child.type == "++" for child in node.children) else -1)
                return array, offset + step if before else offset
        case "binary_expression" if text_of(node.children[1]) in "+-":
            left, right = node.children[0], node.children[2]
            if points(left, at):
                array, offset = pointer_value(left, at, reader)
                by = reader.value(right, at)
                return array, offset + by if text_of(node.children[1]) == "+" else offset - by
            array, offset = pointer_value(right, at, reader)
            return array, offset + reader.value(left, at)
        case "pointer_expression" if text_of(node.children[0]) == "&":
            inner = node.child_by_field_name("argument")
            listed = inner.child_by_field_name("indices") if inner is not None else None
            base = inner.child_by_field_name("argument") if inner is not None else None
            if base is not None and listed is not None and len(listed.named_children) == 1:
                array, offset = pointer_value(base, at, reader)
                return array, offset + reader.value(listed.named_children[0], at)
    raise Unbounded(f"the pointer {text_of(node)!r}", line_of(node))


def _named(node: "Node", at: Activation, reader: IndexValues) -> tuple[str, Polynomial]:
    name, declared = text_of(node), find_declaration(node, text_of(node), at.function)
    variable = _variable(node, name, at)
    stores = [store for store in stores_to(name, at.function) if _variable(store, name, at) == variable]
    value, begin, block = _last_setting(node, stores, declared, at)
    stores = _until_set_anew(node, stores, begin, block)
    if not all(is_step(store) for store in stores):
        raise Unbounded(f"the pointer {name!r}, which is set anew,", line_of(node))
    if value is not None:
        array, offset = pointer_value(value, at, reader)
    elif declared is None and name in at.arrays:
        array, offset = at.arrays[name], at.offsets.get(name, ZERO)
    else:
        raise Unbounded(f"the pointer {name!r}", line_of(node))
    return array, offset + (reader.moved(node, stores, block, at) if stores else ZERO)


def _variable(node: "Node", name: str, at: Activation) -> int | None:
    """What tells two variables of one name apart: where it is declared, None for a parameter. `for (p = a; ...)` declares none."""
    declared = find_declaration(node, name, at.function)
    while declared is not None and declared.is_loop:
        started = declared.node.child_by_field_name("initializer")
        if started is not None and started.type == "declaration":
            break
        declared = find_declaration(declared.node, name, at.function)
    return declared.node.id if declared is not None else None


def _last_setting(
    use: "Node", stores: "list[Node]", declared: Declaration | None, at: Activation
) -> "tuple[Node | None, int, Node]":
    """The value that a pointer starts with (None: a parameter's own), where that is, and the block whose every run starts so.

    It is the last `p = ...;` before the use in a block around it, else the declaration.
    """
    settings = {
        store.parent.id: store
        for store in stores
        if not is_step(store) and store.parent is not None and store.parent.type == "expression_statement"
    }
    home, begin = at.function.body, 0
    if declared is not None and declared.node.parent is not None:
        started = declared.node.child_by_field_name("initializer") if declared.is_loop else declared.node
        begin = started.end_byte if started is not None else declared.node.start_byte
        home = (declared.node.parent if declared.is_loop else declared.node.parent.parent) or home
    block = use.parent
    while block is not None and settings:
        for child in reversed(block.named_children):
            if child.end_byte <= use.start_byte and child.id in settings and block.type == "compound_statement":
                return settings[child.id].child_by_field_name("right"), child.end_byte, block
        if block.id == home.id:
            break
        block = block.parent
    return declared.value if declared is not None else None, begin, home


def _until_set_anew(use: "Node", stores: "list[Node]", begin: int, block: "Node") -> "list[Node]":
    """The stores in `block` from `begin` on, up to the next `p = ...;` that stands in the block itself behind the use."""
    ends = [
        store.start_byte
        for store in stores
        if not is_step(store)
        and store.start_byte >= use.end_byte
        and store.parent is not None
        and store.parent.type == "expression_statement"
        and store.parent.parent == block
    ]
    last = min(ends, default=block.end_byte)
    return [store for store in stores if begin <= store.start_byte < last and store.end_byte <= block.end_byte]


def _declares_pointer(declared: Declaration, name: str, at: Activation) -> bool:
    if not declared.is_loop:
        inner = declared.node if declared.node.type == "init_declarator" else None
        return is_declared_pointer(inner) if inner is not None else declared.node.type == "pointer_declarator"
    started = declared.node.child_by_field_name("initializer")
    if started is not None and started.type == "declaration":
        return any(
            is_declared_pointer(part)
            for part in started.children_by_field_name("declarator")
            if part.type == "init_declarator" and text_of(part).lstrip("*& ").startswith(name)
        )
    outer = find_declaration(declared.node, name, at.function)
    return name in at.arrays if outer is None else _declares_pointer(outer, name, at)


def _pointer_parts(node: "Node") -> "list[Node]":
    """The names that a pointer expression may be about: those outside of subscripts."""
    match node.type:
        case "identifier":
            return [node]
        case "binary_expression" if text_of(node.children[1]) in "+-":
            return [*_pointer_parts(node.children[0]), *_pointer_parts(node.children[2])]
        case "parenthesized_expression":
            return _pointer_parts(node.named_children[0])
        case "update_expression":
            inner = node.child_by_field_name("argument")
            return _pointer_parts(inner) if inner is not None else []
        case "pointer_expression" if text_of(node.children[0]) == "&":
            inner = node.child_by_field_name("argument")
            base = inner.child_by_field_name("argument") if inner is not None else None
            return _pointer_parts(base) if base is not None else []
    return []


def swapped(call: "Node") -> "list[Node]":
    """The two names that a call swaps; none for another call."""
    called, listed = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    if called is None or listed is None or text_of(called).rpartition("::")[2] != "swap":
        return []
    given = [child for child in listed.named_children if child.type != "comment"]
    return given if len(given) == 2 and all(part.type == "identifier" for part in given) else []


def rotated_places(pointer: "Node", at: Activation, reader: IndexValues) -> list[tuple[str, Polynomial]]:
    """Every (array, offset) that a pointer may have where pointers of the function take each other's place.

    What lies in local memory is left out: it is no array of the task.

    Raises:
        Unbounded: A pointer of the circle moves, or is set to what is not followed.
    """
    names, waiting = set[str](), [text_of(pointer)]
    found: dict[str, Polynomial] = {}
    while waiting:
        name = waiting.pop()
        if name in names:
            continue
        names.add(name)
        for value in _given_to(name, at):
            if value.type == "identifier":
                waiting.append(text_of(value))
            elif points(value, at):
                array, offset = pointer_value(value, at, reader)
                _keep(found, array, offset, pointer)
        if name in at.arrays:
            _keep(found, at.arrays[name], at.offsets.get(name, ZERO), pointer)
    return sorted(found.items())


def _keep(found: dict[str, Polynomial], array: str, offset: Polynomial, pointer: "Node") -> None:
    if found.setdefault(array, offset) != offset:
        raise Unbounded(
            f"the pointer {text_of(pointer)!r}, which is set to several places of {array!r},", line_of(pointer)
        )


def _given_to(name: str, at: Activation) -> "list[Node]":
    """All that a pointer is set to: by declarations of its name, assignments and swaps."""
    given: list[Node] = []
    for store in stores_to(name, at.function):
        names, right = swapped(store), store.child_by_field_name("right")
        operator = store.child_by_field_name("operator")
        if names:
            given += [part for part in names if text_of(part) != name]
        elif right is not None and operator is not None and text_of(operator) == "=":
            given.append(right)
        else:
            raise Unbounded(f"the pointer {name!r}, which is set anew,", line_of(store))
    for part in walk(at.function.body):
        declared, value = part.child_by_field_name("declarator"), part.child_by_field_name("value")
        named = text_of(declared).lstrip("*& ").removeprefix("const ").strip() if declared is not None else ""
        if part.type == "init_declarator" and value is not None and named == name:
            given.append(value)
    return given
