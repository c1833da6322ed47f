"""What a file declares and what is in scope at a place in it, by tree-sitter's tree: names alone, no types are worked out."""

import re
from collections.abc import Iterator
from functools import cached_property

from regrapht.errors import CannotTransform
from regrapht.records.expression import Expression
from regrapht.source import syntax
from regrapht.source.syntax import SourceText, SyntaxNode, declarators, declared_name, function_declarator

LOOPS = ("for_statement", "while_statement", "do_statement", "for_range_loop")
_CLASSES = ("struct_specifier", "class_specifier", "union_specifier")
_USINGS = ("using_declaration", "alias_declaration", "type_definition")
_ASSIGNING = ("assignment_expression", "update_expression")
_NUMBERS = ("primitive_type", "sized_type_specifier")
_STANDARD_NUMBER = re.compile(r"auto|std::(u?int(8|16|32|64)_t|size_t|ptrdiff_t)")
CHANGING = frozenset({"swap", "exchange", "tie"})
"""Functions of the standard library that change the names that they are given."""


def walk(node: SyntaxNode) -> Iterator[SyntaxNode]:
    """The node and all below it."""
    return syntax.walk(node)


class Scopes:
    """A file's functions, types and variables, and what a place in a function sees of them.

    Args:
        text: C++ with macros as they are written.
        entry: The function that a task names.

    Raises:
        CannotTransform: The text does not parse, or has no such function.
    """

    def __init__(self, text: str, entry: str) -> None:
        self.source = SourceText(text)
        if self.source.error_line is not None:
            raise CannotTransform("this does not parse as C++", line=self.source.error_line)
        self.functions = [node for node in self.source.walk() if node.type == "function_definition"]
        found = [node for node in self.functions if self.name_of(node) == entry]
        if len(found) != 1:
            raise CannotTransform(f"no one definition of '{entry}'")
        self.entry = found[0]

    def text(self, node: SyntaxNode) -> str:
        return self.source.text(node)

    def line(self, node: SyntaxNode) -> int:
        return self.source.line(node)

    def name_of(self, function: SyntaxNode) -> str:
        """A function's own name, without what it is a member of."""
        declarator = function_declarator(function)
        return "" if declarator is None else self.text(declarator.child_by_field_name("declarator")).split("::")[-1]

    @cached_property
    def by_name(self) -> dict[str, list[SyntaxNode]]:
        """Name -> the functions and constructors that are called so."""
        found: dict[str, list[SyntaxNode]] = {}
        for function in self.functions:
            found.setdefault(self.name_of(function), []).append(function)
        return found

    @cached_property
    def classes(self) -> dict[str, SyntaxNode]:
        """Name -> the struct or class that the file defines."""
        nodes = (
            node
            for node in self.source.walk()
            if node.type in _CLASSES and node.child_by_field_name("body") is not None
        )
        return {self.text(name): node for node in nodes if (name := node.child_by_field_name("name")) is not None}

    @cached_property
    def aliases(self) -> dict[str, SyntaxNode]:
        """Name -> the declaration of another name of a type."""
        nodes = (node for node in self.source.walk() if node.type in ("alias_declaration", "type_definition"))
        named = ((node.child_by_field_name("name") or node.child_by_field_name("declarator"), node) for node in nodes)
        return {self.text(name): node for name, node in named if name is not None}

    @cached_property
    def variables(self) -> dict[str, SyntaxNode]:
        """Name -> the declaration of a variable of the file that can be changed; static members have colons in theirs."""
        found: dict[str, SyntaxNode] = {}
        for node in self.source.walk():
            is_outer = node.type == "declaration" and node.parent.type in ("translation_unit", "declaration_list")
            if is_outer and not is_constant(self.text(node)):
                own = [d for d in declarators(node) if d.type != "function_declarator"]
                found |= {self.text(_name(d)): node for d in own}
            elif node.type == "field_declaration" and self._is_shared(node):
                found |= {
                    f"::{self.text(_name(d))}": node for d in declarators(node) if d.type != "function_declarator"
                }
        return found

    def _is_shared(self, field: SyntaxNode) -> bool:
        """Whether all objects of a class have one field together that can be changed."""
        words = {self.text(c) for c in field.children if c.type == "storage_class_specifier"}
        return "static" in words and not is_constant(self.text(field))

    def owner(self, function: SyntaxNode) -> SyntaxNode | None:
        """The class that a function is defined in; None for a free function."""
        node = function.parent
        while node is not None:
            if node.type in _CLASSES:
                return node
            node = node.parent
        return None

    def fields(self, owner: SyntaxNode) -> set[str]:
        """The names of a class's data."""
        body = owner.child_by_field_name("body")
        return {
            self.text(name)
            for field in body.named_children
            if field.type == "field_declaration"
            for d in declarators(field)
            if d.type != "function_declarator" and (name := declared_name(d)).type == "field_identifier"
        }

    def methods(self, owner: SyntaxNode) -> set[str]:
        """The names of a class's functions."""
        return {self.name_of(f) for f in self.functions if (own := self.owner(f)) is not None and own.id == owner.id}

    def function_around(self, node: SyntaxNode) -> SyntaxNode:
        while node.type != "function_definition":
            node = node.parent
        return node

    def visible(self, place: SyntaxNode) -> dict[str, SyntaxNode]:
        """Name -> the declaration of each parameter and local that a place sees, and of each field, with the class itself."""
        found: dict[str, SyntaxNode] = {}
        function = self.function_around(place)
        node = place
        while node.id != function.id:
            around = node.parent
            for declaration in self._declared_before(around, node):
                for name in self.declared(declaration):
                    found.setdefault(name, declaration)
            node = around
        for parameter in self.parameters(function):
            for name in self.declared(parameter):
                found.setdefault(name, parameter)
        owner = self.owner(function)
        if owner is not None:
            for name in self.fields(owner):
                found.setdefault(name, owner)
        return found

    def is_constexpr(self, function: SyntaxNode) -> bool:
        """Whether the compiler may call a function, so that nothing may be put into it that only runs."""
        body = function.child_by_field_name("body")
        words = self.source.written[function.start_byte : (body or function).start_byte].decode()
        return re.search(r"\bconst(expr|eval)\b", words) is not None

    def functions_of(self, name: SyntaxNode) -> list[SyntaxNode]:
        """The functions that a call of a plain name may be of: those of the class around it, else free ones; none for a local's name."""
        if name.type != "identifier" or self.text(name) in self.visible(name):
            return []
        found, around = self.by_name.get(self.text(name), []), self.owner(self.function_around(name))
        owners = [self.owner(each) for each in found]
        own = [
            f
            for f, at in zip(found, owners, strict=True)
            if at is not None and around is not None and at.id == around.id
        ]
        return own or [f for f, at in zip(found, owners, strict=True) if at is None] or found

    def methods_of(self, callee: SyntaxNode) -> list[SyntaxNode]:
        """The functions that `object.name` may stand for: those of the object's class where its declaration tells that."""
        base, found = (
            callee.child_by_field_name("argument"),
            self.by_name.get(self.text(callee.child_by_field_name("field")), []),
        )
        declared = self.visible(base).get(self.text(base)) if base.type == "identifier" else None
        kind = declared.child_by_field_name("type") if declared is not None else None
        owner = self.classes.get(self.text(kind)) if kind is not None else None
        own = [
            each for each in found if owner is not None and (at := self.owner(each)) is not None and at.id == owner.id
        ]
        return own or found

    def parameters(self, function: SyntaxNode) -> list[SyntaxNode]:
        declarator: SyntaxNode = function_declarator(function)
        return [] if declarator is None else list(declarator.child_by_field_name("parameters").named_children)

    def _declared_before(self, around: SyntaxNode, node: SyntaxNode) -> Iterator[SyntaxNode]:
        if around.type in ("compound_statement", "case_statement"):
            yield from (c for c in around.children if c.type == "declaration" and c.end_byte <= node.start_byte)
        elif around.type == "for_statement":
            start = around.child_by_field_name("initializer")
            if start is not None and start.type == "declaration" and start.id != node.id:
                yield start
        elif around.type == "for_range_loop" and node.id == around.child_by_field_name("body").id:
            yield around

    def declared(self, declaration: SyntaxNode) -> list[str]:
        """The names that one declaration, parameter or range loop declares. In a function, `T x(n)` is a variable and no function."""
        is_local = declaration.parent is not None and declaration.parent.type in (
            "compound_statement",
            "case_statement",
        )
        return [
            self.text(declared_name(d)) for d in declarators(declaration) if is_local or d.type != "function_declarator"
        ]

    def usings(self, place: SyntaxNode) -> list[str]:
        """What a function says of names before a place in it: `using`s and local types by another name, outermost first."""
        found: list[str] = []
        function, node = self.function_around(place), place
        while node.id != function.id:
            before = [c for c in node.parent.children if c.type in _USINGS and c.end_byte <= node.start_byte]
            found[:0] = [self.text(each) for each in before]
            node = node.parent
        return found

    def lambda_of(self, declaration: SyntaxNode, name: str) -> SyntaxNode | None:
        """The lambda that a name is declared as; None for any other."""
        for declarator in declarators(declaration):
            value = declarator.child_by_field_name("value")
            if value is not None and value.type == "lambda_expression" and self.text(declared_name(declarator)) == name:
                return value
        return None

    def locals_of(self, body: SyntaxNode) -> set[str]:
        """The names declared anywhere inside of a statement, lambdas' parameters too."""
        kinds = ("declaration", "for_range_loop", "parameter_declaration", "optional_parameter_declaration")
        return {name for node in walk(body) if node.type in kinds for name in self.declared(node)}

    def names(self, node: SyntaxNode) -> set[str]:
        """All identifiers in a node; fields after a dot or an arrow are none."""
        return {self.text(each) for each in walk(node) if each.type == "identifier"}

    def assigned(self, node: SyntaxNode) -> set[str]:
        """The names that are themselves assigned in a node, not what they point to; those declared inside of it left out."""
        return self.targets(node) - self.locals_of(node)

    def changed(self, node: SyntaxNode) -> set[str]:
        """As `assigned`, with local arrays and objects that are changed in part: `sums[k] = 0`, `box.low += 1`."""
        found = self.assigned(node)
        seen = self.visible(node)
        for code in self.run_by(node):
            for name in self._changed_in_part(code):
                if name in seen and self.holds_its_parts(seen[name], name):
                    found.add(name)
        return found - self.locals_of(node)

    def _changed_in_part(self, code: SyntaxNode) -> Iterator[str]:
        for each in walk(code):
            if each.type in _ASSIGNING:
                target = each.child_by_field_name("left") or each.child_by_field_name("argument")
                while target.type in ("subscript_expression", "field_expression"):
                    target = target.child_by_field_name("argument")
                if target.type == "identifier":
                    yield self.text(target)

    def run_by(self, node: SyntaxNode) -> list[SyntaxNode]:
        """A piece of a function, and the lambdas from around it that it names, and theirs: what they capture, it changes."""
        found, waiting = [node], [node]
        while waiting:
            code = waiting.pop()
            calls = {self.text(each) for each in walk(code) if each.type == "identifier"}
            seen = self.visible(code) if calls else {}
            for name in sorted(calls & seen.keys()):
                closure = self.lambda_of(seen[name], name)
                if closure is not None and closure not in found and not _lies_in(closure, node):
                    found.append(closure)
                    waiting.append(closure)
        return found

    def holds_its_parts(self, declaration: SyntaxNode, name: str) -> bool:
        """Whether a local is an array or object of its own: no pointer, reference or parameter, no vector, whose elements lie elsewhere."""
        if declaration.type != "declaration":
            return False
        kind = self.text(declaration.child_by_field_name("type"))
        own = [one for one in declarators(declaration) if self.text(declared_name(one)) == name]
        far = any(node.type in ("pointer_declarator", "reference_declarator") for one in own for node in walk(one))
        return not far and "std::vector" not in kind and kind != "auto"

    def is_array(self, declaration: SyntaxNode, name: str) -> bool:
        """Whether a declaration makes the name an array of C's."""
        return any(
            node.type == "array_declarator" and self.text(declared_name(node)) == name for node in walk(declaration)
        )

    def targets(self, node: SyntaxNode) -> set[str]:
        """As `assigned`, with those declared inside."""
        return self._assigned_in(node) | self.changed_by_calls(node)

    def _assigned_in(self, code: SyntaxNode) -> set[str]:
        targets = (
            each.child_by_field_name("left") or each.child_by_field_name("argument")
            for each in walk(code)
            if each.type in _ASSIGNING
        )
        return {self.text(target) for target in targets if target.type == "identifier"}

    def changed_by_calls(self, node: SyntaxNode) -> set[str]:
        """The numbers and pointers that a piece of a function has changed by what it calls: they are handed over by reference, or a lambda
        has captured them."""
        found = set[str]()
        for code in self.run_by(node):
            calls = (each for each in walk(code) if each.type == "call_expression")
            inside = {self.text(one) for call in calls for one in self.handed_over(call) if self._is_single(one)}
            found |= inside if code == node else (inside | self._assigned_in(code)) - self.locals_of(code)
        return found

    def handed_over(self, call: SyntaxNode) -> list[SyntaxNode]:
        """The arguments of a call that the function may change: it takes them by a reference that is not const."""
        callee, given = call.child_by_field_name("function"), call.child_by_field_name("arguments").named_children
        name = self.text(callee.child_by_field_name("field") or callee)
        if name.removeprefix("std::") in CHANGING:
            return list(given)
        taken = [self.parameters(function) for function in self.by_name.get(name, ())]
        declared = self.visible(call).get(name) if callee.type == "identifier" else None
        closure = self.lambda_of(declared, name) if declared is not None else None
        if closure is not None:
            head = closure.child_by_field_name("declarator")
            taken = [list(head.child_by_field_name("parameters").named_children)] if head is not None else []
        at = {k for one in taken for k, parameter in enumerate(one) if self._may_change(parameter)}
        return [one for k, one in enumerate(given) if k in at]

    def _may_change(self, parameter: SyntaxNode) -> bool:
        """Whether a parameter is a reference that its function may change something by."""
        words = [self.text(child) for child in parameter.children if child.type == "type_qualifier"]
        declarator = parameter.child_by_field_name("declarator")
        refers = declarator is not None and any(n.type == "reference_declarator" for n in walk(declarator))
        return refers and "const" not in words

    def _is_single(self, place: SyntaxNode) -> bool:
        """Whether an expression is the name of a number or a pointer, for all that its declaration says."""
        declaration = self.visible(place).get(self.text(place)) if place.type == "identifier" else None
        if declaration is None or self.is_array(declaration, self.text(place)):
            return False
        kind = declaration.child_by_field_name("type")
        own = [one for one in declarators(declaration) if self.text(declared_name(one)) == self.text(place)]
        points = any(node.type == "pointer_declarator" for one in own for node in walk(one))
        is_number = kind is not None and (
            kind.type in _NUMBERS or _STANDARD_NUMBER.fullmatch(self.text(kind)) is not None
        )
        return points or is_number

    def loops(self, node: SyntaxNode) -> list[SyntaxNode]:
        return [each for each in walk(node) if each.type in LOOPS]


