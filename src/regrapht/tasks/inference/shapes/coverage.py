"""Whether a function writes an array whole before it reads any of it, found by isl over all of its loops together."""

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from regrapht.source.polynomial import Polynomial
from regrapht.source.syntax import text_of, walk
from regrapht.tasks.inference.accesses.accesses import Access
from regrapht.tasks.inference.accesses.conditions import Condition
from regrapht.tasks.inference.accesses.modes import Mode
from regrapht.tasks.inference.accesses.ranges import vector_length
from regrapht.tasks.inference.shapes.exact_turns import exact_turns, is_tile
from regrapht.tasks.inference.values.bounds import Symbols, Unbounded
from regrapht.tasks.inference.values.index_values import IndexValues
from regrapht.tasks.inference.values.loops import LOOPS, has_break, loop_nodes_around

if TYPE_CHECKING:
    from tree_sitter import Node

_COMPARISONS = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "==": "=", "!=": "!="}
_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_LEAVING = ("break_statement", "return_statement", "goto_statement")


class _NotAffine(Exception):
    """isl cannot say what this is."""


def is_written_first(
    accesses: Sequence[Access], split: Sequence[Sequence[Polynomial]], extents: Sequence[Polynomial], symbols: Symbols
) -> bool:
    """Whether every element of an array is written, and none is read before it is.

    Args:
        accesses: All accesses to the array.
        split: The index of each in every dimension.
        extents: The extents of the dimensions.
        symbols: What the indices are made of.

    Returns:
        False also where isl cannot tell: other subscripts than affine ones, unknown conditions, writes in helpers.
    """
    if any(access.at is not accesses[0].at or not access.at.always_runs for access in accesses):
        return False
    depth = max(len(access.nests) for access in accesses)
    texts = _Texts(symbols, len(extents), depth)
    writes: list[str] = []
    reads: list[str] = []
    for access, digits in zip(accesses, split, strict=True):
        if access.mode is not Mode.WRITE:
            try:
                reads.append(texts.relation(access, digits, start=True))
            except (_NotAffine, Unbounded):
                return False  # it may read anything
        if access.mode is Mode.READ:
            continue
        last = _always_written(access, accesses)
        if last is None and _may_be_skipped(access):
            continue
        try:
            writes.append(texts.relation(access, digits, start=False, certain=last))
        except (_NotAffine, Unbounded):
            continue  # one write less to count on
    try:
        box = texts.box(extents)
    except _NotAffine:
        return False
    return bool(writes) and _covers(writes, reads, box, texts)


def _covers(writes: list[str], reads: list[str], box: str, texts: "_Texts") -> bool:
    import islpy

    context = islpy.Context()  # of its own: isl's objects are not to be shared between threads

    def union(parts: list[str]) -> Any:
        whole = islpy.Map.read_from_str(context, texts.full(parts[0]))
        for part in parts[1:]:
            whole = whole.union(islpy.Map.read_from_str(context, texts.full(part)))
        return whole

    written = union(writes)
    positive = islpy.Set.read_from_str(context, texts.positive())
    if not islpy.Set.read_from_str(context, texts.full(box)).intersect_params(positive).is_subset(written.range()):
        return False
    if not reads:
        return True
    if not texts.has_order:
        return False
    read = union(reads).intersect_params(positive)
    earlier = islpy.Map.lex_gt(read.domain().get_space())
    return bool(read.is_subset(earlier.apply_range(written)))


