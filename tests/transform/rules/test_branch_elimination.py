"""Insertions into small local arrays as selections in registers: the same steps for every value, and what is left as it is."""

import os
import random
import re

import pytest

from regrapht.errors import EvaluatorUnavailable
from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.engine import Engine
from regrapht.transform.rules import BY_SLUG
from regrapht.transform.rules.application import reason_against

from ..judging import steps
from ..native.native_bench import Pair, native_differences
from ..random_insertions import RandomInsertions

RULE = "branch_elimination"
HEAD = """// shape: in = n * m
// shape: out = n * 16
// init: in = ints(-9, 40)
// require: m >= 1
// check: n=0,m=9; n=1,m=9; n=2,m=10; n=3,m=33; n=33,m=12
"""
SORTED = "while (at > 0 && s[at - 1] > v) { s[at] = s[at - 1]; --at; } s[at] = v;"


def task_with(
    make_task, inner: str, after: str = "out[i * 16] = s[4];", length: int = 9, turns: str = "9", size: str = "int"
):
    text = f"""{HEAD}void rows(int n, int m, const int* in, int* out) {{
    for (int i = 0; i < n; ++i) {{
        int s[{length}], used[4] = {{0, 0, 0, 0}};
        int count = 0;
        for (int j = 0; j < {turns}; ++j) {{
            const int v = in[i * m + j];
            {size} at = count++;
            {inner}
        }}
        {after}
        out[i * 16 + 1] = used[1];
    }}
}}
"""
    return make_task(text, "rows")


def refusal(task) -> str | None:
    engine = Engine()
    return reason_against(engine.program(task, steps(engine, task, [])), BY_SLUG[RULE])


@pytest.fixture(scope="module")
def sandbox():
    try:
        return choose_sandbox()
    except EvaluatorUnavailable as error:
        pytest.skip(f"no sandbox: {error}")


def test_every_index_is_a_constant_after_unrolling(make_task, bench):
    engine, task = Engine(), task_with(make_task, SORTED)
    source = engine.text(task, steps(engine, task, [RULE]))
    assert "while" not in source
    places = set(re.findall(r"\bs\[(.*?)\]", source.split("int s[9]")[1]))
    assert places == {"place", "place - 1", "4"}
    assert source.count("#pragma unroll") == 2  # the window and the places
    assert bench.differences(task, source) == []


def test_the_plain_program_stays_as_it_is(make_task):
    engine, task = Engine(), task_with(make_task, SORTED)
    source = engine.text(task, steps(engine, task, []))
    assert "while (at > 0 && s[at - 1] > v)" in source and "#pragma" not in source


LEFT = {
    "no bound": ({"inner": "while (s[at] > v) { s[at] = v; --at; } s[at] = v;"}, "no loop goes down"),
    "up": ({"inner": "while (at < 8 && s[at] > v) { s[at] = v; ++at; } s[at] = v;"}, "no loop goes down"),
    "two at once": ({"inner": "while (at > 1 && s[at - 2] > v) { s[at] = s[at - 2]; at -= 2; }"}, "no loop goes down"),
    "moved twice": (
        {"inner": "while (at > 0 && s[at - 1] > v) { s[at] = s[at - 1]; if (v > 3) --at; --at; }"},
        "no loop goes down",
    ),
    "a bound that data set": ({"inner": "while (at > v && s[at - 1] > v) { s[at] = v; --at; }"}, "no loop goes down"),
    "negative places of an unsigned bound": (
        {"inner": "while (at > 0u && s[at - 1] > v) { s[at] = s[at - 1]; --at; } s[at] = v;"},
        "no loop goes down",
    ),
    "nothing says where it starts": ({"inner": "while (at > 0 && v > 2) { --at; } s[at] = v;"}, "no loop goes down"),
    "a read where data say": (
        {"inner": SORTED, "after": "out[i * 16] = s[in[i * m] & 7];"},
        "at places that data choose",
    ),
    "a loop that data bound": (
        {
            "inner": SORTED,
            "after": "for (int k = 0; k < count; ++k) out[i * 16] = out[i * 16] * 3 + s[k];",
            "turns": "m - 3",
            "length": 40,
        },
        "at places that data choose",
    ),
    "too long": ({"inner": SORTED, "length": 65}, "no loop goes down"),
    "too much code": ({"inner": SORTED, "length": 64, "turns": "60"}, "accesses with all loops unrolled"),
}


@pytest.mark.parametrize("name", LEFT)
def test_what_is_left(name, make_task):
    changes, word = LEFT[name]
    assert word in (refusal(task_with(make_task, **changes)) or "")


def test_nothing_to_do_in_other_nests(make_task):
    task = make_task(
        "// shape: x = n\n// check: n=3\nvoid twice(int n, float* x) { for (int i = 0; i < n; ++i) x[i] *= 2; }",
        "twice",
    )
    assert "no loop goes down" in (refusal(task) or "")


def drawn_pairs(make_task, seed: int, count: int) -> list[Pair]:
    chance, engine, pairs = random.Random(seed), Engine(), []
    for _ in range(count):
        task = make_task(RandomInsertions(chance).text(), "kept")
        reason = refusal(task)
        assert reason is None, f"{reason}\n{task.reference.source.text}"
        others = chance.choice(
            [[], [], ["thread_coarsening"], ["grid_stride_loop"], ["restrict_read_only", "loop_unrolling"]]
        )
        slugs = [*others, RULE] if chance.random() < 0.5 else [RULE, *others]
        pairs.append(Pair(task, engine.text(task, steps(engine, task, slugs))))
    return pairs


def test_random_insertions(make_task, sandbox):
    seed = int(os.environ.get("REGRAPHT_INSERTIONS_FROM", random.randrange(2**32)))
    print(f"seed {seed}")
    pairs = drawn_pairs(make_task, seed, 12)
    faults = native_differences(pairs, sandbox)
    assert not faults, next(
        f"{said[:2]}\n{pairs[k].task.reference.source.text}\n{pairs[k].source}" for k, said in faults.items()
    )


@pytest.mark.slow
def test_random_insertions_in_the_emulator(make_task, bench):
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    for pair in drawn_pairs(make_task, seed, 12):
        assert bench.differences(pair.task, pair.source) == [], f"{pair.task.reference.source.text}\n{pair.source}"
