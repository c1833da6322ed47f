"""Whether the turns of a loop can be threads: each writes its own part of an array, as far as the text shows it.

    out[y * width + x] = ...            a part of each y, and of each x
    gain[order[i]] = ...                nobody knows whose part
    sum += in[i]                        several turns add to one place
    up[at] = up[at - width] + 1         a turn reads what another one writes

It is a reading of the text for people and models, no proof: a judge sees whether it was right.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regrapht.propose.form.program import calls_of
from regrapht.propose.form.reference_loops import Loop, counting, moved_beside
from regrapht.propose.form.scopes import declaration_of
from regrapht.source.functions import FunctionDefinition
from regrapht.source.syntax import declarators, declared_name, plain_text, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_ADDING = ("+=", "-=", "|=", "&=", "^=")
_ARITHMETIC = ("+", "-", "*", "<<")
_CAST = re.compile(r"static_cast<.*>|(?:std::)?(?:size_t|u?int\d+_t)|int|long|unsigned")
_OF_LIBRARY = re.compile(
    r"(?:std::)?(?:min|max|clamp|f?abs|sqrt|exp|log|pow|floor|ceil|round|sin|cos|tanh|hypot|isnan|move)f?"
)


@dataclass(frozen=True, slots=True)
class Place:
    """What an expression names: a variable, and the expressions that say which element of it."""

    base: str
    indices: tuple["Node", ...]
    node: "Node"
    """The whole expression."""


@dataclass(frozen=True, slots=True)
class Turns:
    """What the turns of a loop do to each other."""

    are_apart: bool
    """Whether each writes a part of its own, and nobody reads another's."""
    added_to: frozenset[str]
    """Where they are not apart: what they add to and nothing else; empty where they do otherwise."""


