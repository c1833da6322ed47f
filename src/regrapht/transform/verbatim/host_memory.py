"""Pointers of the launcher to memory of the host, its locals above all: no kernel is handed one."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from regrapht.errors import CannotTransform
from regrapht.source.library_calls import MEMORY_CALLS
from regrapht.source.syntax import SyntaxNode, declarators, declared_name
from regrapht.transform.verbatim.held_objects import fields_of
from regrapht.transform.verbatim.scopes import Scopes, walk

_CLASSES = ("struct_specifier", "class_specifier", "union_specifier")
_PARAMETERS = ("parameter_declaration", "optional_parameter_declaration")
_OUTSIDE = ("translation_unit", "declaration_list")
_ALLOCATING = {*MEMORY_CALLS, "realloc", "strdup", "make_unique", "make_shared"}
_GIVES_POINTERS = re.compile(
    r"c?r?(begin|end)|data|get|addressof|c?ref|next|prev|find\w*|\w+_element|\w+_bound|make_pair|make_tuple|tie|move|forward|as_const"
)
"""Functions of the standard library, methods too, whose result leads to what they were given."""


@dataclass(frozen=True)
class HostMemory:
    """Says which names lead to memory of the host."""

    scopes: Scopes

    def refuse(self, place: SyntaxNode, names: list[str]) -> None:
        """Raise where one of the names that a kernel is handed at a place leads there."""
        seen = self.scopes.visible(place)
        for name in names:
            if name not in seen:
                continue
            found = self._led(name, seen[name], set())
            if found is not None:
                node, where = found
                why = f"a kernel would be handed '{name}', by which it reaches {where}, in the host's memory"
                raise CannotTransform(why, line=self.scopes.line(node))

    def _led(self, name: str, declaration: SyntaxNode, known: set[tuple[int, str]]) -> tuple[SyntaxNode, str] | None:
        """Where a variable is made to lead to the host's memory, and to what there."""
        if (declaration.id, name) in known or not self._may_lead(name, declaration):
            return None
        known.add((declaration.id, name))
        for value in self._values(name, declaration):
            for node in self._leading(value):
                what = self._host_place(node)
                if what is not None:
                    return node, what
                seen = self.scopes.visible(node)
                other = self.scopes.text(node)
                if node.type in ("identifier", "type_identifier") and other in seen:
                    found = self._led(other, seen[other], known)
                    if found is not None:
                        return found
        return None

    def _may_lead(self, name: str, declaration: SyntaxNode) -> bool:
        """Whether a variable is, or has, a pointer; its type is not worked out."""
        if declaration.type in _CLASSES:
            fields = [f for f in fields_of(self.scopes, declaration) if name in map(self._own_name, declarators(f))]
            return any(self._type_leads(field, set()) for field in fields)
        own = [d for d in declarators(declaration) if self._own_name(d) == name]
        if any(n.type == "lambda_expression" for d in own for n in [d.child_by_field_name("value")] if n is not None):
            return False  # kernels have it written out
        return self._type_leads(declaration, set(), own)

    def _own_name(self, declarator: SyntaxNode) -> str:
        return self.scopes.text(declared_name(declarator))

    def _type_leads(self, declaration: SyntaxNode, known: set[str], own: list[SyntaxNode] | None = None) -> bool:
        kind = self.scopes.text(declaration.child_by_field_name("type") or declaration)
        is_pointer = any(
            n.type in ("pointer_declarator", "abstract_pointer_declarator", "reference_declarator")
            for d in (declarators(declaration) if own is None else own)
            for n in walk(d)
            if n.type != "init_declarator"
        )
        if is_pointer or re.search(r"\*|\bauto\b|\biterator\b|_ptr\b|\breference_wrapper\b", kind):
            return True
        for word in set(re.findall(r"\w+", kind)) & self.scopes.classes.keys() - known:
            known.add(word)
            if any(self._type_leads(field, known) for field in fields_of(self.scopes, self.scopes.classes[word])):
                return True
        return False

    def _values(self, name: str, declaration: SyntaxNode) -> Iterator[SyntaxNode]:
        """What a variable is made of: what it is declared with, assigned, or given by calls of its methods; what calls give a parameter."""
        if declaration.type in _PARAMETERS:
            yield from self._arguments(declaration)
            return
        if declaration.type in _CLASSES:
            yield from self._of_objects(declaration)
            return
        for declarator in declarators(declaration):
            if self._own_name(declarator) == name:
                value = declarator.child_by_field_name("value") or declarator.child_by_field_name("parameters")
                if value is not None:
                    yield value
        if declaration.type == "for_range_loop":
            yield declaration.child_by_field_name("right")
        for node in walk(self.scopes.function_around(declaration)):
            if node.type == "assignment_expression" and self._root(node.child_by_field_name("left")) == name:
                yield node.child_by_field_name("right")
            if node.type == "call_expression":
                callee = node.child_by_field_name("function")
                if callee.type == "field_expression" and self._root(callee) == name:
                    yield node.child_by_field_name("arguments")

    def _arguments(self, parameter: SyntaxNode) -> Iterator[SyntaxNode]:
        function = self.scopes.function_around(parameter)
        at = next((k for k, one in enumerate(self.scopes.parameters(function)) if one.id == parameter.id), None)
        name = self.scopes.name_of(function)
        for node in self.scopes.source.walk():
            if at is None or node.type != "call_expression":
                continue
            callee = node.child_by_field_name("function")
            given = node.child_by_field_name("arguments").named_children
            if self._plain_name(callee) == name and at < len(given):
                yield given[at]

    def _of_objects(self, owner: SyntaxNode) -> Iterator[SyntaxNode]:
        name = self.scopes.text(owner.child_by_field_name("name") or owner)
        for node in self.scopes.source.walk():
            is_local = node.type == "declaration" and node.parent.type in ("compound_statement", "case_statement")
            if is_local and self.scopes.text(node.child_by_field_name("type")) == name:
                for declarator in declarators(node):
                    yield from self._values(self._own_name(declarator), node)

    def _leading(self, value: SyntaxNode) -> Iterator[SyntaxNode]:
        """The nodes of a value through which it may lead somewhere: not what calls that give numbers are given, nor subscripts."""
        if value.type == "call_expression":
            yield value
            callee = value.child_by_field_name("function")
            if self._gives_pointers(callee):
                if callee.type == "field_expression":
                    yield from self._leading(callee.child_by_field_name("argument"))
                yield from self._leading(value.child_by_field_name("arguments"))
            return
        if value.type == "pointer_expression":
            yield value
            if self.scopes.text(value.child_by_field_name("operator")) == "*":
                return
            yield from self._leading(value.child_by_field_name("argument"))
            return
        if value.type in ("subscript_expression", "field_expression"):
            yield from self._leading(value.child_by_field_name("argument"))
            return
        if value.type in ("sizeof_expression", "lambda_expression"):
            return
        yield value
        for child in value.named_children:
            yield from self._leading(child)

    def _gives_pointers(self, callee: SyntaxNode) -> bool:
        name = self._plain_name(callee)
        if name in self.scopes.classes or name.endswith("_cast") or _GIVES_POINTERS.fullmatch(name):
            return True
        functions = [f for f in self.scopes.by_name.get(name, ()) if f.child_by_field_name("type") is not None]
        return any(
            f.child_by_field_name("declarator").type != "function_declarator" or self._type_leads(f, set(), [])
            for f in functions
        )

    def _host_place(self, node: SyntaxNode) -> str | None:
        """What of the host's memory a node gives the address of; None where it is none."""
        if node.type == "new_expression" or (node.type == "call_expression" and self._allocates(node)):
            return "what is allocated there"
        if node.type in ("string_literal", "concatenated_string"):
            return "a text"
        if node.type == "pointer_expression" and self.scopes.text(node.child_by_field_name("operator")) == "&":
            return self._local(node.child_by_field_name("argument"))
        if node.type not in ("identifier", "type_identifier"):
            return None
        name = self.scopes.text(node)
        if self._is_element(node, name):
            return None
        declared = self.scopes.visible(node).get(name)
        if declared is None and name in self._tables:
            return f"'{name}', a table of the file"
        if declared is None or declared.type != "declaration":
            return None
        is_array = self.scopes.is_array(declared, name) or "std::array" in self.scopes.text(declared)
        return f"'{name}'" if is_array and self.scopes.holds_its_parts(declared, name) else None

    def _is_element(self, node: SyntaxNode, name: str) -> bool:
        """Whether a name stands in as many subscripts as it has dimensions."""
        depth, inside = 0, node
        while (
            inside.parent.type == "subscript_expression"
            and inside.parent.child_by_field_name("argument").id == inside.id
        ):
            depth, inside = depth + 1, inside.parent
        declared = self.scopes.visible(node).get(name, self._tables.get(name))
        if declared is None:
            return False
        own = next((d for d in declarators(declared) if self._own_name(d) == name), declared)
        dimensions = sum(each.type == "array_declarator" for each in walk(own))
        return depth >= max(dimensions, 1)

    @cached_property
    def _tables(self) -> dict[str, SyntaxNode]:
        """Arrays that the file declares: a host has their copy, device code one of its own."""
        found = [n for n in self.scopes.source.walk() if n.type == "declaration" and n.parent.type in _OUTSIDE]
        return {
            self._own_name(d): node
            for node in found
            for d in declarators(node)
            if self.scopes.is_array(node, self._own_name(d))
        }

    def _allocates(self, call: SyntaxNode) -> bool:
        callee = call.child_by_field_name("function")
        if self._plain_name(callee) in _ALLOCATING:
            return True
        functions = self.scopes.by_name.get(self._plain_name(callee), ()) if self._gives_pointers(callee) else ()
        return any(
            n.type == "new_expression"
            or (n.type == "call_expression" and self._plain_name(n.child_by_field_name("function")) in _ALLOCATING)
            for function in functions
            for n in walk(function)
        )

    def _plain_name(self, callee: SyntaxNode) -> str:
        """What a call calls, without template arguments, spaces of names and objects."""
        text = self.scopes.text(callee.child_by_field_name("field") or callee)
        return re.sub(r"<.*>$", "", text, flags=re.DOTALL).split("::")[-1]

    def _local(self, place: SyntaxNode) -> str | None:
        """The local that a place lies in; None where a pointer or a vector leads to it."""
        inside = place
        while inside.type in ("subscript_expression", "field_expression", "parenthesized_expression"):
            if inside.type == "field_expression" and self.scopes.text(inside.child_by_field_name("operator")) == "->":
                return None
            inside = inside.child_by_field_name("argument") or inside.named_children[0]
        name = self.scopes.text(inside)
        declared = self.scopes.visible(inside).get(name) if inside.type == "identifier" else None
        if declared is None or declared.type != "declaration":
            return None
        is_whole = inside.id == place.id and "std::vector" in self.scopes.text(declared.child_by_field_name("type"))
        return f"'{name}'" if is_whole or self.scopes.holds_its_parts(declared, name) else None

    def _root(self, place: SyntaxNode) -> str:
        while place is not None and place.type != "identifier":
            place = place.child_by_field_name("argument") or (place.named_children[0] if place.named_children else None)
        return "" if place is None else self.scopes.text(place)
