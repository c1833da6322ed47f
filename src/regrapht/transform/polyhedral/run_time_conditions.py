"""Conditions on sizes and scalars under which iterations are independent: what a program can test before it starts threads.

isl gives the parameters for which something is in the way: an index that leaves its row, so that rows overlap, or two iterations that
touch one element. The condition is what remains without them, as far as it is simple. It is a proposal alone: the function is analysed
again with the condition as given, and what is parallel then is proven like anything else.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from regrapht.transform.polyhedral.conflicts import apart, found_conflicts
from regrapht.transform.polyhedral.delinearise import shape_failures
from regrapht.transform.polyhedral.isl_library import isl
from regrapht.transform.polyhedral.loop_tree import READ, Access, Loop
from regrapht.transform.polyhedral.scop import Scop
from regrapht.transform.polyhedral.turns import most_turns

_PIECES = 2
"""Alternatives that a condition may have."""
_CONSTRAINTS = 4
"""Comparisons in one of them."""
_PARTS = 16
"""Convex parts of what is in the way: with more, nothing simple is left, and isl takes long to find that out."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on the parameters, as isl's text, and what it is good for."""

    text: str
    arrays: tuple[str, ...]
    """Their rows do not overlap, or turns of `loops` do not meet in them."""
    loops: tuple[str, ...] = ()
    read_only: bool = False
    """Threads need it to share what they read, not to be independent."""


@dataclass(frozen=True, slots=True)
class _Meeting:
    """The parameters for which accesses meet, and the simple conditions under which they do not."""

    bad: Any
    accesses: tuple[Access, ...] = ()
    pieces: tuple[Any, ...] = ()


