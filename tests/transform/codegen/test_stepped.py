"""Loops in steps: whole steps of constant length and the last one, launch bounds for large patches, loads of a constant number a thread."""

import random
import re

import pytest

from regrapht.bench.suite import shipped_suites
from regrapht.sandbox.choose import choose_sandbox
from regrapht.tasks.load import load_task
from regrapht.transform.engine import Engine
from regrapht.transform.rules.decisions import Decision

from ..native.native_bench import Pair, native_differences

PRODUCT = """// shape: a = m * k
// shape: b = k * n
// shape: c = m * n
// check: m=1,n=1,k=1; m=17,n=33,k=15; m=20,n=9,k=16; m=40,n=35,k=50
void product(int m, int n, int k, const TYPE* a, const TYPE* b, TYPE* c) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            TYPE sum = 0;
            for (int p = FIRST; p < LAST; p++) sum += a[i * k + p] * b[p * n + j];
            c[i * n + j] = sum;
        }
}
"""
PAIRS = """// shape: x = n
// shape: y = n
// check: n=1; n=31; n=32; n=100
#include <cmath>
void pairs(int n, const float* x, float* y) {
    for (int i = 0; i < n; i++) {
        float sum = 0.0f;
        for (int j = 0; j < n; j++) {
            if (x[j] > x[i]) sum += 0.25f * x[j];
        }
        y[i] = sum;
    }
}
"""


def product(type_name: str = "float", first: str = "0", last: str = "k") -> str:
    return PRODUCT.replace("TYPE", type_name).replace("FIRST", first).replace("LAST", last)


def decided(*steps: tuple[str, dict]) -> tuple[Decision, ...]:
    every = [("map_to_threads", {"block": 256}), *steps]
    return tuple(Decision(technique=slug, nests=(1,), parameters=values) for slug, values in every)


def tiled(step: int = 16, block: tuple[int, int] = (8, 8), patch: tuple[int, int] | None = None, unroll: int = 0):
    steps = [("map_2d", {"block": [32, 8]}), ("shared_memory_tiling", {"step": step, "block": list(block)})]
    steps += [("register_tiling", {"patch": list(patch)})] if patch else []
    steps += [("loop_unrolling", {"factor": unroll})] if unroll else []
    return decided(*steps)


@pytest.fixture(scope="module")
def natively():
    sandbox = choose_sandbox()
    return lambda pairs: native_differences(pairs, sandbox)


def test_whole_steps_have_no_bound_to_test(make_task):
    source = Engine().text(make_task(product(), "product"), tiled(patch=(4, 4)))
    whole, rest = re.search(r"if \(p_first \+ 16 <= k\) \{(.*?)\} else \{(.*?)__syncthreads", source, re.S).groups()
    assert "#pragma unroll\n" in whole and "for (int p_step = 0; p_step < 16; ++p_step)" in whole
    assert "p < k" not in whole and "for (int p = p_first; p < k; ++p)" in rest


@pytest.mark.parametrize(
    ("first", "last", "whole", "rest"),
    [
        ("0", "32", True, False),
        ("0", "12", False, True),
        ("0", "k", True, True),
        ("2", "34", True, False),
        ("0", "i + 1", True, True),
    ],
)
def test_loops_of_constant_length_have_one_form(first, last, whole, rest, make_task):
    text = product(first=first, last=last).replace("k=15", "k=40").replace("k=16", "k=40").replace("k=1;", "k=36;")
    source = Engine().text(make_task(text, "product"), tiled())
    assert ("p_step < 16" in source, "++p)" in source) == (whole, rest), source


@pytest.mark.parametrize(
    ("step", "patch", "pragma"), [(32, (8, 8), "unroll 16"), (16, (8, 8), "unroll\n"), (32, (2, 2), "unroll\n")]
)
def test_as_much_is_unrolled_as_a_cache_of_instructions_holds(step, patch, pragma, make_task):
    source = Engine().text(make_task(product(), "product"), tiled(step, patch=patch))
    assert re.search(rf"#pragma {pragma}\s*for \(int p_step", source), source


