"""One nest as two kernels, one after the other."""

from regrapht.transform.ir.statements import For, Statement
from regrapht.transform.nest import Kind, Nest
from regrapht.transform.program import Analysis, Program
from regrapht.transform.restructure import cut_places, edited, parts
from regrapht.transform.rules.regrouping import Regrouping, only_mapped, same_nests
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
        reason = only_mapped(program, nest)
        if reason is not None:
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
            places = cut_places(loop, depth)
            if cut > len(places):
                return None
            return [*statements[:position], *parts(loop, depth, places[cut - 1]), *statements[position + 1 :]]

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
