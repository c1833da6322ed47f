"""Functions beside what the engine makes of them: the plain program and one under random decisions, natively, all compiled together."""

import random
from collections.abc import Callable, Mapping

from regrapht.records.task import Task
from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.engine import Engine
from regrapht.transform.rules.decisions import Decision

from .native.native_bench import Pair, native_differences
from .random_programs import random_decisions


def assert_same(make_task: Callable[[str, str], Task], texts: Mapping[str, str], entry: str = "f") -> None:
    """Compare every text's function with its candidates; the seed of the decisions is printed."""
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    chance, engine = random.Random(seed), Engine()
    pairs: list[Pair] = []
    told: list[tuple[str, list[Decision]]] = []
    for name, text in texts.items():
        task = make_task(text, entry)
        for decisions in [random_decisions(engine, task, random.Random(0))[:1], random_decisions(engine, task, chance)]:
            pairs.append(Pair(task, engine.text(task, decisions)))
            told.append((name, list(decisions)))
    wrong = native_differences(pairs, choose_sandbox())
    shown = [(told[k], said[:3], pairs[k].source) for k, said in wrong.items()]
    assert not wrong, shown[0]