class _Texts:
    """isl's texts of accesses: from points in time to elements."""

    def __init__(self, symbols: Symbols, rank: int, depth: int) -> None:
        self.symbols, self.rank, self.depth = symbols, rank, depth
        self.parameters: dict[str, str] = {}
        self.has_order = True
        """Whether the relations say when an element is touched: not where a tile's length is known when the function runs."""

    def full(self, text: str) -> str:
        return f"[{', '.join(dict.fromkeys(self.parameters.values()))}] -> {text}"

    def positive(self) -> str:
        """Sizes are 1 or more, and so are their products."""
        plain = [short for name, short in self.parameters.items() if re.fullmatch(r"[\w*]+", name)]
        return self.full(f"{{ : {' and '.join(f'{name} >= 1' for name in plain) or 'true'} }}")

    def box(self, extents: Sequence[Polynomial]) -> str:
        dims = [f"e{k}" for k in range(self.rank)]
        inside = [f"0 <= {dim} < {self._text(extent, {})}" for dim, extent in zip(dims, extents, strict=True)]
        return f"{{ [{', '.join(dims)}] : {' and '.join(inside)} }}"

    def relation(self, access: Access, digits: Sequence[Polynomial], *, start: bool, certain: int | None = None) -> str:
        """The elements that an access touches, by when; the right side of an assignment comes before its left.

        Args:
            access: The access.
            digits: Its index in every dimension.
            start: Whether it is a read.
            certain: Where in the text it has happened at the latest, for a write that some branch makes in every turn.
        """
        if len(loop_nodes_around(access.node, access.at.function.body)) != len(access.nests) or _in_head(access.node):
            raise _NotAffine
        names = {nest.symbol: f"i{k}" for k, nest in enumerate(access.nests)}
        inside, time = [], []
        tiled = [
            nest
            for place, nest in enumerate(access.nests)
            if nest.loop.step is None and any(is_tile(nest, inner) for inner in access.nests[place + 1 :])
        ]
        for nest in tiled:
            del names[nest.symbol]
        self.has_order = self.has_order and not tiled
        if start:
            inside += self._ranges(digits, names)
        for nest in access.nests:
            if nest in tiled:
                time += [str(nest.loop.node.start_byte), "0"]
                continue
            symbol, step, name = self.symbols.known.get(nest.symbol), nest.loop.step, names[nest.symbol]
            exact = exact_turns(nest, access, names, lambda value: self._text(value, {})) if not start else []
            if exact:
                inside += exact
                time += [str(nest.loop.node.start_byte), name]
                continue
            if symbol is None or symbol.low is None or symbol.high is None or not step or nest.loop.is_loose:
                raise _NotAffine
            low, high = self._text(symbol.low, names), self._text(symbol.high, names)
            inside.append(f"{low} <= {name} <= {high}")
            if abs(step) > 1:
                first = low if step > 0 else high
                inside.append(f"({name} - ({first})) mod {abs(step)} = 0")
            time += [str(nest.loop.node.start_byte), name if step > 0 else f"-{name}"]
        inside += [self._condition(c, access, names) for c in (access.conditions if certain is None else ())]
        place = access.node.start_byte if start else _stored_at(access.node) if certain is None else certain
        time = [*time, str(place), *["0"] * (2 * (self.depth - len(access.nests)))]
        dims = [f"e{k}" for k in range(self.rank)]
        inside += [f"{dim} = {self._text(digit, names)}" for dim, digit in zip(dims, digits, strict=True)]
        clocks = [f"t{k}" for k in range(len(time))]
        inside += [f"{clock} = {moment}" for clock, moment in zip(clocks, time, strict=True)]
        exists = f"exists {', '.join(names.values())} : " if names else ""
        return f"{{ [{', '.join(clocks)}] -> [{', '.join(dims)}] : {exists}{' and '.join(inside)} }}"

    def _ranges(self, digits: Sequence[Polynomial], names: dict[str, str]) -> list[str]:
        """Where other variables than the loops' stand in what is read: anything in their range. They join `names`."""
        inside = []
        for symbol in (symbol for digit in digits for symbol in self.symbols.of(digit) if symbol.name not in names):
            if symbol.low is None or symbol.high is None:
                raise _NotAffine
            low, high = self._text(symbol.low, names), self._text(symbol.high, names)
            names[symbol.name] = f"v{len(names)}"
            inside.append(f"{low} <= {names[symbol.name]} <= {high}")
        return inside

    def _text(self, value: Polynomial, names: dict[str, str]) -> str:
        out = []
        for monomial, factor in value.terms.items():
            moving = [name for name in monomial if name in names]
            if any(name in self.symbols.known and name not in names for name in monomial) or (
                moving and len(monomial) > 1
            ):
                raise _NotAffine
            term = names[moving[0]] if moving else self._parameter(monomial) if monomial else "1"
            out.append(f"{factor}*{term}")
        return "(" + (" + ".join(out) or "0") + ")"

    def _parameter(self, monomial: tuple[str, ...]) -> str:
        return self.parameters.setdefault("*".join(monomial), f"p{len(self.parameters)}")

    def _condition(self, condition: Condition, access: Access, names: dict[str, str]) -> str:
        return self._test(condition.test, condition.holds, access, names)

    def _test(self, test: "Node", holds: bool, access: Access, names: dict[str, str]) -> str:
        while test.type in ("condition_clause", "parenthesized_expression"):
            test = test.child_by_field_name("value") or test.named_children[0]
        if test.type == "unary_expression" and text_of(test.children[0]) == "!":
            return self._test(test.children[1], not holds, access, names)
        if test.type != "binary_expression":
            raise _NotAffine
        left, operator, right = test.children[0], text_of(test.children[1]), test.children[2]
        if operator in ("&&", "||"):
            joined = "and" if (operator == "&&") == holds else "or"
            return f"({self._test(left, holds, access, names)} {joined} {self._test(right, holds, access, names)})"
        if operator not in _COMPARISONS:
            raise _NotAffine
        reader = IndexValues(self.symbols, vector_length=vector_length)
        sides = [self._text(reader.value(side, access.at), names) for side in (left, right)]
        return f"{sides[0]} {_COMPARISONS[operator if holds else _NEGATED[operator]]} {sides[1]}"


