"""The form of a function in which analysis finds most: loops that count as `for`, what moves with them as expressions of the counter.

The passes in their order: constant propagation, flags as reductions, scalar privatisation, `while` to `for` with scalar renaming,
induction-variable substitution with scalar renaming, dead-code elimination, downward loops counted upward.
"""

from collections.abc import Collection
from dataclasses import replace

from regrapht.transform.ir.expressions import Variable
from regrapht.transform.ir.statements import Allocate, Declare, Function, every
from regrapht.transform.normalise.constant_propagation import propagated, with_constants
from regrapht.transform.normalise.downward_loops import counted_upward
from regrapht.transform.normalise.flag_reductions import with_flags
from regrapht.transform.normalise.induction_variables import induced
from regrapht.transform.normalise.local_variables import Locals, without_unread
from regrapht.transform.normalise.privatisation import declared_where_set, privatised, renamed_scalars
from regrapht.transform.normalise.while_to_for import counted, counters_renamed


def normal_form(function: Function, nonnegative: Collection[str]) -> Function:
    """The function in that form; `nonnegative` are parameters that are never negative."""
    function = replace(function, body=with_flags(with_constants(function.body)))
    fixed = {p.name for p in function.parameters}
    types = {p.name: p.type for p in function.parameters}
    types |= {name: one.type for name, one in function.fields.items()}
    types |= {s.name: s.type for s in every(function.body) if isinstance(s, Declare | Allocate)}
    work = Locals(types, set(nonnegative), set(function.identifiers), fixed)
    work.touched |= {
        s.name
        for s in function.body
        if isinstance(s, Declare) and isinstance(s.value, Variable) and s.value.name in fixed and not s.lengths
    }
    body = privatised(work, declared_where_set(function.body))
    body = propagated(work, renamed_scalars(work, counted(work, body, (), in_loop=False)))
    body = propagated(work, renamed_scalars(work, induced(work, body, (), in_loop=False)))
    body = counters_renamed(work, without_unread(body, work.touched))
    return counted_upward(replace(function, body=body, identifiers=frozenset(work.identifiers)))
