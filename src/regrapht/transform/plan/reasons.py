"""What stands in the way of threads, in words: the variable, and the lines of the source."""

from collections.abc import Sequence

from regrapht.transform.ir.expressions import Element, Expression, Variable, place_name, walk
from regrapht.transform.ir.statements import RESULT, Assign, Break, Declare, For, Return, Update, While, every
from regrapht.transform.polyhedral.conflicts import Pairs
from regrapht.transform.polyhedral.loop_tree import READ, UPDATE, WRITE, Access

DEPENDENT = "its iterations depend on each other"
UNKNOWN = "its iterations are not known in advance"
_DOES = {READ: "reads", WRITE: "sets", UPDATE: "updates"}


def of_dependence(pairs: Pairs) -> str:
    """Why turns have an order: two accesses to one element, by the variable and the lines."""
    if not pairs:
        return DEPENDENT
    first, second = max(pairs, key=_tells)
    if first.kind == READ or (second.kind != READ and second.line < first.line):
        first, second = second, first
    name, one, other = _shown(first), _did(first), _did(second)
    if one == other and first.line == second.line:
        return f"{DEPENDENT}: more than one {one} {name} at line {first.line}"
    return f"{DEPENDENT}: one {one} {name} at line {first.line}, another {other} it at line {second.line}"


def _tells(pair: tuple[Access, Access]) -> int:
    """How much a pair says: what one writes and another reads before two that write, sums last."""
    first, second = pair
    if {first.kind, second.kind} == {UPDATE} and first.operator == second.operator:
        return 0
    return 2 if READ in (first.kind, second.kind) else 1


def _did(access: Access) -> str:
    return f"updates by '{access.operator}'" if access.kind == UPDATE and access.operator else _DOES[access.kind]


def _shown(access: Access) -> str:
    unknown = isinstance(access.expression, Element) and access.index is None
    named = "the value that is returned" if access.array == RESULT else f"'{access.array}'"
    return f"{named}{', at a place that is not known in advance,' if unknown else ''}"


def of_unknown_turns(loop: For | While) -> str:
    """Why a loop's turns are not known before it runs: what its condition reads and its turns change, or what leaves it."""
    changed = {place_name(one.target) for one in every(loop.body) if isinstance(one, Assign | Update)}
    changed |= {one.name for one in every(loop.body) if isinstance(one, Declare)}
    found = [name for name in _places(loop.condition) if name in changed]
    if isinstance(loop, For) and loop.step is None:
        found = [loop.variable]
    if found:
        return (
            f"{UNKNOWN}: {_listed(found)}, which its turns change, {'says' if len(found) == 1 else 'say'} when it ends"
        )
    leaving = next((one for one in every(loop.body) if isinstance(one, Break | Return)), None)
    if leaving is not None:
        return f"{UNKNOWN}: what line {leaving.line} tests ends it"
    bounds = _places(loop.condition)
    return f"{UNKNOWN}: {_listed(bounds)} bound{'s' if len(bounds) == 1 else ''} it" if bounds else UNKNOWN


def _places(expression: Expression) -> list[str]:
    return list(dict.fromkeys(place_name(part) for part in walk(expression) if isinstance(part, Variable | Element)))


def _listed(names: Sequence[str]) -> str:
    quoted = [f"'{name}'" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
