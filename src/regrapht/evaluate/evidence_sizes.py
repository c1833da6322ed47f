"""The call that evidence is modelled on: its shape and its inputs.

The shape is larger than the awkward little check shapes, where a launch's fixed cost hides everything else: sizes are doubled from the
largest check shape towards a bench shape while the emulator still answers in about a tenth of a second.

The inputs are fixed by the task's content, so that a program has the same modelled cost whenever and wherever it is judged. They are no
secret: what decides whether a program is right are the other calls, whose inputs are drawn afresh.
"""

from collections.abc import Callable

from regrapht.errors import InvalidTask
from regrapht.evaluate.families import Family
from regrapht.evaluate.grounds import Grounds, Trial
from regrapht.evaluate.inputs import Case, secret_from
from regrapht.records.requirement import satisfies
from regrapht.records.task import Sizes, Task
from regrapht.records.verdict import Evidence

_ENOUGH_INSTRUCTIONS = 18_000_000
"""Of threads, in one call of the plain program: a few million checked accesses."""


def choose_evidence_sizes(task: Task, start: Sizes, model: Callable[[Sizes], Evidence | None]) -> Sizes:
    """The largest doubling of `start` that a program, modelled by `model`, is expected to run through quickly."""
    sizes, evidence = start, model(start)
    limit = task.bench_sizes[0] if task.bench_sizes else None
    growth = 8.0  # of a doubling, until one was seen; cubic work is the most that is common
    while evidence is not None and evidence.instructions * growth <= _ENOUGH_INSTRUCTIONS:
        larger = {name: min(2 * size, max(size, limit[name])) if limit else 2 * size for name, size in sizes.items()}
        if larger == sizes or not satisfies(task.require, larger):
            break
        grown = model(larger)
        if grown is None:
            break
        growth = max(2.0, grown.instructions / max(1, evidence.instructions))
        sizes, evidence = larger, grown
    return sizes


def evidence_trial(grounds: Grounds, sizes: Sizes) -> Trial:
    """Inputs at `sizes` that the task's content fixes, and what is right there.

    Raises:
        InvalidTask: The reference cannot take them.
    """
    secret = secret_from(f"evidence {grounds.task.content_hash}")
    trials = grounds.trials([Case(sizes=sizes, family=Family.DECLARED)], secret=secret)
    if not trials:
        raise InvalidTask("the reference cannot take the declared inputs at the shape of the evidence")
    return trials[0]