def test_conditions_in_a_step_are_left_to_the_compiler(make_task):
    steps = decided(("shared_memory_tiling", {"step": 32, "block": [8, 8]}))
    source = Engine().text(make_task(PAIRS, "pairs"), steps)
    assert re.search(r"if \(j_first \+ 32 <= n\) \{\s*for \(int j_step", source), source


@pytest.mark.parametrize(
    ("type_name", "patch", "bounds"),
    [("float", (8, 8), True), ("float", (4, 4), False), ("double", (8, 8), False), ("double", (4, 4), True)],
)
def test_large_patches_leave_registers_for_two_blocks(type_name, patch, bounds, make_task):
    source = Engine().text(make_task(product(type_name), "product"), tiled(8, (16, 16), patch))
    assert ("__launch_bounds__(256, 2)" in source) == bounds


def test_what_was_decided_of_launch_bounds_stays(make_task):
    steps = (*tiled(8, (16, 16), (8, 8)), Decision(technique="launch_bounds", nests=(1,), parameters={"blocks": 1}))
    assert "__launch_bounds__(256, 1)" in Engine().text(make_task(product(), "product"), steps)


def test_a_tile_is_loaded_by_a_constant_number_of_loads(make_task):
    source = Engine().text(make_task(product(), "product"), tiled(16, (8, 8)))
    assert "__shared__ __align__(16) float a_tile[8][16];" in source
    assert re.search(
        r"#pragma unroll\s*for \(int cell_part = 0; cell_part < 2; \+\+cell_part\) \{\s*const int cell = cell_part \* 64",
        source,
    )


def test_steps_are_right(make_task, natively):
    """Products with bounds of all kinds, in random shapes of tiles and patches."""
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    chance, pairs = random.Random(seed), []
    bounds = [
        ("0", "k"),
        ("1", "k"),
        ("0", "k - 1"),
        ("i", "k"),
        ("0", "j + 1"),
        ("0", "32"),
        ("3", "19"),
        ("2", "7"),
        ("j", "16"),
    ]
    for first, last in bounds * 2:
        text = product(chance.choice(["float", "double", "int", "short"]), first, last)
        text = re.sub(r"// check: .*", "// check: m=1,n=1,k=36; m=17,n=33,k=40; m=20,n=9,k=48; m=30,n=35,k=50", text)
        step, block = chance.choice([8, 16, 32]), chance.choice([(16, 16), (32, 8), (8, 8)])
        patch = chance.choice([None, (2, 2), (4, 4), (2, 4), (1, 8)])
        steps = tiled(step, block, patch, unroll=chance.choice([0, 4]))
        task = make_task(text, "product")
        pairs.append(Pair(task, Engine().text(task, steps)))
    task = make_task(PAIRS, "pairs")
    pairs.append(Pair(task, Engine().text(task, decided(("shared_memory_tiling", {"step": 32, "block": [8, 8]})))))
    faults = natively(pairs)
    assert not faults, next((said[:2], pairs[k].source) for k, said in faults.items())


def test_a_place_named_in_the_loop_is_not_kept_in_registers(natively):
    """`y[at + j]`, where `at` is made inside of the loop in steps: it cannot be loaded before the loop."""
    task = load_task(shipped_suites() / "cudaeval" / "deep_learning" / "decayed_memory")
    steps = (
        ("map_2d", {"block": [32, 8]}),
        ("shared_memory_tiling", {"step": 32, "block": [32, 8]}),
        ("register_tiling", {"patch": [2, 4]}),
    )
    first = Decision(technique="map_to_threads", nests=(1, 2), parameters={"block": 256})
    decisions = (first, *(Decision(technique=slug, nests=(2,), parameters=values) for slug, values in steps))
    faults = natively([Pair(task, Engine().text(task, decisions))])
    assert not faults, faults
