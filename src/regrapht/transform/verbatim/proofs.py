"""Whether turns cannot meet, by the text alone: each writes places of its own by subscripts that tell which turn it is.

The body is not understood. It is enough that nothing from outside changes but elements of arrays, that no pointer or reference to those is
made, and that every subscript of one array is `a i + r` with the same `a` and an `r` that stays within `a`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from regrapht.records.task import ArgKind, Role, Task
from regrapht.source.polynomial import Polynomial
from regrapht.source.syntax import SyntaxNode, declarators, declared_name
from regrapht.transform.verbatim.counting import Counted
from regrapht.transform.verbatim.scopes import Scopes, walk

_LOSES_CONST = re.compile(
    r"\bconst_cast\b|\bmutable\b|\bstatic\s+(?!const|inline|constexpr)\w[\w:<> ]*\w\s*(=|;|\[|\{)"
)
_BY_REFERENCE = ("swap", "exchange", "ref", "tie", "minmax", "iter_swap")
_HIDING = ("preproc_def", "preproc_function_def")
_INTEGERS = re.compile(r"(const\s+)?(std::)?(size_t|ptrdiff_t|u?int(32|64)_t|unsigned|int|long|long long)\s*&?")
"""Narrower ones cut what they are given, so that turns come back to where others were."""
_LONGEST_STRIDE = 2**24
"""A larger one is meant to wrap, as in a hash, or to be cut by a cast."""
_SCALAR = re.compile(
    r"(const\s+)?((std::)?(size_t|u?int\d+_t|ptrdiff_t)|unsigned|int|long|float|double|bool|char|short|signed|\s)+"
)


class _Unknown(Exception):
    """Nothing is known of a subscript."""


def is_proved(scopes: Scopes, task: Task, nest: list[Counted]) -> bool:
    """Whether no two turns of a loop of the entry touch the same element of what any of them may write."""
    loop = nest[0]
    if len(nest) != 1 or loop.loop.type != "for_statement" or len(loop.variables) != 1 or loop.moves:
        return False
    start = loop.loop.child_by_field_name("initializer")
    if start is None or start.type != "declaration":
        return False  # what else uses the variable is not looked at
    kind = scopes.text(start.child_by_field_name("type"))
    if _INTEGERS.fullmatch(kind) is None or "*" in scopes.text(start).split("=")[0]:
        return False
    if scopes.function_around(loop.loop).id != scopes.entry.id or scopes.variables:
        return False
    if _LOSES_CONST.search(scopes.source.text(scopes.source.root)) or _casts_to_writable(scopes):
        return False
    if any(n.type in _HIDING or (n.type == "preproc_include" and '"' in scopes.text(n)) for n in scopes.source.walk()):
        return False  # what a macro or a header of the project does is not seen
    return _Turn(scopes=scopes, task=task, loop=loop).writes_apart()


def _casts_to_writable(scopes: Scopes) -> bool:
    for node in scopes.source.walk():
        text = ""
        if node.type == "cast_expression":
            text = scopes.text(node.child_by_field_name("type"))
        elif node.type == "template_function" and scopes.text(node.child_by_field_name("name")) == "reinterpret_cast":
            text = scopes.text(node.child_by_field_name("arguments"))
        if ("*" in text or "&" in text) and "const" not in text:
            return True
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Turn:
    """One turn of the loop."""

    scopes: Scopes
    task: Task
    loop: Counted

    def writes_apart(self) -> bool:
        scopes, body = self.scopes, self.loop.body
        outer = scopes.visible(self.loop.loop)
        own = scopes.locals_of(body)
        if scopes.assigned(body) & outer.keys() or own & (outer.keys() | {self.loop.variables[0]}):
            return False
        if any(self._makes_alias(node) or self._hands_over(node, outer) for node in walk(body)):
            return False
        if any("vector<bool>" in scopes.text(outer[name]) for name in scopes.names(body) & outer.keys()):
            return False  # elements share bytes
        if self._share_elements(outer):
            return False
        subscripts: dict[str, list[SyntaxNode]] = {}
        for node in walk(body):
            name = scopes.text(node) if node.type == "identifier" else ""
            if name in outer and not self._is_only_read(name, outer[name]):
                index = self._index(node)
                if index is None:
                    return False
                subscripts.setdefault(name, []).append(index)
        return bool(subscripts) and all(self._apart(indices) for indices in subscripts.values())

    def _share_elements(self, outer: Mapping[str, SyntaxNode]) -> bool:
        """Whether two names that the body uses may lead to the same elements, one of them being a pointer, a reference or a view."""
        used = self.scopes.names(self.loop.body) & outer.keys()
        leads = {name: self._leads_to(name, outer[name], {name}) for name in used}
        read = {arg.name for arg in self.task.args if arg.role is Role.IN}
        return any(
            (found := leads[name]) is None or any((found - read) & (leads[other] or set()) for other in used - {name})
            for name in used
        )

    def _leads_to(self, name: str, declaration: SyntaxNode, known: set[str]) -> set[str] | None:
        """The names of the arrays that a variable may lead to, its own for one of them; None where that is not seen."""
        text = self.scopes.text
        if declaration.type != "declaration":
            return {name} if re.search(r"[*&\[]", text(declaration)) else set()
        own = [d for d in declarators(declaration) if text(declared_name(d)) == name]
        kind = text(declaration.child_by_field_name("type"))
        points = any(n.type in ("pointer_declarator", "reference_declarator") for d in own for n in walk(d))
        if not points and _SCALAR.fullmatch(kind) and not self.scopes.is_array(declaration, name):
            return set()
        if not points and (_SCALAR.fullmatch(kind) or kind.startswith(("std::vector", "std::array"))):
            return {name}
        function = self.scopes.function_around(declaration)
        values = [d.child_by_field_name("value") or d.child_by_field_name("parameters") for d in own]
        for node in walk(function):
            if node.type == "assignment_expression" and text(node.child_by_field_name("left")) == name:
                values.append(node.child_by_field_name("right"))
        found = set[str]()
        for value in values:
            if value is None or any(n.type in ("call_expression", "new_expression") for n in walk(value)):
                return None
            seen = self.scopes.visible(value)
            for other in self.scopes.names(value) & seen.keys() - known:
                more = self._leads_to(other, seen[other], known | {other})
                if more is None:
                    return None
                found |= more
        return found

    def _makes_alias(self, node: SyntaxNode) -> bool:
        """Whether a node declares a pointer or reference through which something could be written that is not seen, or takes an address."""
        text = self.scopes.text
        if node.type in ("declaration", "for_range_loop") and any(
            d.type in ("pointer_declarator", "reference_declarator")
            or (d.child_by_field_name("declarator") or d).type in ("pointer_declarator", "reference_declarator")
            for d in (declarators(node) if node.type == "declaration" else [node.child_by_field_name("declarator")])
        ):
            return "const" not in text(node).split("=")[0].split("(")[0]
        if node.type == "pointer_expression" and text(node.child_by_field_name("operator")) == "&":
            return "[" in text(node)
        return False

    def _is_only_read(self, name: str, declaration: SyntaxNode) -> bool:
        """Whether what a name stands for cannot be written by the body: a constant, a scalar, or an array that the task only reads."""
        arg = next((arg for arg in self.task.args if arg.name == name), None)
        head = re.split(r"[={(]", self.scopes.text(declaration))[0]
        if arg is not None:
            return arg.kind is not ArgKind.ARRAY or "const" in head.split("*")[0]
        before = re.split(rf"\b{name}\b", head)[0]
        if "[" not in head and _SCALAR.fullmatch(before) is not None:
            return True
        is_plain = not any(re.search(rf"\b{kind}\b", before) for kind in self.scopes.classes) and "std::" not in before
        return before.lstrip().startswith(("const ", "constexpr ")) and is_plain and "auto" not in before

    def _hands_over(self, node: SyntaxNode, outer: Mapping[str, SyntaxNode]) -> bool:
        """Whether a call is given a variable from outside that it could change: by a reference, or by what the file does not show."""
        if node.type != "call_expression":
            return False
        given = [
            self.scopes.text(a) for a in node.child_by_field_name("arguments").named_children if a.type == "identifier"
        ]
        given = [
            n for n in given if n in outer and "const" not in self.scopes.text(outer[n]).split("=")[0].split("*")[0]
        ]
        callee = self.scopes.text(node.child_by_field_name("function"))
        if callee.startswith("std::") and callee.removeprefix("std::") not in _BY_REFERENCE:
            return False
        own = self.scopes.by_name.get(callee, ())
        taken = [self.scopes.text(p) for f in own for p in self.scopes.parameters(f)]
        return bool(given) and (not own or any("&" in p and "const" not in p for p in taken))

    def _index(self, node: SyntaxNode) -> SyntaxNode | None:
        """The subscript that a mention of an array has; None for any other mention."""
        parent = node.parent
        if parent.type != "subscript_expression" or parent.child_by_field_name("argument").id != node.id:
            return None
        given = parent.child_by_field_name("indices") or parent.child_by_field_name("index")
        inner = given.named_children if given is not None and given.type == "subscript_argument_list" else [given]
        return inner[0] if len(inner) == 1 else None

    def _apart(self, indices: list[SyntaxNode]) -> bool:
        """Whether subscripts of different turns differ."""
        variable = self.loop.variables[0]
        try:
            found = [self._polynomial(index).split(variable) for index in indices]
        except _Unknown:
            return False
        strides = {stride for stride, _ in found}
        if len(strides) != 1 or variable in next(iter(strides)).names:
            return False
        stride = strides.pop()
        if stride.names & (self.scopes.locals_of(self.loop.body) | self.scopes.targets(self.loop.body)):
            return False
        rests = [self._ranges(rest, stride) for _, rest in found]
        if any(rest is None for rest in rests):
            return False
        if (step := stride.as_constant) is None:
            return all(rest == (Polynomial.constant(0), "row") for rest in rests)
        bases = {rest[0] for rest in rests if rest is not None}
        spans = [rest[1] for rest in rests if rest is not None and not isinstance(rest[1], str)]
        if len(bases) != 1 or not 0 < abs(step) < _LONGEST_STRIDE or len(spans) != len(rests):
            return False
        return max(span[1] for span in spans) - min(span[0] for span in spans) < abs(step)

    def _ranges(self, rest: Polynomial, stride: Polynomial) -> tuple[Polynomial, tuple[int, int] | str] | None:
        """(what all turns add, the least and the largest of what inner loops add) of the rest of a subscript; `row` for an inner variable
        that goes from 0 to just below the stride."""
        low = high = 0
        for name in rest.names:
            bounds = self._inner(name)
            if bounds is None:
                if name in self.scopes.locals_of(self.loop.body) | self.scopes.targets(self.loop.body):
                    return None
                continue
            factor, left = rest.split(name)
            first, end = bounds
            is_row = stride.as_constant is None and end == stride and first == 0
            if is_row and factor.as_constant == 1 and left == Polynomial.constant(0):
                return left, "row"
            by, last = factor.as_constant, end.as_constant
            if by is None or last is None:
                return None
            ends = (by * first, by * (last - 1))
            low, high, rest = low + min(ends), high + max(ends), left
        constant = Polynomial.constant(rest.terms.get((), 0))
        own = rest.terms.get((), 0)
        return rest - constant, (low + own, high + own)

    def _inner(self, name: str) -> tuple[int, Polynomial] | None:
        """(start, end) of the one inner loop `for (T name = number; name < end; ++name)`."""
        text, found = self.scopes.text, []
        for node in walk(self.loop.body):
            if node.type != "for_statement":
                continue
            start, condition, update = (node.child_by_field_name(f) for f in ("initializer", "condition", "update"))
            if start is None or start.type != "declaration" or condition is None or update is None:
                continue
            one = [d for d in declarators(start) if text(declared_name(d)) == name]
            if not one:
                continue
            first, body = one[0].child_by_field_name("value"), node.child_by_field_name("body")
            counts = text(update) in (f"++{name}", f"{name}++") and name not in self.scopes.targets(body)
            end = self._end_of(name, condition)
            if not counts or end is None or first is None or not text(first).isdigit():
                return None
            found.append((int(text(first)), self._polynomial(end)))
        return found[0] if found and all(each == found[0] for each in found) else None

    def _end_of(self, name: str, condition: SyntaxNode) -> SyntaxNode | None:
        """What a condition `name < end` compares with; None for another one, such as `name < end && name <= x` or `name < end - name`."""
        text = self.scopes.text
        left, operator, right = (condition.child_by_field_name(part) for part in ("left", "operator", "right"))
        if left is None or operator is None or right is None or (text(left), text(operator)) != (name, "<"):
            return None
        return None if any(one.type == "identifier" and text(one) == name for one in walk(right)) else right

    def _polynomial(self, node: SyntaxNode) -> Polynomial:
        text = self.scopes.text
        match node.type:
            case "number_literal" if text(node).isdigit():
                return Polynomial.constant(int(text(node)))
            case "identifier":
                return self._of_name(node)
            case "parenthesized_expression":
                return self._polynomial(node.named_children[0])
            case "cast_expression" if _INTEGERS.fullmatch(text(node.child_by_field_name("type"))):
                return self._polynomial(node.child_by_field_name("value"))
            case "binary_expression":
                left, right = (self._polynomial(node.child_by_field_name(side)) for side in ("left", "right"))
                operator = text(node.child_by_field_name("operator"))
                if operator in ("+", "-", "*"):
                    return left + right if operator == "+" else left - right if operator == "-" else left * right
        raise _Unknown

    def _of_name(self, node: SyntaxNode) -> Polynomial:
        """A name, or what a constant of the body was set to."""
        name = self.scopes.text(node)
        if name not in self.scopes.locals_of(self.loop.body) or self._inner(name) is not None:
            return Polynomial.name(name)
        declaration = self.scopes.visible(node).get(name)
        if declaration is None or declaration.type != "declaration" or name in self.scopes.targets(self.loop.body):
            raise _Unknown
        declarator = next(d for d in declarators(declaration) if self.scopes.text(declared_name(d)) == name)
        value = declarator.child_by_field_name("value")
        kind = re.split(rf"\b{name}\b", self.scopes.text(declaration))[0]
        if value is None or _INTEGERS.fullmatch(kind.strip()) is None:
            raise _Unknown
        return self._polynomial(value)
