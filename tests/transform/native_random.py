"""Programs drawn at random, put through rules drawn at random, and run natively against their references."""

import os
import random
from collections.abc import Callable, Sequence

import pytest

from regrapht.errors import EvaluatorUnavailable
from regrapht.records.task import Task
from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.engine import Engine
from regrapht.transform.plan.nest import Nest
from regrapht.transform.rules.decisions import Decision

from .native.native_bench import Pair, native_differences
from .random_programs import random_decisions

PROGRAMS = 12
_MOST_DRAWN = 10
"""So many times the programs are drawn at most: a dozen of a rare kind may all be ones that the engine does not look for."""


def require_right(
    draw: Callable[[random.Random], Task],
    *,
    seed_from: str,
    is_parallel: Callable[[list[Nest]], bool],
    decide: Callable[[Engine, Task, random.Random], Sequence[Decision]] = random_decisions,
    programs: int = PROGRAMS,
) -> None:
    """Every program gives its reference's results. Drawing goes on until the engine finds what `is_parallel` looks for in one.

    The seed is printed; `seed_from` names a variable of the environment that sets it.
    """
    try:
        sandbox = choose_sandbox()
    except EvaluatorUnavailable as error:
        pytest.skip(f"no sandbox: {error}")
    seed = int(os.environ.get(seed_from, random.randrange(2**32)))
    print(f"seed {seed}")
    chance, engine, pairs, parallel = random.Random(seed), Engine(), [], 0
    for number in range(_MOST_DRAWN * programs):
        if number >= programs and parallel:
            break
        task = draw(chance)
        pairs.append(Pair(task, engine.text(task, decide(engine, task, chance))))
        parallel += is_parallel(engine.analysis(task).nests)
    faults = native_differences(pairs, sandbox)
    shown = [f"{said[:2]}\n{pairs[k].task.reference.source.text}\n{pairs[k].source}" for k, said in faults.items()]
    assert not shown, shown[0]
    assert parallel