def _always_written(access: Access, accesses: Sequence[Access]) -> int | None:
    """Where in the text an element has been written at the latest that every way through the innermost loop writes; else None."""
    same = [
        other
        for other in accesses
        if other.mode is Mode.WRITE and other.index == access.index and other.nests == access.nests
    ]
    if not access.nests or access.mode is not Mode.WRITE or len(same) < 2:
        return None
    loop = access.nests[-1].loop.node
    body = loop.child_by_field_name("body")
    around = [condition for condition in access.conditions if not _is_within(condition.place, loop)]
    jumps = any(has_break(nest.loop.node) for nest in access.nests)
    if body is None or around or jumps or not stores_on_every_path(body, {other.node.id for other in same}):
        return None
    return max(_stored_at(other.node) for other in same)


def _is_within(node: "Node", loop: "Node") -> bool:
    return loop.start_byte <= node.start_byte and node.end_byte <= loop.end_byte and node.id != loop.id


def _stored_at(node: "Node") -> int:
    assignment = node.parent
    while assignment is not None and assignment.type != "assignment_expression":
        assignment = assignment.parent
    return (assignment or node).end_byte


def _in_head(node: "Node") -> bool:
    """Whether a loop's condition or step makes the access, which then happens once a turn."""
    inside, outer = node, node.parent
    while outer is not None:
        if outer.type in LOOPS:
            heads = [outer.child_by_field_name(name) for name in ("condition", "update")]
            if any(head is not None and head.start_byte <= inside.start_byte < head.end_byte for head in heads):
                return True
        inside, outer = outer, outer.parent
    return False


def _may_be_skipped(access: Access) -> bool:
    """Whether something else than the known conditions may keep the write from happening."""
    known = {condition.place.id for condition in access.conditions}
    tests = {loop.id: _leading_test(loop) for loop in loop_nodes_around(access.node, access.at.function.body)}
    for part in walk(access.at.function.body):
        if part.type not in (*_LEAVING, "continue_statement"):
            continue
        owner, holder = _owner(part), part.parent
        while holder is not None and holder.type not in ("if_statement", *LOOPS):
            holder = holder.parent
        if holder is not None and (holder.id in known or holder.id in tests.values()):
            continue
        last = part.end_byte >= access.node.end_byte
        if part.type == "continue_statement":
            if owner in tests and not last:
                return True
        elif part.type == "break_statement":
            if owner in tests:
                return True
        elif not last or any(loop.start_byte <= part.start_byte < loop.end_byte for loop in _loops(access)):
            return True
    return False


def _loops(access: Access) -> "list[Node]":
    return loop_nodes_around(access.node, access.at.function.body)


def _leading_test(loop: "Node") -> int | None:
    """The `if` that a loop without a condition starts with."""
    body, condition = loop.child_by_field_name("body"), loop.child_by_field_name("condition")
    if condition is not None or body is None:
        return None
    first = next((child for child in body.named_children if child.type != "comment"), None)
    return first.id if first is not None and first.type == "if_statement" else None


def _owner(node: "Node") -> int | None:
    """The loop or switch that a `break` or `continue` is about."""
    outer = node.parent
    kinds = LOOPS if node.type == "continue_statement" else (*LOOPS, "switch_statement")
    while outer is not None and outer.type not in kinds:
        outer = outer.parent
    return outer.id if outer is not None else None


_JUMPS = ("continue_statement", "break_statement", "return_statement", "goto_statement")
_SKIPPING = (*LOOPS, "if_statement", "switch_statement", "conditional_expression", "lambda_expression")


def stores_on_every_path(block: "Node", stores: Collection[int]) -> bool:
    """Whether a run of `block` reaches one of the nodes with these ids, whatever its tests say, before it ends or leaves."""
    statements = block.named_children if block.type == "compound_statement" else [block]
    return _all_store([child for child in statements if child.type != "comment"], stores)


def _all_store(statements: "Sequence[Node]", stores: Collection[int]) -> bool:
    for statement in statements:
        if statement.type == "if_statement":
            branches = _branches(statement)
            done = [branch is not None and stores_on_every_path(branch, stores) for branch in branches]
            if all(done):
                return True
            if any(
                branch is not None and not stored and _may_leave(branch)
                for branch, stored in zip(branches, done, strict=True)
            ):
                return False
        elif statement.type == "compound_statement":
            if stores_on_every_path(statement, stores):
                return True
            if _may_leave(statement):
                return False
        elif statement.type in _SKIPPING or statement.type in _JUMPS:
            if _may_leave(statement):
                return False
        elif any(part.id in stores and _always_runs(part, statement) for part in walk(statement)):
            return True
    return False


def _branches(statement: "Node") -> "list[Node | None]":
    taken, other = statement.child_by_field_name("consequence"), statement.child_by_field_name("alternative")
    if other is not None and other.type == "else_clause":
        other = other.named_children[-1]
    return [taken, other]


def _may_leave(block: "Node") -> bool:
    return any(part.type in _JUMPS for part in walk(block))


def _always_runs(part: "Node", statement: "Node") -> bool:
    outer = part.parent
    while outer is not None and part.id != statement.id:
        late = outer.type == "binary_expression" and text_of(outer.children[1]) in ("&&", "||")
        if outer.type in _SKIPPING or late:
            return False
        part, outer = outer, outer.parent
    return True
