"""Counters and containers that turns append by, in order: each turn's part begins where the parts of those before it end.

A first kernel runs what of a turn decides how far it moves the counters, a slice of the body, and leaves out the rest; sums of what it
counted say where each turn's part begins; then the turns run whole. That is right where no counter's move depends on a counter.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass, field

from regrapht.source.syntax import SyntaxNode, declared_name
from regrapht.transform.verbatim.counted_calls import CountedCall, counted_call, counting_text
from regrapht.transform.verbatim.counting import Counted
from regrapht.transform.verbatim.lent_objects import is_lent
from regrapht.transform.verbatim.scopes import LOOPS, Scopes, walk

_UPDATING = ("update_expression", "assignment_expression")
_PUSHES = ("push_back", "emplace_back")
_LEAVING = ("break_statement", "continue_statement")
_FORWARD = ("++", "+=")


@dataclass(slots=True, kw_only=True)
class Append:
    """The counters of one loop, and what a turn does to find out by how much it moves them."""

    counters: set[str] = field(default_factory=set)
    """Outer variables that turns move on."""
    pushes: dict[str, list[SyntaxNode]] = field(default_factory=dict)
    """The text of an outer container -> the calls that append to it."""
    count_only: dict[int, str] = field(default_factory=dict)
    """What statements are in a turn that only counts, by node; empty for those that it leaves out."""

    calls: list[CountedCall] = field(default_factory=list)
    """What appends by a function that says how much it wrote."""

    @property
    def owners(self) -> set[str]:
        """The names of variables in which turns meet by appending."""
        return self.counters | {path.split(".")[0].split("->")[0] for path in self.pushes}

    def counter_of(self, path: str) -> str:
        """The name of the counter of a container."""
        return f"vb_c{list(self.pushes).index(path)}"


def find_append(scopes: Scopes, nest: list[Counted], known: Collection[str]) -> Append | None:
    """How turns append in order; None where they do not, or where what they add may depend on what was added before.

    Args:
        known: Outer variables that are no counters: what turns move evenly, and the extremes that they keep.
    """
    body = nest[-1].body
    outer = (scopes.visible(nest[0].loop).keys() | scopes.variables.keys()) - set(known)
    outer -= {name for one in nest for name in (*one.variables, *one.ends)}
    made = Append()
    for name in scopes.assigned(body) & outer:
        declared = scopes.visible(nest[0].loop).get(name)
        if not _moves_on(scopes, body, name) or _is_float(scopes, nest[0].loop, name):
            return None
        if name in scopes.changed_by_calls(body) or (declared is not None and is_lent(scopes, declared, name)):
            return None  # an object has operators of its own
        made.counters.add(name)
    for call in walk(body):
        path = _pushed_to(scopes, call)
        if path is not None and path.split(".")[0] in outer:
            made.pushes.setdefault(path, []).append(call)
    if not made.counters and not made.pushes:
        return None
    if any(_other_uses(scopes, body, path, calls) for path, calls in made.pushes.items()):
        return None
    return made if _Slice(scopes, body, made).cut() else None


def _is_float(scopes: Scopes, loop: SyntaxNode, name: str) -> bool:
    """Whether a variable is a number of floats, which is added up, and counts nothing."""
    declared = scopes.visible(loop).get(name) or scopes.variables.get(name)
    text = scopes.text(declared).split("=")[0] if declared is not None else ""
    kinds = [text, *(scopes.text(scopes.aliases[word]) for word in re.findall(r"\w+", text) if word in scopes.aliases)]
    return "*" not in text and any(re.search(r"\b(?:float|double)\b", kind) for kind in kinds)


def _moves_on(scopes: Scopes, body: SyntaxNode, name: str) -> bool:
    """Whether all changes of a name are steps forward."""
    for node in walk(body):
        if node.type not in _UPDATING:
            continue
        target = node.child_by_field_name("left") or node.child_by_field_name("argument")
        is_own = target.type == "identifier" and scopes.text(target) == name
        if is_own and scopes.text(node.child_by_field_name("operator")) not in _FORWARD:
            return False
    return True


def _pushed_to(scopes: Scopes, call: SyntaxNode) -> str | None:
    """The container that a call appends to."""
    if call.type != "call_expression" or call.parent.type != "expression_statement":
        return None
    callee = call.child_by_field_name("function")
    if callee.type != "field_expression" or scopes.text(callee.child_by_field_name("field")) not in _PUSHES:
        return None
    return scopes.text(callee.child_by_field_name("argument"))


def _other_uses(scopes: Scopes, body: SyntaxNode, path: str, calls: list[SyntaxNode]) -> bool:
    """Whether a container is used in the body for more than appending."""
    used = sum(scopes.text(n) == path for n in walk(body) if n.type in ("identifier", "field_expression"))
    return used != len(calls)


@dataclass(slots=True)
class _Slice:
    """The statements of a body that decide how far counters move."""

    scopes: Scopes
    body: SyntaxNode
    made: Append
    needed: set[str] = field(default_factory=set)

    def cut(self) -> bool:
        """Fill in `count_only`; False where the slice would read a counter, or write memory of others."""
        while True:
            before = set(self.needed)
            self.made.count_only, self.made.calls = {}, []
            if not self._keep(self.body):
                return False
            if self.needed == before:
                break
        own = self.scopes.locals_of(self.body)
        kept = list(self._kept(self.body))
        reads = {name for node in kept for name in self._reads(node)}
        writes = {name for node in kept for name in self._targets(node)}
        return not reads & self.made.counters and not (writes - self.made.counters - own)

    def _kept(self, node: SyntaxNode) -> list[SyntaxNode]:
        """The simple statements and headers that stay as they are."""
        if node.id in self.made.count_only:
            return []
        if node.type == "compound_statement":
            return [each for child in node.named_children for each in self._kept(child)]
        if node.type in LOOPS or node.type in ("if_statement", "switch_statement", "else_clause", "case_statement"):
            return [e for child in node.named_children for e in (self._kept(child) if _is_inner(child) else [child])]
        return [node]

    def _keep(self, node: SyntaxNode) -> bool:
        """Whether a statement stays; notes what is left out."""
        if node.type == "compound_statement":
            kept = [self._keep(child) for child in node.named_children if child.type != "comment"]
            return any(kept)
        if node.type in LOOPS or node.type in ("if_statement", "switch_statement", "else_clause", "case_statement"):
            return self._keep_around(node)
        if node.type in _LEAVING:
            return True
        return self._keep_simple(node)

    def _keep_around(self, node: SyntaxNode) -> bool:
        inner = [child for child in node.named_children if _is_inner(child)]
        headers = [child for child in node.named_children if not _is_inner(child)]
        each = [self._keep(child) for child in inner]  # all of them: each notes what it leaves out
        kept = any(each) or any(self._targets(header) & (self.needed | self.made.counters) for header in headers)
        if kept:
            for header in headers:
                self.needed |= self._reads(header) | self._targets(header)
            for child in inner:
                if self.made.count_only.get(child.id) == "":
                    self.made.count_only[child.id] = ";"
        elif node.type not in ("else_clause", "case_statement"):
            self.made.count_only[node.id] = ""
        return kept

    def _keep_simple(self, node: SyntaxNode) -> bool:
        targets = self._targets(node)
        pushed = next(
            (
                path
                for path, calls in self.made.pushes.items()
                if node.named_children and node.named_children[0] in calls
            ),
            None,
        )
        if pushed is not None:
            self.made.count_only[node.id] = f"++{self.made.counter_of(pushed)};"
            return True
        call = counted_call(self.scopes, node, self.made.counters)
        if call is not None:
            self.made.calls.append(call)
            self.made.count_only[node.id] = counting_text(self.scopes, node, call)
            self.needed |= call.reads
            return True
        if targets & self.needed:
            self.needed |= self._reads(node) | targets
            return True
        moved = targets & self.made.counters
        if not moved:
            self.made.count_only[node.id] = ""
            return False
        if (
            node.type == "expression_statement"
            and node.named_children[0].type in _UPDATING
            and len(targets) == len(moved) == 1
        ):
            self.needed |= self._reads(node) - self.made.counters
            return True
        steps = [n for n in walk(node) if n.type in _UPDATING and self._counter(n) is not None]
        if any(not _is_sure(step, node) for step in steps):
            self.needed |= self._reads(node)  # it stays whole, and is refused if it writes more than counters
            return True
        for step in steps:
            right = step.child_by_field_name("right")
            self.needed |= self.scopes.names(right) if right is not None else set()
        self.made.count_only[node.id] = " ".join(f"{self.scopes.text(step)};" for step in steps)
        return True

    def _counter(self, node: SyntaxNode) -> str | None:
        target = node.child_by_field_name("left") or node.child_by_field_name("argument")
        name = self.scopes.text(target)
        return name if target.type == "identifier" and name in self.made.counters else None

    def _targets(self, node: SyntaxNode) -> set[str]:
        """Names of what a statement may change, arrays and objects included."""
        found: set[str] = set()
        for each in walk(node):
            if each.type in _UPDATING:
                found.add(self._base(each.child_by_field_name("left") or each.child_by_field_name("argument")))
            elif each.type in ("declaration", "init_declarator"):
                found.update(
                    self.scopes.declared(each)
                    if each.type == "declaration"
                    else [self.scopes.text(declared_name(each))]
                )
            elif each.type == "call_expression":
                found |= self._changed_by(each)
        return found - {""}

    def _changed_by(self, call: SyntaxNode) -> set[str]:
        callee = call.child_by_field_name("function")
        changed = {self._base(callee)} if callee.type == "field_expression" else set()
        name = self.scopes.text(callee)
        for function in self.scopes.by_name.get(name, ()):
            parameters = [self.scopes.text(p) for p in self.scopes.parameters(function)]
            for parameter, argument in zip(
                parameters, call.child_by_field_name("arguments").named_children, strict=False
            ):
                if ("&" in parameter or "*" in parameter) and "const" not in parameter:
                    changed.add(self._base(argument))
        if name not in self.scopes.by_name and name.startswith("std::"):
            first = call.child_by_field_name("arguments").named_children
            changed |= {
                self._base(argument)
                for argument in first
                if argument.type in ("identifier", "binary_expression", "call_expression", "pointer_expression")
            }
        return changed

    def _base(self, node: SyntaxNode) -> str:
        while node is not None and node.type not in ("identifier", "this"):
            node = (
                node.child_by_field_name("argument")
                or node.child_by_field_name("left")
                or next(iter(node.named_children), None)
            )
        return self.scopes.text(node) if node is not None else ""

    def _reads(self, node: SyntaxNode) -> set[str]:
        """The names that a statement reads; what it only moves on is not read."""
        own = [n for n in walk(node) if n.type in _UPDATING and self._counter(n) is not None]
        skipped = {(n.child_by_field_name("left") or n.child_by_field_name("argument")).id for n in own}
        return {self.scopes.text(n) for n in walk(node) if n.type == "identifier" and n.id not in skipped}


def _is_inner(node: SyntaxNode) -> bool:
    """Whether a part of a loop or branch is a statement, rather than of its header."""
    return node.type.endswith(("statement", "loop")) or node.type in ("else_clause", "declaration")


def _is_sure(node: SyntaxNode, statement: SyntaxNode) -> bool:
    """Whether an expression in a statement is evaluated whenever that runs."""
    while node.id != statement.id:
        node = node.parent
        if node.type in ("conditional_expression", "lambda_expression") or (
            node.type == "binary_expression" and node.child_by_field_name("operator").type in ("&&", "||")
        ):
            return False
    return True
