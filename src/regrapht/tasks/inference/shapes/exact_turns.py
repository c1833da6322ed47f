"""Which values a loop's variable takes, exactly, as isl's text: loops over blocks by hand, up to a smaller of two bounds, that go on where
another loop ended."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from regrapht.source.polynomial import Polynomial
from regrapht.source.syntax import bare, text_of
from regrapht.tasks.inference.accesses.accesses import Access, Nest
from regrapht.tasks.inference.values.index_syntax import field_of, is_extreme
from regrapht.tasks.inference.values.loops import Loop, earlier_loop, stores_below
from regrapht.tasks.inference.values.scope import find_declaration, stores_to

if TYPE_CHECKING:
    from tree_sitter import Node

_UPWARDS = ("<", "<=", "!=")
_MIN = re.compile(r"(?:std::)?min(?:<.*>)?")
_CASTS = re.compile(r"(?:static_cast<.*>|int|long|size_t|unsigned)")
_DEEPEST = 8


class _NotExact(Exception):
    """The text of a loop does not say it."""


def exact_turns(nest: Nest, access: Access, names: dict[str, str], text: Callable[[Polynomial], str]) -> list[str]:
    """Conditions that hold for just the values that the loop's variable takes; empty where that is not seen.

    What they say may be too little where a quotient is of something negative, and so it is for what is written, not for what is read.

    Args:
        nest: The loop.
        access: What stands in it.
        names: Names of the variables of the loops around, itself included, by their symbols; others that the conditions have join them.
        text: The text of a polynomial of sizes.
    """
    try:
        return _Reader(access, names, text).turns(nest)
    except _NotExact:
        return []


def is_tile(outer: Nest, inner: Nest) -> bool:
    """Whether a loop goes over the tile that starts where a loop around it stands, which goes up by the tile's length: both together are
    one loop from the outer one's start to its bound."""
    loop, tile = outer.loop, inner.loop
    if loop.beside is not None or tile.beside is not None:
        return False
    if loop.operator != "<" or loop.shift or tile.operator != "<" or tile.shift or tile.step != 1:
        return False
    if loop.bound is None or tile.bound is None or tile.start is None or loop.start is None:
        return False
    amount = moved_by(loop)
    by = text_of(amount) if amount is not None else None
    ends = _smaller(_resolved(tile.bound, tile.node))
    wanted = [{re.sub(r"\s+", "", text_of(bare(loop.bound)))}, {f"{loop.name}+{by}", f"{by}+{loop.name}"}]
    told = [re.sub(r"\s+", "", text_of(bare(end))) for end in ends]
    starts = text_of(_resolved(tile.start, tile.node)) == loop.name and text_of(loop.start) == "0"
    return (
        by is not None
        and starts
        and len(told) == 2
        and any(one in wanted[0] and other in wanted[1] for one, other in (told, told[::-1]))
    )


def moved_by(loop: Loop) -> "Node | None":
    """The name that a loop's head adds to its variable, and that nothing in it changes."""
    update = loop.node.child_by_field_name("update")
    if update is None or update.type != "assignment_expression" or text_of(update.children[1]) != "+=":
        return None
    target, amount = update.children[0], update.children[2]
    plain = text_of(target) == loop.name and amount.type == "identifier"
    return amount if plain and not stores_below(loop.node, text_of(amount)) else None


def _resolved(node: "Node", use: "Node") -> "Node":
    """What a local stands for that is declared in the body around `use` and never set again."""
    outer = use
    while outer.parent is not None and outer.type != "function_definition":
        outer = outer.parent
    return node if bare(node).type != "identifier" else _initialiser(bare(node), use, outer) or node


def _initialiser(name: "Node", use: "Node", function: "Node") -> "Node | None":
    inside, block = use, use.parent
    while block is not None and inside.id != function.id:
        for sibling in reversed(block.named_children if block.type == "compound_statement" else []):
            for declarator in sibling.children_by_field_name("declarator") if sibling.type == "declaration" else ():
                target = declarator.child_by_field_name("declarator")
                if target is None or text_of(target) != text_of(name) or sibling.end_byte > inside.start_byte:
                    continue
                set_again = stores_below(block, text_of(name))
                return declarator.child_by_field_name("value") if not set_again else None
        inside, block = block, block.parent
    return None


def _smaller(node: "Node") -> "list[Node]":
    """The values of which the node is the smallest; itself where it is no minimum."""
    node = bare(node)
    if node.type == "conditional_expression" and is_extreme(node)[0]:
        sides = [field_of(node, side) for side in ("consequence", "alternative")]
        return [end for side in sides for end in _smaller(side)]
    called = node.child_by_field_name("function") if node.type == "call_expression" else None
    if called is not None and _MIN.fullmatch(text_of(called)):
        given = [one for one in field_of(node, "arguments").named_children if one.type != "comment"]
        if len(given) == 1 and given[0].type == "initializer_list":
            given = given[0].named_children
        return [end for one in given for end in _smaller(one)]
    return [node]


