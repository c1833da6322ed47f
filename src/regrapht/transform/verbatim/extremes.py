"""Minima and maxima between turns, with what is noted beside them, and last values: each thread keeps its own, and the best is picked.

A thread's turns come in order, so its own extreme is the one that the loop would have kept of them; among threads the turn number decides
between equal ones, as the order of the loop does.
"""

from dataclasses import dataclass, field

from regrapht.source.syntax import SyntaxNode
from regrapht.transform.verbatim.counting import TURN, Counted
from regrapht.transform.verbatim.rendering import Rendering
from regrapht.transform.verbatim.scopes import Scopes, walk

_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_WORDS = {"<": "Less", ">": "Greater"}
_CALLS = {"min": "<", "max": ">"}


@dataclass(slots=True, kw_only=True)
class Extreme:
    """One value that turns make smaller or larger, and what they note with it; or one whose last value counts.

    Args:
        names: The outer variables, the compared one first.
        wins: Which of two is better, as a struct of `runtime/extremes.h`.
        is_last: Whether of equal ones the later is kept.
        statements: What sets them -> how it reads with the turn noted.
    """

    names: list[str]
    wins: str
    is_last: bool
    statements: dict[int, SyntaxNode] = field(default_factory=dict)

    @property
    def turn(self) -> str:
        """The name of the turn that set it last, in a kernel."""
        return f"vb_turn_{self.names[0]}"

    def swaps(self, scopes: Scopes, rendering: Rendering) -> dict[int, str]:
        """The statements with the turn noted, by node."""
        return {id_: self._noting(scopes, rendering, node) for id_, node in self.statements.items()}

    def _noting(self, scopes: Scopes, rendering: Rendering, node: SyntaxNode) -> str:
        note = f"{self.turn} = {TURN};"
        call = _of_call(scopes, node)
        if call is not None:
            _, operator, other = call
            name, value = self.names[0], rendering.piece(other)
            return f"{{ const auto vb_e = {value}; if (vb_e {operator} {name}) {{ {name} = vb_e; {note} }} }}"
        return f"{{ {note} {rendering.piece(node)} }}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """One statement that keeps an extreme."""

    names: list[str]
    wins: str
    is_last: bool
    node: SyntaxNode
    """What is run when the extreme changes; a whole statement for a call of min or max."""
    mentions: dict[str, int]
    """How often it names each of `names`."""


def find_extremes(scopes: Scopes, nest: list[Counted]) -> list[Extreme]:
    """The extremes that turns of a nest keep in variables from outside of it, which nothing else in the body names."""
    body = nest[-1].body
    outer = (scopes.visible(nest[0].loop).keys() & scopes.assigned(body)) - {v for one in nest for v in one.variables}
    outer -= scopes.changed_by_calls(body)
    found: dict[str, list[_Found]] = {}
    for node in walk(body):
        one = _of_if(scopes, node, outer) if node.type == "if_statement" else _of_statement(scopes, node, outer)
        if one is not None:
            found.setdefault(one.names[0], []).append(one)
    kept = []
    for all_ in found.values():
        first = all_[0]
        if any((f.names, f.wins, f.is_last) != (first.names, first.wins, first.is_last) for f in all_):
            continue
        if all(_mentions(scopes, body, n) == sum(f.mentions[n] for f in all_) for n in first.names):
            statements = {f.node.id: f.node for f in all_}
            kept.append(Extreme(names=first.names, wins=first.wins, is_last=first.is_last, statements=statements))
    return kept


def last_value(scopes: Scopes, body: SyntaxNode, name: str) -> Extreme | None:
    """A variable of which the last turn's value counts behind the loop; None where something other than plain statements sets it."""
    statements = {}
    if name in scopes.changed_by_calls(body):
        return None
    for node in walk(body):
        if node.type not in ("assignment_expression", "update_expression"):
            continue
        target = node.child_by_field_name("left") or node.child_by_field_name("argument")
        if target.type == "identifier" and scopes.text(target) == name:
            if node.parent.type != "expression_statement":
                return None
            statements[node.parent.id] = node.parent
    return Extreme(names=[name], wins="Never", is_last=True, statements=statements) if statements else None


def _mentions(scopes: Scopes, node: SyntaxNode, name: str) -> int:
    return sum(each.type == "identifier" and scopes.text(each) == name for each in walk(node))


def _plain(scopes: Scopes, node: SyntaxNode) -> str:
    """An expression's text to compare, without blanks and outer brackets."""
    while node.type == "parenthesized_expression":
        node = node.named_children[0]
    return "".join(scopes.text(node).split())


