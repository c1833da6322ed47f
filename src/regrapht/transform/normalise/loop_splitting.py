"""Loops cut where they meet the turn of a loop around them: what comes before that turn, the turn itself, and what comes behind it.

In `for k for i for j d[i][j] = min(d[i][j], d[i][k] + d[k][j])` turns of `i` and of `j` meet in row and column `k` alone, which the turns
`i == k` and `j == k` change. Cut there, the rows before `k`, row `k` and those behind it each have a thread for every element, in the
source's order, whatever the values are: with `d[k][k]` below zero the row and the column do change.
"""

from collections.abc import Iterator
from dataclasses import replace

from regrapht.transform.ir.expressions import ONE, Binary, Element, Variable, place_name, rewrite, walk
from regrapht.transform.ir.names import fresh_name
from regrapht.transform.ir.statement_walk import names_in, renamed, rewritten, runs_to_its_end, with_statement
from regrapht.transform.ir.statements import Assign, Declare, For, Function, Statement, Update, every
from regrapht.transform.normalise.forms import Form, leaves_fewer_alone
from regrapht.transform.plan.analysis import Analysis
from regrapht.transform.plan.nest import Kind


def _candidates(analysis: Analysis) -> Iterator[tuple[Function, None]]:
    alone = {nest.root.variable for nest in analysis.nests if nest.kind is Kind.SERIAL}
    launched = {variable for nest in analysis.nests for variable in nest.host_loops}
    for around in [one for one in every(analysis.function.body) if isinstance(one, For)]:
        if around.variable not in alone | launched or not _counts(around):
            continue
        body = _cut(around.body, around)
        if body is not around.body:
            cut = replace(around, body=body)
            yield replace(analysis.function, body=with_statement(analysis.function.body, around, [cut])), None


def _accept(before: Analysis, after: Analysis, _: None) -> bool:
    return leaves_fewer_alone(before, after)


LOOP_SPLITTING = Form(_candidates, _accept)


def _cut(statements: list[Statement], around: For) -> list[Statement]:
    """The statements with each loop over the same values as `around` cut at its turn, and those inside of it; the same list if none is."""
    out: list[Statement] = []
    for one in statements:
        if not isinstance(one, For):
            out.append(one)
            continue
        inner = _cut(one.body, around)
        own = one if inner is one.body else replace(one, body=inner)
        out += _in_three(own, around) if _has_the_same_values(own, around) else [own]
    return statements if len(out) == len(statements) and all(map(_is_same, out, statements)) else out


def _is_same(one: Statement, other: Statement) -> bool:
    return one is other


def _in_three(loop: For, around: For) -> list[Statement]:
    own, turn = Variable(loop.variable), Variable(around.variable)
    before = replace(loop, condition=Binary("&&", loop.condition, Binary("<", own, turn)))
    behind = replace(loop, start=Binary("+", turn, ONE))
    at = rewritten(loop.body, lambda part: turn if part == own else None)
    return [before, *_with_own_locals(at, "at", around), *_with_own_locals([behind], "behind", around)]


def _with_own_locals(statements: list[Statement], ending: str, around: For) -> list[Statement]:
    """The statements with locals of other names: loops that share none have no order by them."""
    taken = names_in(around.body) | names_in(statements)
    declared = dict.fromkeys(one.name for one in every(statements) if isinstance(one, Declare))
    return renamed(statements, {name: fresh_name(f"{name}_{ending}", taken) for name in declared})


def _has_the_same_values(loop: For, around: For) -> bool:
    """Whether a loop inside of another goes from its first value to its last, so that it has its turn."""
    if not (_counts(loop) and loop.type == around.type and loop.start == around.start):
        return False
    own, turn = Variable(loop.variable), Variable(around.variable)
    if rewrite(loop.condition, lambda part: turn if part == own else None) != around.condition:
        return False
    bounds = {
        place_name(part)
        for one in (around.start, around.condition)
        for part in walk(one)
        if isinstance(part, Variable | Element)
    }
    changed = {place_name(one.target) for one in every(around.body) if isinstance(one, Assign | Update)}
    return not bounds & changed


def _counts(loop: For) -> bool:
    """Whether it counts up by one, and nothing else moves its variable or ends it."""
    plain = loop.step == 1 and not (loop.launched or loop.known or loop.unrolled)
    return plain and runs_to_its_end(loop)