def elements(shape: tuple[Expression, ...], space: str) -> str:
    """How many elements a shape of the task has, as C++ with the functions of a header's namespace."""
    texts = [re.sub(r"\b(min|max|log2|ceil)(?=\s*\()", rf"{space}::shape_\1", length.c_text) for length in shape]
    return " * ".join(f"(long long)({text})" for text in texts)


def _lies_in(node: SyntaxNode, around: SyntaxNode) -> bool:
    return bool(around.start_byte <= node.start_byte and node.end_byte <= around.end_byte)


def _name(declarator: SyntaxNode) -> SyntaxNode:
    """The name that a declarator declares; with its class where it is a static member."""
    while declarator.type in ("init_declarator", "array_declarator", "pointer_declarator"):
        declarator = declarator.child_by_field_name("declarator")
    return declarator if declarator.type == "qualified_identifier" else declared_name(declarator)


def is_constant(declaration: str) -> bool:
    """Whether a declaration's text makes a constant: `const` before a star is what is pointed to."""
    head = re.split(r"[=({\[]", declaration, maxsplit=1)[0]
    return bool(re.search(r"\bconst(expr)?\b", head.rsplit("*", 1)[-1] if "*" in head else head))


def belongs(node: SyntaxNode, body: SyntaxNode, around: tuple[str, ...]) -> bool:
    """Whether a statement such as `break` in `body` belongs to the loop of which that is the body, `around` being what would take it."""
    node = node.parent
    while node is not None and node.id != body.id:
        if node.type in (*around, "lambda_expression"):
            return False
        node = node.parent
    return True


def leaves(body: SyntaxNode) -> SyntaxNode | None:
    """The statement by which a turn may end its loop: a break of its own, a return, a goto; None without any."""
    for node in walk(body):
        of_body = body.type not in (*LOOPS, "switch_statement")  # a body without braces may be what a break in it ends
        if node.type == "break_statement" and of_body and belongs(node, body, (*LOOPS, "switch_statement")):
            return node
        if node.type in ("return_statement", "throw_statement") and belongs(node, body, ()):
            return node
        if node.type == "goto_statement":
            return node
    return None
