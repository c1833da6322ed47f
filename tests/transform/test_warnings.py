"""Candidates compile under -Wall -Wextra without a word."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from regrapht.errors import EvaluatorUnavailable
from regrapht.records.task import Task
from regrapht.sandbox.choose import choose_sandbox
from regrapht.sandbox.sandbox import Sandbox
from regrapht.transform.engine import Engine
from regrapht.transform.rules import BY_SLUG, RULES
from regrapht.transform.rules.application import choices

from .inputs_loader import load_inputs
from .native.native_bench import warnings
from .test_inputs import SAMPLE, TAKEN, chain

A_FILE = 60
"""Candidates that are compiled together."""


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    try:
        return choose_sandbox()
    except EvaluatorUnavailable as error:
        pytest.skip(f"no sandbox: {error}")


def plain_and_rules(task: Task, *, rules: bool) -> Iterator[tuple[str, str]]:
    """The plain version, and with `rules` one candidate for each rule that applies to it."""
    engine, task = Engine(), replace(task, bench_sizes=())
    mapped = choices(engine.program(task, ()), BY_SLUG["map_to_threads"])[:1]
    start = tuple(choice.decision for choice in mapped)
    yield "plain", engine.text(task, start)
    program = engine.program(task, start)
    for rule in RULES if rules and program.nests else ():
        for choice in choices(program, rule)[:1]:
            yield rule.slug, engine.text(task, (*start, choice.decision))


def check(named: Sequence[tuple[str, str]], sandbox: Sandbox) -> None:
    for first in range(0, len(named), A_FILE):
        part = named[first : first + A_FILE]
        for place, said in warnings([source for _, source in part], sandbox).items():
            pytest.fail(f"{part[place][0]}: {said}\n{part[place][1]}")


def test_a_sample_of_every_kind_of_kernel(read_input, sandbox) -> None:
    engine, named = Engine(), []
    for name, slugs in SAMPLE:
        task = read_input(name)
        named.append((f"{name} {slugs}", engine.text(task, chain(engine, task, slugs))))
    for one in load_inputs(part=1, parts=6):
        named += [(f"{one.row.stem} {what}", source) for what, source in plain_and_rules(one.task, rules=False)]
    check(named, sandbox)


@pytest.mark.slow
def test_every_rule_on_every_input(read_input, sandbox) -> None:
    tasks = {one.row.stem: one.task for one in load_inputs()} | {name: read_input(name) for name in TAKEN}
    named = [(f"{name} {what}", s) for name, task in tasks.items() for what, s in plain_and_rules(task, rules=True)]
    check(named, sandbox)


def test_the_compiler_is_listened_to(sandbox) -> None:
    wrong = "__global__ void k(int n, int* a) { int unused; if (threadIdx.x < n) a[0] = 1; }\nvoid f() { }"
    ((_, said),) = warnings(["void g() {}", wrong.replace("k(", "own(")], sandbox).items()
    assert any("Wsign-compare" in line for line in said) and any("Wunused-variable" in line for line in said)