def _of_if(scopes: Scopes, node: SyntaxNode, outer: set[str]) -> _Found | None:
    """`if (e < best) { best = e; at = i; }`, with other conditions before or behind, and `|| (e == best && i < at)`."""
    if node.child_by_field_name("alternative") is not None:
        return None
    then = node.child_by_field_name("consequence")
    statements = (
        [c for c in then.named_children if c.type != "comment"] if then.type == "compound_statement" else [then]
    )
    sets = _assignments(scopes, statements, outer)
    if sets is None:
        return None
    condition = node.child_by_field_name("condition")
    condition = condition.child_by_field_name("value") or condition.named_children[0]
    for part in _joined(scopes, condition, "&&"):
        compared = _compared(scopes, part, sets)
        if compared is not None:
            return _found(scopes, compared, sets, node, then)
    return None


def _found(
    scopes: Scopes, compared: tuple[str, str, bool], sets: dict[str, SyntaxNode], node: SyntaxNode, then: SyntaxNode
) -> _Found | None:
    name, wins, is_last = compared
    others = [n for n in sets if n != name]
    if wins.count("Then"):
        wins, second = wins.split(":")
        others = [second, *(n for n in others if n != second)]
    names = [name, *others]
    if any(_mentions(scopes, value, n) for value in sets.values() for n in names):
        return None
    return _Found(
        names=names, wins=wins, is_last=is_last, node=then, mentions={n: _mentions(scopes, node, n) for n in names}
    )


def _assignments(scopes: Scopes, statements: list[SyntaxNode], outer: set[str]) -> dict[str, SyntaxNode] | None:
    """Name -> value, where all statements are plain assignments to different variables from outside."""
    sets: dict[str, SyntaxNode] = {}
    for statement in statements:
        value = (
            statement.named_children[0]
            if statement.type == "expression_statement" and statement.named_children
            else None
        )
        if (
            value is None
            or value.type != "assignment_expression"
            or scopes.text(value.child_by_field_name("operator")) != "="
        ):
            return None
        name, right = scopes.text(value.child_by_field_name("left")), value.child_by_field_name("right")
        if name not in outer or name in sets or _writes(right):
            return None
        sets[name] = right
    return sets or None


def _writes(node: SyntaxNode) -> bool:
    return any(n.type in ("assignment_expression", "update_expression", "lambda_expression") for n in walk(node))


def _joined(scopes: Scopes, node: SyntaxNode, operator: str) -> list[SyntaxNode]:
    """The parts of a chain of `&&` or `||`."""
    while node.type == "parenthesized_expression":
        node = node.named_children[0]
    if node.type == "binary_expression" and scopes.text(node.child_by_field_name("operator")) == operator:
        return [p for side in ("left", "right") for p in _joined(scopes, node.child_by_field_name(side), operator)]
    return [node]


def _compared(scopes: Scopes, part: SyntaxNode, sets: dict[str, SyntaxNode]) -> tuple[str, str, bool] | None:
    """(the compared variable, which of two wins, whether the later of equal ones is kept); with a tie's variable behind a colon."""
    ways = _joined(scopes, part, "||")
    first = _against(scopes, ways[0], sets)
    if first is None or len(ways) > 2:
        return None
    name, operator = first
    if len(ways) == 1:
        return name, _WORDS[operator[0]], operator.endswith("=")
    ties = _joined(scopes, ways[1], "&&")
    if len(ties) != 2 or operator.endswith("=") or not _is_equal(scopes, ties[0], name, sets[name]):
        return None
    second = _against(scopes, ties[1], {n: v for n, v in sets.items() if n != name})
    if second is None or second[1].endswith("="):
        return None
    return name, f"{_WORDS[operator]}Then{_WORDS[second[1]]}:{second[0]}", False


def _against(scopes: Scopes, node: SyntaxNode, sets: dict[str, SyntaxNode]) -> tuple[str, str] | None:
    """(variable, operator) of `value operator variable`, the value being what the variable is then set to."""
    if node.type != "binary_expression":
        return None
    operator = scopes.text(node.child_by_field_name("operator"))
    left, right = (_plain(scopes, node.child_by_field_name(side)) for side in ("left", "right"))
    if operator not in _TURNED:
        return None
    for name, value, way in ((right, left, operator), (left, right, _TURNED[operator])):
        if name in sets and _plain(scopes, sets[name]) == value:
            return name, way
    return None


