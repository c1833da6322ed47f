"""Random affine nests under random legal sequences of rules: the output equals the reference.

Sixty run natively in CI, in one file; three hundred go through the emulator, with its checks for races and addresses, in the long suite.
`REGRAPHT_RANDOM_NESTS=10000 pytest -s -n0 -k at_length` runs as many natively and prints the figures; `REGRAPHT_RANDOM_NESTS_FROM` is the
first seed.
"""

import collections
import os
import random
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from regrapht.errors import CannotTransform, EvaluatorUnavailable
from regrapht.sandbox.choose import choose_sandbox
from regrapht.sandbox.sandbox import Sandbox
from regrapht.transform.engine import Engine
from regrapht.transform.plan.nest import Kind
from regrapht.transform.rules import RULES
from regrapht.transform.rules.decisions import Decision

from .native.native_bench import Pair, native_differences
from .random_programs import RandomProgram, random_decisions

A_FILE = 30
"""Programs that are compiled together."""
RARE = {"library_call", "launch_reduction", "strength_reduction", "branch_elimination"}
"""Rules for tasks and functions of another kind than the random ones: tried by tests of their own."""
TWO_RULES, ANY_RULE = "two or more rules", "programs"


def made(seed: int, make_task, applied: collections.Counter) -> tuple[Pair, tuple[Decision, ...]]:
    """The program of a seed with its candidate; counts what was applied."""
    chance = random.Random(seed)
    text = RandomProgram(chance).text()
    engine, task = Engine(), make_task(text, "nests")
    try:
        decisions = random_decisions(engine, task, chance)
        source = engine.text(task, decisions)
    except CannotTransform as refused:
        pytest.fail(f"seed {seed} refused: {refused}\n{text}")
    applied.update({d.technique for d in decisions})
    applied[TWO_RULES] += len(decisions) > 2
    applied[ANY_RULE] += 1
    applied["with a nest in one thread"] += any(nest.kind is Kind.SERIAL for nest in engine.analysis(task).nests)
    return Pair(task, source), decisions


def natively(seeds: Iterable[int], make_task, sandbox: Sandbox, applied: collections.Counter) -> list[str]:
    """What is wrong with the candidates of some seeds, each with its program."""
    seeds = list(seeds)
    drawn = [made(seed, make_task, applied) for seed in seeds]
    faults = native_differences([pair for pair, _ in drawn], sandbox)
    return [
        f"seed {seeds[k]}: {said[:3]}\n{drawn[k][0].task.reference.source.text}\n"
        f"{[str(d) for d in drawn[k][1]]}\n{drawn[k][0].source}"
        for k, said in sorted(faults.items())
    ]


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    try:
        return choose_sandbox()
    except EvaluatorUnavailable as error:
        pytest.skip(f"no sandbox: {error}")


def quietly(count: int) -> settings:
    slow = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large]
    phases = (Phase.explicit, Phase.reuse, Phase.generate)  # a failing program is short enough unshrunk
    return settings(max_examples=count, deadline=None, suppress_health_check=slow, phases=phases, print_blob=True)


@quietly(1)
@given(seeds=st.lists(st.integers(0, 2**32), min_size=A_FILE, max_size=A_FILE, unique=True))
def test_random_nests(seeds: Sequence[int], make_task, sandbox) -> None:
    wrong = natively(seeds, make_task, sandbox, collections.Counter())
    assert not wrong, wrong[0]


@pytest.mark.slow
def test_many_random_nests(bench, make_task) -> None:
    applied: collections.Counter = collections.Counter()
    for seed in range(300):
        print(f"seed {seed}")
        pair, decisions = made(seed, make_task, applied)
        shown = f"{pair.task.reference.source.text}\n{[str(d) for d in decisions]}\n{pair.source}"
        assert bench.differences(pair.task, pair.source) == [], shown
    print(dict(applied))
    assert applied[TWO_RULES] >= 0.7 * applied[ANY_RULE]
    assert all(applied[rule.slug] for rule in RULES if rule.slug not in RARE)


@pytest.mark.skipif("REGRAPHT_RANDOM_NESTS" not in os.environ, reason="set REGRAPHT_RANDOM_NESTS to a number")
def test_random_nests_at_length(make_task, sandbox) -> None:
    count, first = int(os.environ["REGRAPHT_RANDOM_NESTS"]), int(os.environ.get("REGRAPHT_RANDOM_NESTS_FROM", "0"))
    applied: collections.Counter = collections.Counter()
    wrong: list[str] = []
    for number, start in enumerate(range(first, first + count, A_FILE)):
        wrong += natively(range(start, min(start + A_FILE, first + count)), make_task, sandbox, applied)
        if number % 10 == 0 or wrong:
            print(f"{applied[ANY_RULE]} programs, {len(wrong)} wrong", flush=True)
        assert not wrong, wrong[0]
    print({name: f"{100 * times / applied[ANY_RULE]:.1f} %" for name, times in applied.items() if " " in name})
    print({rule.slug: applied[rule.slug] for rule in RULES})
    assert applied[TWO_RULES] >= 0.7 * applied[ANY_RULE]
    assert count < 3000 or all(applied[rule.slug] >= 20 for rule in RULES if rule.slug not in RARE)