class RootConditions:
    """What can be asked of the parameters for one loop with all that is inside of it.

    Makes the isl objects of these leaves anew, with loops in `host_loops` as parameters; what others keep of them is of no use after that.
    """

    def __init__(self, scop: Scop, root: Loop, host_loops: Sequence[str]) -> None:
        self.scop, self.root, self.host_loops = scop, root, tuple(host_loops)
        self._prepare()

    def _prepare(self) -> None:
        self.group, self.shapes = self.scop.prepare([self.root], self.host_loops)

    def of_shapes(self, *, read_only: bool) -> list[Condition]:
        """Conditions under which flat arrays have rows that do not overlap: of arrays that the loop writes, or of the others."""
        by_array: dict[str, list[Access]] = {}
        for leaf in self.group:
            for access in leaf.accesses:
                by_array.setdefault(access.array, []).append(access)
        found = []
        for array, accesses in sorted(by_array.items()):
            written = any(access.kind != READ for access in accesses)
            found_already = self.shapes.get(array) and all(access.inside is None for access in accesses)
            if written == read_only or found_already or array not in self.scop.flat_arrays:
                continue
            condition = self._of_shape(array, accesses, read_only=read_only)
            if condition is not None:
                found.append(Condition(condition, (array,), read_only=read_only))
        return found

    def _of_shape(self, array: str, accesses: list[Access], *, read_only: bool) -> str | None:
        """Of arrays that are only read no more than one comparison a row: it costs other calls their threads."""
        parameters = sorted(self.scop.symbols.parameters | set(self.host_loops))
        given = self.scop.given_for(array)
        for inner, failing in shape_failures(array, accesses, ", ".join(parameters), given, self.scop.symbols.values):
            pieces = self._without(failing, accesses)
            if pieces and (not read_only or sum(map(_comparisons, pieces)) <= inner):
                return _text(pieces)
        return None

    def of_order(self) -> Condition | None:
        """The condition under which iterations of the outermost loops touch no common elements; of as many loops as have one together."""
        self._prepare()  # looking for shapes changed the accesses
        chain = [self.root]
        while len(chain[-1].children) == 1 and isinstance(chain[-1].children[0], Loop):
            chain.append(chain[-1].children[0])
        found, loops = _Meeting(self._outside()), []
        for position, loop in enumerate(chain):
            more = self._meeting(position, found)
            if more.pieces and more is not found:
                found = more
                loops.append(loop.variable)
        if not found.pieces:
            return None
        arrays = sorted({access.array for access in found.accesses})
        return Condition(_text(found.pieces), tuple(arrays), tuple(loops))

    def _meeting(self, position: int, found: "_Meeting") -> "_Meeting":
        """What was found, and where iterations that differ in one dimension meet; without pieces where no condition keeps them apart."""
        pairs = found_conflicts(self.group, position, (), self.scop.shared_locals, self.scop.required())
        for first, second in pairs:
            bad = found.bad.union(apart(first, second, position, ()).params())
            accesses = (*found.accesses, first, second)
            found = _Meeting(bad, accesses, tuple(self._without(bad, accesses)))
            if not found.pieces:
                break
        return found

    def shares(self, array: str, loops: Sequence[str]) -> bool:
        """Whether iterations that differ in one of `loops` touch one element of an array whose places are known."""
        accesses = [access for leaf in self.group for access in leaf.accesses if access.array == array]
        if not accesses or any(access.index is None for access in accesses):
            return False
        dims = accesses[0].leaf.dims
        outermost = range(min(len(access.leaf.dims) for access in accesses))
        positions = [position for position in outermost if dims[position] in loops]
        pairs = [(first, second) for number, first in enumerate(accesses) for second in accesses[number:]]
        return any(not apart(*pair, position, ()).is_empty() for pair in pairs for position in positions)

    def _outside(self) -> Any:
        """The parameters for which a subscript of a flat array would be negative: no call has them."""
        found = isl().Set("{ : false }")
        for leaf in self.group:
            for access in leaf.accesses:
                rank = access.map.dim(isl().dim_type.out)
                if access.certain and access.index is not None and access.array in self.scop.arrays and rank == 1:
                    below = isl().Set(f"{{ {access.array}[x] : x < 0 }}")
                    found = found.union(access.map.intersect_range(below).domain().params())
        return found

    def _of_function(self, values: Any) -> Any:
        """A set of parameters without the loops of the launcher: with those values that any of their turns has."""
        kind = isl().dim_type.param
        for name in (*self.host_loops, *self.scop.of_turns()):
            position = values.find_dim_by_name(kind, name)
            if position >= 0:
                values = values.project_out(kind, position, 1)
        return values

    def _without(self, bad: Any, accesses: Sequence[Access]) -> list[Any]:
        """The simple ones of the alternatives that are left without `bad` where any of the accesses is made at all.

        Not those that bound the turns of a loop: where it has one turn, there is nothing to gain.
        """
        made = isl().Set("{ : false }")
        for access in accesses:
            made = made.union(access.map.domain().params())
        known = self._of_function(made.intersect(self.scop.required())).remove_divs()
        bad = self._of_function(bad).remove_divs().intersect(known).coalesce()
        if bad.is_empty() or bad.n_basic_set() > _PARTS:
            return []
        good = known.subtract(bad).coalesce().gist(known).coalesce()
        pieces = [isl().Set.from_basic_set(piece) for piece in good.get_basic_sets() if _is_simple(piece)]
        open_ended = [
            piece for piece in pieces if self._open_ended(piece.intersect(known).intersect(self.scop.possible()))
        ]
        return sorted(open_ended, key=_equalities)[:_PIECES]

    def _open_ended(self, held: Any) -> bool:
        """Whether no loop has a bound on its turns under a condition that it has not without."""
        for leaf in self.group:
            if leaf.domain.intersect_params(held).is_empty():
                return False
            for position in range(len(leaf.dims)):
                if most_turns(leaf, position) > most_turns(leaf, position, held):
                    return False
        return True


def _is_simple(piece: Any) -> bool:
    return not piece.dim(isl().dim_type.div) and 0 < len(piece.get_constraints()) <= _CONSTRAINTS


def _comparisons(piece: Any) -> int:
    (basic,) = piece.get_basic_sets()
    return len(basic.get_constraints())


def _equalities(piece: Any) -> int:
    """How many equations a condition has: those with fewer hold for more sizes."""
    (basic,) = piece.get_basic_sets()
    return sum(constraint.is_equality() for constraint in basic.get_constraints())


def _text(pieces: Sequence[Any]) -> str:
    """The union of sets of parameters as a condition."""
    texts = [f"({str(piece).partition('{  : ')[2].removesuffix(' }')})" for piece in pieces]
    return texts[0] if len(texts) == 1 else f"({' or '.join(texts)})"
