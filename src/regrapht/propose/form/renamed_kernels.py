"""A reply of kernels alone that are named anew (`sums_2_map` as `sums_2_map_new`): each takes the place of the one it was shown as."""

import re
from collections import Counter

from regrapht.propose.form.program import Program, is_host, launches
from regrapht.records.task import Task
from regrapht.source.functions import FunctionDefinition


def with_the_parents_names(part: str, parent: str, task: Task) -> str | None:
    """The part with such kernels named as in the parent; None where the part has the entry or none is told by its parameters.

    A kernel is told by the names of its parameters, where no other one of either program has the same ones, so that the launches that
    stay fit it.
    """
    new, old = Program(part, task), Program(parent, task)
    if new.entries or any(one.name in {known.name for known in old.unit.functions} for one in new.unit.functions):
        return None
    meant = [one for one in new.unit.functions if not is_host(one) or _may_be_a_kernel(one)]
    often = Counter(map(_parameters, meant)) + Counter(map(_parameters, old.kernels))
    names = {_parameters(kernel): kernel.name for kernel in old.kernels if kernel.name in old.launched}
    renamed = {
        one.name: names[key]
        for one in meant
        if "__device__" not in one.qualifiers and (key := _parameters(one)) in names and often[key] == 2
    }
    if any(is_host(one) and one.name in renamed and launches(one) for one in new.unit.functions):
        return None  # a launcher of the same name: the part is a whole program
    for name, before in renamed.items():
        part = re.sub(rf"\b{name}\b", before, part)
    return part if renamed else None


def _parameters(function: FunctionDefinition) -> tuple[str, ...]:
    return tuple(parameter.name for parameter in function.parameters)


def _may_be_a_kernel(function: FunctionDefinition) -> bool:
    return function.return_type == "void" and b"threadIdx" in (function.body.text or b"")
