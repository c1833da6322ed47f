"""Two nests over the same points as one kernel."""

from dataclasses import replace

from regrapht.transform.ir.statement_walk import names_in, renamed
from regrapht.transform.ir.statements import For, Statement
from regrapht.transform.plan.analysis import Analysis, Program
from regrapht.transform.plan.nest import Kind, Nest
from regrapht.transform.polyhedral.loop_tree import loop_key
from regrapht.transform.rules.regrouping import Regrouping, edited, only_mapped, same_nests
from regrapht.transform.rules.rule import Setting


class KernelFusion(Regrouping):
    slug = "kernel_fusion"
    title = "two nests over the same points in one kernel"
    condition = (
        "a nest and the one that follows it at once, over the same loops, that share an array; no point of the second needs another point "
        "of the first, and none of the first another of the second"
    )
    explanation = (
        "Both nests run in one kernel, point by point: what the first computes reaches the second in a register, one launch falls away, "
        "and what both read is loaded once."
    )

    def reason_against(self, program: Program, nest: Nest, setting: Setting) -> str | None:
        following = next((other for other in program.nests if other.number == nest.number + 1), None)
        if following is None or following.host_loops != nest.host_loops:
            return "no nest follows it"
        for one in (nest, following):
            reason = only_mapped(program, one)
            if reason is not None:
                return reason if one is nest else f"of the nest after it: {reason}"
        if {nest.kind, following.kind} - {Kind.MAP, Kind.REDUCE}:
            return "one of the two nests has no independent iterations"
        if nest.copies or following.copies:
            return "one of the two nests reduces to an array"
        if not {a.array for a in nest.accesses} & {a.array for a in following.accesses} & program.scop.arrays:
            return "it shares no array with the nest after it"
        if self.regrouped(program, nest, setting) is None:
            return "the nest after it has other loops, does not follow at once, or its points need other points of this one"
        return None

    def replaces(self, program: Program, nest: Nest, after: Analysis) -> int:
        return 2

    def analysis_after(self, program: Program, nest: Nest, setting: Setting) -> Analysis | None:
        following = program.nests[nest.number]
        depth = max(len(_mapped(nest)), len(_mapped(following)))
        return self._fused(program, nest, following, depth)

    @staticmethod
    def _fused(program: Program, nest: Nest, following: Nest, depth: int) -> Analysis | None:
        """The analysis with both nests joined over `depth` loops, where that keeps every order that matters."""

        def edit(statements: list[Statement], position: int) -> list[Statement] | None:
            rest = statements[position + 1 : position + 2]
            loop = statements[position]
            if not rest or not isinstance(loop, For) or not isinstance(rest[0], For):
                return None
            follows = loop_key(rest[0]) == loop_key(following.root)
            whole = _joined(loop, rest[0], depth) if follows else None
            return None if whole is None else [*statements[:position], whole, *statements[position + 2 :]]

        after = edited(program, nest, edit)
        if after is None or not same_nests(program, after, nest.number, before=2, now=1):
            return None
        whole = after.nests[nest.number - 1]
        if whole.host_loops != nest.host_loops:  # the joined loop went to the launcher: its turns have an order
            return None
        kind = Kind.REDUCE if Kind.REDUCE in (nest.kind, following.kind) else Kind.MAP
        fused = [loop.variable for loop in whole.chain[:depth]]
        free = whole.reduced if kind is Kind.REDUCE else whole.parallel
        if len(fused) < depth or free[:depth] != fused:
            return None
        same = whole.kind is kind and whole.targets == nest.targets | following.targets
        return after if same else None


def _mapped(nest: Nest) -> list[str]:
    return nest.reduced if nest.kind is Kind.REDUCE else nest.parallel


def _joined(first: For, second: For, depth: int) -> For | None:
    """Both loops as one, with those inside down to `depth`; None where their headers differ or names are in the way."""
    if second.variable != first.variable:
        if second.type != first.type or first.variable in names_in([second]):
            return None
        (second,) = renamed([second], {second.variable: first.variable})  # type: ignore[assignment]
    same = (first.start, first.condition, first.step, first.type) == (
        second.start,
        second.condition,
        second.step,
        second.type,
    )
    if not same or first.step is None:
        return None
    if depth == 1:
        return replace(first, body=[*first.body, *second.body])
    if len(first.body) != 1 or len(second.body) != 1:
        return None
    one, other = first.body[0], second.body[0]
    inside = _joined(one, other, depth - 1) if isinstance(one, For) and isinstance(other, For) else None
    return None if inside is None else replace(first, body=[inside])