class _Reader:
    def __init__(self, access: Access, names: dict[str, str], text: Callable[[Polynomial], str]) -> None:
        self.at, self.text, self.names, self.nests = access.at, text, names, access.nests
        self.loops = {nest.loop.name: names[nest.symbol] for nest in access.nests if nest.symbol in names}
        self.also: list[str] = []
        """What must hold for the texts to be right."""
        self.depth = 0

    def turns(self, nest: Nest) -> list[str]:
        name = self.loops.get(nest.loop.name)
        if name is None:
            raise _NotExact
        outer = next((one for one in self.nests if one.loop.name not in self.loops and is_tile(one, nest)), None)
        if outer is not None:
            assert outer.loop.bound is not None
            return [f"0 <= {name} < {self.value(outer.loop.bound)}", *self.also]
        loop, step = nest.loop, self.step(nest.loop)
        start, found = self.start(loop)
        less = "<=" if loop.operator == "<=" else "<"
        found.append(f"{start} <= {name}")
        assert loop.bound is not None
        found += [f"{name} + {self.added(loop)} {less} {self.value(end)}" for end in self.ends(loop.bound)]
        if step > 1:
            found.append(f"({name} - {start}) mod {step} = 0")
        return [*found, *self.also]

    def step(self, loop: Loop) -> int:
        """How far a loop's head moves its variable up."""
        if loop.operator not in _UPWARDS or loop.start is None or loop.bound is None or loop.store is not None:
            raise _NotExact
        step = loop.step
        if step is None:
            by = moved_by(loop)
            told = self.value(by) if by is not None else ""
            step = int(told) if told.isdigit() else 0
        if step < 1 or (loop.operator == "!=" and step != 1):
            raise _NotExact
        return step

    def added(self, loop: Loop) -> str:
        """What the loop's condition adds to its variable."""
        return str(loop.shift) if loop.beside is None else self.value(loop.beside)

    def start(self, loop: Loop) -> tuple[str, list[str]]:
        """Where a loop starts, and what is known of that: a number, or where an earlier loop over the same variable ended."""
        assert loop.start is not None
        before = self.value(loop.start)
        if not loop.is_loose:
            return before, []
        earlier = earlier_loop(loop.node, loop.name, loop.step)
        if earlier is None or earlier.is_loose or earlier.bound is None:
            raise _NotExact
        step, end, added = self.step(earlier), self.value(earlier.bound), self.added(earlier)
        reached = self.names.setdefault(f"{loop.name} behind the loop before", f"b{len(self.names)}")
        over, under = (">", "<=") if earlier.operator == "<=" else (">=", "<")
        last = f"({reached} = {before} or {reached} - {step} + {added} {under} {end})"
        return reached, [
            f"({reached} - {before}) mod {step} = 0 and {reached} >= {before}",
            f"{reached} + {added} {over} {end} and {last}",
        ]

    def ends(self, node: "Node") -> "list[Node]":
        """The values of which a bound is the smallest, through locals that keep what they are declared with."""
        found: list[Node] = []
        for end in _smaller(node):
            kept = self.kept(end) if end.type == "identifier" and text_of(end) not in self.loops else None
            found += self.ends(kept) if kept is not None else [end]
        return found

    def kept(self, name: "Node") -> "Node | None":
        """What a local is declared with that nothing sets again."""
        declared = find_declaration(name, text_of(name), self.at.function)
        if declared is None or declared.is_loop or declared.value is None or stores_to(text_of(name), self.at.function):
            return None
        self.depth += 1
        if self.depth > _DEEPEST:
            raise _NotExact
        return declared.value

    def value(self, node: "Node") -> str:
        """isl's text of an expression."""
        node = bare(node)
        if node.type == "number_literal" and re.fullmatch(r"[1-9]\d*[uUlL]*|0", text_of(node)):
            return str(int(re.sub(r"[uUlL]", "", text_of(node))))
        if node.type == "identifier":
            return self.named(node)
        if node.type == "cast_expression":
            return self.value(node.named_children[-1])
        if node.type == "call_expression":
            given = field_of(node, "arguments").named_children
            if len(given) == 1 and _CASTS.fullmatch(text_of(field_of(node, "function"))):
                return self.value(given[0])
        if node.type != "binary_expression":
            raise _NotExact
        operator, sides = text_of(node.children[1]), [self.value(side) for side in (node.children[0], node.children[2])]
        if operator in "+-":
            return f"({sides[0]} {operator} {sides[1]})"
        if operator == "*" and any(side.isdigit() for side in sides):
            return f"({sides[0]} * {sides[1]})"
        if operator in "/%" and sides[1].isdigit() and int(sides[1]) > 0:
            self.also.append(f"{sides[0]} >= 0")
            return f"floor({sides[0]}/{sides[1]})" if operator == "/" else f"({sides[0]} mod {sides[1]})"
        raise _NotExact

    def named(self, name: "Node") -> str:
        if text_of(name) in self.loops:
            return self.loops[text_of(name)]
        kept = self.kept(name)
        if kept is not None:
            return self.value(kept)
        value = self.at.values.get(text_of(name))
        if value is None or find_declaration(name, text_of(name), self.at.function) is not None:
            raise _NotExact
        if stores_to(text_of(name), self.at.function):
            raise _NotExact
        return self.text(value)
