"""The form of a function in which analysis finds most: loops that count as `for`, what moves with them as expressions of the counter."""

from collections.abc import Collection
from dataclasses import replace

from regrapht.transform.ir.expressions import Variable
from regrapht.transform.ir.statements import Allocate, Declare, Function, every
from regrapht.transform.reader.constants import with_constants
from regrapht.transform.reader.counted_loops import Loops, renamed, without_unread
from regrapht.transform.reader.flags import with_flags
from regrapht.transform.reader.induction import induced, propagated
from regrapht.transform.reader.privatise import declared_where_set, privatised
from regrapht.transform.reader.versions import versioned


def normal_form(function: Function, nonnegative: Collection[str]) -> Function:
    """The function in that form; `nonnegative` are parameters that are never negative."""
    function = replace(function, body=with_flags(with_constants(function.body)))
    fixed = {p.name for p in function.parameters}
    types = {p.name: p.type for p in function.parameters}
    types |= {name: one.type for name, one in function.fields.items()}
    types |= {s.name: s.type for s in every(function.body) if isinstance(s, Declare | Allocate)}
    work = Loops(types, set(nonnegative), set(function.identifiers), fixed)
    work.touched |= {
        s.name
        for s in function.body
        if isinstance(s, Declare) and isinstance(s.value, Variable) and s.value.name in fixed and not s.lengths
    }
    body = privatised(work, declared_where_set(function.body))
    body = propagated(work, versioned(work, work.block(body, (), in_loop=False)))
    body = propagated(work, versioned(work, induced(work, body, (), in_loop=False)))
    body = renamed(work, without_unread(body, work.touched))
    return replace(function, body=body, identifiers=frozenset(work.identifiers))
