"""One nest as two kernels, one after the other."""

from collections.abc import Sequence
from dataclasses import replace

from regrapht.transform.ir.statement_walk import arrays_in, names_in
from regrapht.transform.ir.statements import Allocate, Declare, For, Statement, every
from regrapht.transform.plan.analysis import Analysis, Program
from regrapht.transform.plan.nest import Kind, Nest
from regrapht.transform.rules.regrouping import Regrouping, edited, only_mapped, same_nests
from regrapht.transform.rules.rule import Parameter, Setting, number


class KernelFission(Regrouping):
    slug = "kernel_fission"
    title = "one nest cut into two kernels"
    condition = (
        "a nest whose outer loops are independent around several statements or loops that hand over no local variable"
    )
    explanation = (
        "The body of the independent loops is cut and each part gets a kernel of its own: fewer registers a thread, and loops that only "
        "one part has may become threads too."
    )
    parameters = (Parameter("cut", (1, 2, 3)),)

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        if reason := only_mapped(program, nest):
            return reason
        if nest.kind is not Kind.MAP:
            return "its iterations meet in updates"
        if self._depth(nest) == 0:
            return "its outermost loop is not independent"
        if self.regrouped(program, nest, setting) is None:
            return "its body has no such place where it can be cut without a local variable that both parts use"
        return None

    @staticmethod
    def _depth(nest: Nest) -> int:
        """How many loops, from the outermost on, are independent."""
        chain = [loop.variable for loop in nest.chain]
        return next((k for k, variable in enumerate(chain) if variable not in nest.parallel), len(chain))

    def replaces(self, program: Program, nest: Nest, after: Analysis) -> int:
        return 1

    def analysis_after(self, program: Program, nest: Nest, setting: Setting) -> Analysis | None:
        depth, cut = self._depth(nest), number(setting, "cut")

        def edit(statements: list[Statement], position: int) -> list[Statement] | None:
            loop = statements[position]
            if not isinstance(loop, For) or not _perfect(loop, depth):
                return None
            places = _cut_places(loop, depth)
            if cut > len(places):
                return None
            return [*statements[:position], *_parts(loop, depth, places[cut - 1]), *statements[position + 1 :]]

        after = edited(program, nest, edit)
        if after is None or not same_nests(program, after, nest.number, before=1, now=2):
            return None
        loops = [loop.variable for loop in nest.chain[:depth]]
        halves = after.nests[nest.number - 1 : nest.number + 1]
        return after if all(half.kind is Kind.MAP and half.parallel[:depth] == loops for half in halves) else None


def _perfect(loop: For, depth: int) -> bool:
    """Whether each of the first `depth` loops holds nothing but the next."""
    if depth == 1:
        return True
    inner = loop.body[0] if len(loop.body) == 1 else None
    return isinstance(inner, For) and _perfect(inner, depth - 1)


def _cut_places(loop: For, depth: int) -> list[int]:
    """Where the body `depth` loops down may be cut in two: no local of the first part is used in the second."""
    body = _body(loop, depth)
    found = []
    for place in range(1, len(body)):
        first, second = body[:place], body[place:]
        declared = {one.name for one in every(first) if isinstance(one, Declare)}
        if declared & (names_in(second) | arrays_in(second)) or not (
            _does_something(first) and _does_something(second)
        ):
            continue
        found.append(place)
    return found


def _does_something(statements: Sequence[Statement]) -> bool:
    return any(not isinstance(statement, Declare | Allocate) for statement in statements)


def _body(loop: For, depth: int) -> list[Statement]:
    if depth == 1:
        return loop.body
    inner = loop.body[0]
    assert isinstance(inner, For)
    return _body(inner, depth - 1)


def _parts(loop: For, depth: int, place: int) -> tuple[For, For]:
    """The loop twice, each with one part of the body `depth` loops down."""
    if depth == 1:
        return replace(loop, body=loop.body[:place]), replace(loop, body=loop.body[place:])
    inner = loop.body[0]
    assert isinstance(inner, For)
    first, second = _parts(inner, depth - 1, place)
    return replace(loop, body=[first]), replace(loop, body=[second])
