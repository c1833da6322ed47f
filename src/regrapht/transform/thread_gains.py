"""Whether a function has more threads in another form."""

from collections import Counter
from collections.abc import Collection, Sequence

from regrapht.transform.nest import Kind, Nest
from regrapht.transform.polyhedral.loop_tree import Key, Node, all_loops, loop_key
from regrapht.transform.polyhedral.turns import FEW, most_turns


def has_more_threads(
    before: Sequence[Nest], after: Sequence[Nest], tree: Sequence[Node], loops: Collection[Key], *, first: bool
) -> bool:
    """Whether one of these loops has threads afterwards, all of them are known to analysis (`tree`), and no other loop lost its threads.

    Atomic updates may give way to threads that need none. Where threads were before, neither loops of few turns nor the terms of a sum are
    worth more of them: a condition that skips them all at once saves more. With `first`, no loops are worth more there.
    """
    if not set(loops) <= {loop_key(loop) for loop in all_loops(tree)}:
        return False
    had = {loop_key(nest.root) for nest in before if nest.kind is not Kind.SERIAL}
    gained = [nest for nest in after if nest.is_worth_launching and _gains(nest, loops, had, first=first)]
    settled = {key for nest in gained if nest.kind is Kind.MAP for key in _chain(nest)}
    kept = [key for nest in before for key in _threads(nest) if nest.kind is not Kind.SCATTER or key not in settled]
    return bool(gained) and not Counter(kept) - Counter(key for nest in after for key in _threads(nest))


def _gains(nest: Nest, loops: Collection[Key], had: Collection[Key], *, first: bool) -> bool:
    own = [key for key in _threads(nest) if key in loops]
    if loop_key(nest.root) in had:
        return not first and any(name in nest.parallel and _makes_many_turns(nest, name) for name, _ in own)
    return bool(own)


def _threads(nest: Nest) -> list[Key]:
    """The loops whose turns different threads make."""
    names = {Kind.MAP: nest.parallel, Kind.SERIAL: []}.get(nest.kind, [*nest.parallel, *nest.reduced])
    return [key for key in _chain(nest) if key[0] in names]


def _chain(nest: Nest) -> list[Key]:
    return [loop_key(loop) for loop in nest.chain]


def _makes_many_turns(nest: Nest, variable: str) -> bool:
    return any(most_turns(leaf, leaf.dims.index(variable)) > FEW for leaf in nest.group if variable in leaf.dims)
