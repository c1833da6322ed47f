"""How values of a CUDA function grow with the lane and with the innermost loop: linear forms, read off the syntax.

`blockIdx.x * blockDim.x + threadIdx.x` grows by one from lane to lane, `row * n` of such a row by more, and a loop's counter by one from
round to round. What was itself loaded from memory has no form, and is marked. Names are followed through assignments in the order of the
text; types are not known, and what stands deeper than `DEEPEST` expressions inside one another counts as not growing.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from regrapht.source.syntax import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

DEEPEST = 80


@dataclass(frozen=True, slots=True)
class Form:
    """How a value grows: 0 not at all, 1 by one, 2 by more; and whether it was loaded from memory."""

    lane: int = 0
    loop: int = 0
    loaded: bool = False

    def plus(self, other: "Form") -> "Form":
        """The form of a sum."""
        lane = max(self.lane, other.lane) if not (self.lane and other.lane) else 2
        loop = max(self.loop, other.loop) if not (self.loop and other.loop) else 2
        return Form(lane, loop, self.loaded or other.loaded)

    def times(self, other: "Form") -> "Form":
        """The form of a product: what grew by one grows by more."""
        lane, loop = max(self.lane, other.lane), max(self.loop, other.loop)
        return Form(2 * bool(lane), 2 * bool(loop), self.loaded or other.loaded)

    def joined(self, other: "Form") -> "Form":
        """The form of a value that is one or the other."""
        return Form(max(self.lane, other.lane), max(self.loop, other.loop), self.loaded or other.loaded)


@dataclass(slots=True)
class Values:
    """What is known of the names inside one function."""

    forms: dict[str, Form] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    """Where a name's memory is: `global`, `shared` or `private`."""
    counters: dict[str, "Node"] = field(default_factory=dict)
    """Loops by the names that count them."""
    loops: list["Node"] = field(default_factory=list)
    """The loops around what is being read, the innermost last."""
    _depth: int = 0

    def place(self, node: "Node | None") -> str:
        """Where the memory is that an expression points to."""
        if node is None:
            return ""
        for inner in walk(node):
            if inner.type == "identifier" and (place := self.places.get(text_of(inner))):
                return place
        return ""

    def address(self, node: "Node | None") -> Form:
        """The form of an address: pointer and indices together."""
        indices = []
        while node is not None and node.type in ("subscript_expression", "pointer_expression") and node.named_children:
            if node.type == "pointer_expression":
                node = node.named_children[-1]
                continue
            indices.append(node.children[1:])
            node = node.children[0]
        found = self.form(node)
        for number, index in enumerate(reversed(indices)):
            found = found if number == 0 else found.times(Form())
            for child in index:
                found = found.plus(self.form(child))
        return found

    def form(self, node: "Node | None") -> Form:
        """The form of an expression's value."""
        if node is None or self._depth >= DEEPEST:
            return Form()
        self._depth += 1
        found = self._form(node)
        self._depth -= 1
        return found

    def _form(self, node: "Node") -> Form:
        kind = node.type
        if kind == "identifier":
            form = self.forms.get(text_of(node), Form())
            counted_by = self.counters.get(text_of(node))
            if counted_by is not None and self.loops and counted_by != self.loops[-1]:
                return Form(form.lane, 0, form.loaded)  # an outer loop's counter stands still in the innermost
            return form
        if kind == "field_expression":
            text = text_of(node)
            if text == "threadIdx.x":
                return Form(lane=1)
            return Form() if "Idx." in text or "Dim." in text else self._children_form(node)
        if kind == "subscript_expression":
            return Form(loaded=self.place(node) != "private")
        if kind == "binary_expression":
            return self._binary_form(node)
        if kind == "cast_expression":
            return self.form(node.child_by_field_name("value"))
        return self._children_form(node)

    def _binary_form(self, node: "Node") -> Form:
        left, right = self.form(node.child_by_field_name("left")), self.form(node.child_by_field_name("right"))
        operator = (node.child_by_field_name("operator") or node).type
        if operator in ("+", "-", "|"):
            return left.plus(right)
        if operator in ("*", "<<"):
            return left.times(right)
        if operator in ("/", ">>"):
            return Form(0, left.loop, left.loaded or right.loaded)
        return left.joined(right)

    def _children_form(self, node: "Node") -> Form:
        found = Form()
        for child in node.named_children:
            if child.type != "type_descriptor":
                found = found.joined(self.form(child))
        return found


def declared_name(node: "Node | None") -> str:
    """The name that a declarator declares; empty without one."""
    if node is None:
        return ""
    return next((text_of(inner) for inner in walk(node) if inner.type == "identifier"), "")