class Entry:
    """The reference's entry, and what its expressions name.

    Args:
        function: Its definition.
        constant: Names that the entry cannot write to: inputs.
        readers: Helpers that change none of what they are given.
    """

    def __init__(self, function: FunctionDefinition, constant: set[str], readers: set[str]) -> None:
        self.function, self.constant, self.readers = function, constant, readers

    def turns(self, loop: Loop) -> Turns:
        """How the loop's turns go together."""
        writes = [(place, added) for node in walk(loop.node) for place, added in self._written(node, loop)]
        apart = not moved_beside(loop) and not any(self._leaves(node, loop.node) for node in walk(loop.node))
        bad = [(place, added) for place, added in writes if not self._is_own(place, loop, added)] if apart else []
        if apart and not bad:
            written = {place.base for place, _ in writes} - {""}
            if not any(self._reads_others(name, loop, [p for p, _ in writes if p.base == name]) for name in written):
                return Turns(True, frozenset())
            return Turns(False, frozenset())
        names = {place.base for place, _ in bad}
        own = {place.base for place, _ in writes} - names - {""}
        only_added = apart and all(added for _, added in bad) and "" not in names
        if not only_added or any(self._uses(name, loop) != _count(writes, name) for name in names):
            return Turns(False, frozenset())
        if any(self._reads_others(name, loop, [p for p, _ in writes if p.base == name]) for name in own):
            return Turns(False, frozenset())
        return Turns(False, frozenset(names))

    def is_within(self, name: str, at: "Node", outer: "Node") -> bool:
        """Whether a name is declared inside of a node."""
        declared = declaration_of(name, at, self.function)
        return declared is not None and outer.start_byte <= declared.start_byte < outer.end_byte

    def _written(self, node: "Node", loop: Loop) -> Iterator[tuple[Place, bool]]:
        """What an expression writes to, and whether it only adds to it."""
        if node.type == "assignment_expression":
            operator = text_of(node.child_by_field_name("operator"))  # type: ignore[arg-type]
            yield self._place(node.child_by_field_name("left"), loop), operator in _ADDING  # type: ignore[arg-type]
        elif node.type == "update_expression":
            at = node.child_by_field_name("argument")
            is_alone = node.parent is not None and node.parent.type == "expression_statement"
            if at is not None and text_of(at) != loop.name:
                yield self._place(at, loop), is_alone
        elif node.type == "call_expression":
            yield from ((place, False) for place in self._given_away(node, loop))

    def _given_away(self, call: "Node", loop: Loop) -> Iterator[Place]:
        """What a call may change: arrays and addresses it is given, and the object whose method it is."""
        called, _, arguments = next(calls_of(call))
        of = call.child_by_field_name("function")
        if of is not None and of.type == "field_expression":
            place = self._place(of.child_by_field_name("argument"), loop)  # type: ignore[arg-type]
            if not self._is_const(place) and not called.endswith((".data", ".size", ".begin", ".end")):
                yield place
        if called in self.readers or _OF_LIBRARY.fullmatch(called) or _CAST.fullmatch(called):
            return
        for one in arguments:
            if one.type in ("number_literal", "lambda_expression"):
                continue
            place = self._place(one, loop)
            if place.base and (self._is_array(place) or one.type == "pointer_expression"):
                yield place

    def _is_array(self, place: Place) -> bool:
        """Whether a place handed over is an array, or the rest of one: not the value of an element."""
        declared = declaration_of(place.base, place.node, self.function)
        text = text_of(declared) if declared is not None else ""
        is_array = (
            re.search(rf"[*\]>][\s&]*(?:__restrict__\s*)?{place.base}\b|\b{place.base}\s*\[|vector", text) is not None
        )
        return is_array and place.node.type != "subscript_expression" and not self._is_const(place)

    def _is_const(self, place: Place) -> bool:
        declared = declaration_of(place.base, place.node, self.function)
        return place.base in self.constant or (declared is not None and text_of(declared).startswith("const"))

    def _place(self, node: "Node", loop: Loop) -> Place:
        """What an expression names; pointers and references of the turn's own are followed to what they point at."""
        whole, indices = node, list["Node"]()
        while node.type != "identifier":
            inner = node.child_by_field_name("argument")
            if node.type == "subscript_expression":
                listed = node.child_by_field_name("indices")
                indices += listed.named_children if listed is not None else []
            elif node.type == "binary_expression":
                left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
                inner, indices = left, [*indices, *([right] if right is not None else [])]
            elif node.type in ("parenthesized_expression", "cast_expression"):
                inner = node.named_children[-1] if node.named_children else None
            elif node.type == "call_expression":
                of = node.child_by_field_name("function")
                inner = of.child_by_field_name("argument") if of is not None and of.type == "field_expression" else None
                if of is not None and text_of(of).startswith("reinterpret_cast"):
                    inner = next(iter(node.child_by_field_name("arguments").named_children), None)  # type: ignore[union-attr]
            if inner is None:
                return Place("", (), whole)
            node = inner
        name = text_of(node)
        pointed = self._pointed_at(name, node, loop)
        if pointed is None:
            return Place(name, tuple(indices), whole)
        further = self._place(pointed, loop)
        return Place(further.base, (*further.indices, *indices), whole)

    def _pointed_at(self, name: str, at: "Node", loop: Loop) -> "Node | None":
        """What a pointer or reference declared in the loop begins as."""
        declared = declaration_of(name, at, self.function)
        if declared is None or not loop.node.start_byte <= declared.start_byte < loop.node.end_byte:
            return None
        for one in declarators(declared) if declared.type == "declaration" else ():
            of = one.child_by_field_name("declarator")
            if (
                of is not None
                and text_of(declared_name(one)) == name
                and of.type in ("pointer_declarator", "reference_declarator")
            ):
                value = one.child_by_field_name("value")
                is_inside = value is None or value.start_byte <= at.start_byte < value.end_byte
                return None if is_inside else value
        return None

    def _is_own(self, place: Place, loop: Loop, added: bool) -> bool:
        """Whether each turn writes there at a place of its own."""
        if place.base == "":
            return False
        if self.is_within(place.base, place.node, loop.node):
            return True
        counts = any(self.counts(loop.name, index, loop) for index in place.indices)
        return counts and not (added and self._overlaps(place, loop))

    def _overlaps(self, place: Place, loop: Loop) -> bool:
        """Whether the parts of two turns may have elements in common: `sums[turn * hop + i]` where `i` counts to more than `hop`."""
        terms = [term for index in place.indices for term in self._terms(index, loop)]
        words = {
            word for term in terms for word in re.findall(r"[A-Za-z_]\w*", term) if re.search(rf"\b{loop.name}\b", term)
        }
        inner = [counting(node) for node in walk(loop.node) if node.type == "for_statement" and node != loop.node]
        bounds = [one.bound for one in inner if one is not None and one.name in terms]
        return len(words) > 1 and any(not words & set(re.findall(r"[A-Za-z_]\w*", bound)) for bound in bounds)

    def counts(self, name: str, node: "Node", loop: Loop) -> bool:
        """Whether an expression is a sum or product that has the counter in it, and so another value each turn."""
        if node.type == "identifier":
            return text_of(node) == name or any(self.counts(name, value, loop) for value in self._value_of(node, loop))
        if node.type == "binary_expression":
            if text_of(node.child_by_field_name("operator")) not in _ARITHMETIC:  # type: ignore[arg-type]
                return False
            return any(self.counts(name, one, loop) for one in node.named_children)
        if node.type == "call_expression":
            called, _, arguments = next(calls_of(node))
            is_index = _CAST.fullmatch(called) is not None or len(arguments) > 1
            return is_index and any(self.counts(name, one, loop) for one in arguments)
        if node.type in (
            "cast_expression",
            "parenthesized_expression",
            "initializer_list",
            "compound_literal_expression",
        ):
            return any(self.counts(name, one, loop) for one in node.named_children)
        return False

    def _value_of(self, name: "Node", loop: Loop) -> list["Node"]:
        """What a name of the turn's own begins as; nothing for one that changes."""
        declared = declaration_of(text_of(name), name, self.function)
        if declared is None or not loop.node.start_byte < declared.start_byte < loop.node.end_byte:
            return []
        if declared.parent is not None and declared.parent.type == "for_statement":
            return []  # a counter
        for one in declarators(declared) if declared.type == "declaration" else ():
            value = one.child_by_field_name("value")
            if value is not None and text_of(declared_name(one)) == text_of(name) and value.end_byte < name.start_byte:
                return [value]
        return []

    def _reads_others(self, name: str, loop: Loop, written: list[Place]) -> bool:
        """Whether a turn looks at the array at another turn's place: any use that is not at one of its own."""
        if not written or self.is_within(name, written[0].node, loop.node):
            return False
        own = {self._of_the_turn(place, loop) for place in written}
        mine = {(place.node.start_byte, place.node.end_byte) for place in written}
        for node in walk(loop.node):
            if node.type != "identifier" or self._place(node, loop).base != name or _is_declared(node):
                continue
            whole = _whole(node)
            if (whole.start_byte, whole.end_byte) in mine:
                continue
            if self._of_the_turn(self._place(whole, loop), loop) not in own:
                return True
        return False

    def _of_the_turn(self, place: Place, loop: Loop) -> str:
        """Which part of an array a place is in, as far as the counter says it: the terms of its index that have the counter.

        Where the counter stands alone, the whole index; else the other terms count too where they are as large as a turn's part.
        """
        terms = sorted({term for index in place.indices for term in self._terms(index, loop)})
        with_counter = [term for term in terms if re.search(rf"\b{loop.name}\b", term)]
        factors = {word for term in with_counter for word in re.findall(r"\w+", term)} - {loop.name}
        if not factors:
            return "|".join(terms)
        others = [term for term in terms if term not in with_counter and factors & set(re.findall(r"\w+", term))]
        return "|".join([*with_counter, *others])

    def _terms(self, node: "Node", loop: Loop) -> list[str]:
        """The summands of an index, names of the turn's own put in."""
        if node.type in ("parenthesized_expression",) and len(node.named_children) == 1:
            return self._terms(node.named_children[0], loop)
        if node.type == "identifier":
            values = self._value_of(node, loop) if text_of(node) != loop.name else []
            return self._terms(values[0], loop) if values else [text_of(node)]
        if node.type == "binary_expression" and (sign := text_of(node.child_by_field_name("operator"))) in "+-":  # type: ignore[arg-type]
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            less = "- " if sign == "-" else ""
            return [*self._terms(left, loop), *(less + one for one in self._terms(right, loop))]  # type: ignore[arg-type]
        return [
            re.sub(r"\((?:size_t|long|long long|int|u?int\d+_t)\)\s*", "", plain_text(node).replace(" ", ""))
            or text_of(node)
        ]

    def _uses(self, name: str, loop: Loop) -> int:
        return sum(
            node.type == "identifier" and not _is_declared(node) and self._place(node, loop).base == name
            for node in walk(loop.node)
        )

    @staticmethod
    def _leaves(node: "Node", loop: "Node") -> bool:
        """Whether a turn can end the loop, or all of the function."""
        if node.type in ("return_statement", "goto_statement"):
            return True
        if node.type != "break_statement":
            return False
        at = node.parent
        while at is not None and at != loop:
            if at.type in ("for_statement", "while_statement", "do_statement", "for_range_loop", "switch_statement"):
                return False
            at = at.parent
        return True


def _count(writes: list[tuple[Place, bool]], name: str) -> int:
    return sum(place.base == name for place, _ in writes)


def _whole(node: "Node") -> "Node":
    """The largest expression whose base a name is: `a[i].x` of `a`."""
    while node.parent is not None and node.parent.type in (
        "subscript_expression",
        "field_expression",
        "pointer_expression",
    ):
        if node.parent.child_by_field_name("argument") != node:
            break
        node = node.parent
    while (
        node.parent is not None
        and node.parent.type == "binary_expression"
        and node.parent.child_by_field_name("left") == node
        and node.type == "identifier"
    ):
        node = node.parent
    return node


def _is_declared(node: "Node") -> bool:
    """Whether a name is declared there, not used."""
    at = node
    while at.parent is not None and at.parent.type.endswith("declarator"):
        if at.parent.child_by_field_name("value") == at:
            return False
        at = at.parent
    return at.parent is not None and at.parent.type in ("declaration", "parameter_declaration")