def _is_equal(scopes: Scopes, node: SyntaxNode, name: str, value: SyntaxNode) -> bool:
    if node.type != "binary_expression" or scopes.text(node.child_by_field_name("operator")) != "==":
        return False
    sides = {_plain(scopes, node.child_by_field_name(side)) for side in ("left", "right")}
    return sides == {name, _plain(scopes, value)}


def _of_statement(scopes: Scopes, node: SyntaxNode, outer: set[str]) -> _Found | None:
    """`best = std::max(best, e);` or `best = e > best ? e : best;`."""
    call = _of_call(scopes, node)
    if call is None:
        return None
    name, operator, other = call
    if name not in outer or _mentions(scopes, other, name) or _writes(other):
        return None
    mentions = {name: _mentions(scopes, node, name)}
    return _Found(names=[name], wins=_WORDS[operator], is_last=False, node=node, mentions=mentions)


def _of_call(scopes: Scopes, node: SyntaxNode) -> tuple[str, str, SyntaxNode] | None:
    """(variable, operator with which a value replaces it, value) of a statement that keeps an extreme by one expression."""
    if node.type != "expression_statement" or not node.named_children:
        return None
    assigned = node.named_children[0]
    if assigned.type != "assignment_expression" or scopes.text(assigned.child_by_field_name("operator")) != "=":
        return None
    name, right = scopes.text(assigned.child_by_field_name("left")), assigned.child_by_field_name("right")
    if right.type == "conditional_expression":
        return _of_choice(scopes, name, right)
    if right.type != "call_expression":
        return None
    callee = scopes.text(right.child_by_field_name("function")).removeprefix("std::").split("<")[0]
    given = right.child_by_field_name("arguments").named_children
    if callee not in _CALLS or len(given) != 2 or scopes.text(given[0]) != name:
        return None
    return name, _CALLS[callee], given[1]


def _of_choice(scopes: Scopes, name: str, choice: SyntaxNode) -> tuple[str, str, SyntaxNode] | None:
    then, other = choice.child_by_field_name("consequence"), choice.child_by_field_name("alternative")
    condition = choice.child_by_field_name("condition")
    while condition.type == "parenthesized_expression":
        condition = condition.named_children[0]
    if _plain(scopes, other) != name:
        return None
    found = _against(scopes, condition, {name: then})
    return None if found is None or found[1].endswith("=") else (name, found[1], then)


def extremes_inside(extremes: list[Extreme]) -> tuple[list[str], list[str]]:
    """(what stands before the turns, parameters) for what threads keep of extremes."""
    before, given = [], []
    for one in extremes:
        for name in one.names:
            given += [f"vb_k_{name}", f"vb_at_{name}"]
            before.append(f"auto& {name} = verbatim::kept_of(vb_k_{name}, vb_at_{name});")
        given.append(f"vb_kt_{one.names[0]}")
        before.append(f"long long& {one.turn} = verbatim::turn_of(vb_kt_{one.names[0]});")
    return before, given


def extremes_before(extremes: list[Extreme]) -> list[str]:
    """Room for what threads keep."""
    lines = []
    for one in extremes:
        kept = [
            (f"vb_r_{name}", f"vb_k_{name}", f"std::remove_reference_t<decltype(*vb_at_{name})>") for name in one.names
        ]
        kept.append((f"vb_rt_{one.names[0]}", f"vb_kt_{one.names[0]}", "long long"))
        lines += [f"verbatim::Kept<{kind}> {room}; auto* const {at} = {room}.at;" for room, at, kind in kept]
        lines.append(f"verbatim::Kept<long long> vb_rp_{one.names[0]};")
    return lines


def extremes_after(extremes: list[Extreme], grid: str) -> list[str]:
    """The best of what threads kept, into the variables."""
    lines = []
    for one in extremes:
        first, turn = f"vb_k_{one.names[0]}", f"vb_kt_{one.names[0]}"
        other = f"vb_k_{one.names[1]}" if "Then" in one.wins else turn
        picked = f"vb_rp_{one.names[0]}.at"
        head = f"verbatim::pick<verbatim::order::{one.wins}, {'true' if one.is_last else 'false'}>"
        lines.append(f"{head}<<<1, 256>>>({first}, {other}, {turn}, {grid} * (long long)verbatim::kBlock, {picked});")
        lines += [f"verbatim::take_picked<<<1, 1>>>(vb_at_{name}, vb_k_{name}, {picked});" for name in one.names]
    return lines
