"""Integer updates that commute: of bits, and into cells of 8 and 16 bits, which CUDA has no atomic operations for."""

import random
from dataclasses import replace

import pytest

from regrapht.records.task import Task
from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.engine import Engine
from regrapht.transform.plan.nest import Kind

from ..judging import steps
from ..native.native_bench import Pair, native_differences
from ..native_random import require_right

HEAD = """// shape: key = n
// shape: x = n
// shape: u = n
// shape: tiny = 13
// shape: small = 2 * n + 30
// shape: half = 64
// shape: word = n + 13
// shape: wide = 40
// init: key = ints(0, 12)
// init: x = ints(-90, 90)
// init: u = ints(0, 200)
// init: tiny = ints(-100, 100)
// init: small = ints(0, 255)
// init: half = ints(-3000, 3000)
// init: word = ints(0, 1000)
// init: wide = ints(0, 1000)
// check: n=0; n=1; n=2; n=3; n=33; n=700
#include <cstdint>
#include <algorithm>
"""
PARAMETERS = (
    "int n, const int* key, const signed char* x, const unsigned char* u, signed char* tiny, unsigned char* small,"
    " short* half, unsigned int* word, long long* wide"
)
LOOP = "for (int i = 0; i < n; ++i) { BODY }"
NARROW = {
    "a maximum": "const int at = key[i]; signed char& best = tiny[at]; if (x[i] > best) best = x[i];",
    "a minimum": "small[key[i]] = u[i] < small[key[i]] ? u[i] : small[key[i]];",
    "a sum that wraps": "small[2 * key[i]] += 77 * x[i];",
    "a difference": "tiny[key[i]] -= u[i];",
    "counts": "half[key[i] + 7]++; if (u[i] > 100) half[key[i]]--;",
    "bits": "small[key[i]] |= 1 << (u[i] & 7);",
    "bits taken away": "small[key[i]] = (unsigned char)(small[key[i]] & ~(1 << (u[i] & 7)));",
    "bits that change": "half[key[i]] ^= u[i] * 311;",
    "bits of a signed type": "tiny[key[i]] &= x[i]; half[u[i] & 63] |= x[i];",
    "two arrays, one of them of words": "small[key[i]] += 1; word[key[i]] += u[i];",
    "a place by the index": "small[i / 3] += u[i]; if (x[i] > half[i % 64]) half[i % 64] = x[i];",
}
WORDS = {
    "bits of words": "if (u[i] & 1) word[i / 32] |= 1u << (i % 32);",
    "bits of two kinds in two arrays": "wide[key[i]] ^= (long long)x[i] << 33; word[key[i]] &= ~(uint32_t)u[i];",
    "negative values in 64 bits": "wide[key[i]] |= x[i];",
    "written the other way round": "word[key[i]] = u[i] | word[key[i]];",
}
WHOLE = {
    "one word": "for (int i = 0; i < n; ++i) wide[3] ^= (long long)key[i] * 0x9e3779b97f4a7c15ll + x[i];",
    "a scalar": "unsigned all = ~0u; long long any = 0; for (int i = 0; i < n; ++i) { all &= u[i] | 8u; any |= x[i]; }"
    " word[0] = all; wide[0] = any;",
}
LOCAL = {
    "a local array": "unsigned char seen[256]; for (int k = 0; k < 256; ++k) seen[k] = 0;"
    f" {LOOP.replace('BODY', 'seen[u[i]] += 3;')} for (int k = 0; k < 64; ++k) half[k] = seen[k] + seen[k + 100];",
    "in every turn of the launcher": "for (int t = 0; t < 3; ++t) {"
    f" {LOOP.replace('BODY', 'small[key[i]] += u[i];')} word[t + 1] = word[t] + small[t]; }}",
}
PARALLEL = {
    **{name: LOOP.replace("BODY", body) for name, body in {**NARROW, **WORDS}.items()},
    **WHOLE,
    **LOCAL,
}
REFUSED = {
    "a narrow scalar beside an array": "word[key[i]] += 1; most |= u[i];",
    "a wider value": "if (key[i] > tiny[u[i] % 13]) tiny[u[i] % 13] = key[i];",
    "a sum of floats": "small[key[i]] += 0.5f * u[i];",
    "products": "small[key[i]] *= u[i];",
    "two operators": "small[key[i]] |= 1; small[key[i]] += u[i];",
    "bits that are read": "word[key[i]] |= word[u[i] % 7];",
    "a cell that is read": "small[key[i]] += 1; word[i] = small[3];",
}


def function(body: str, head: str = HEAD) -> str:
    return f"{head}void f({PARAMETERS}) {{\n{body}\n}}\n"


def kinds(engine: Engine, task: Task) -> set[Kind]:
    return {nest.kind for nest in engine.analysis(task).nests if nest.root.variable == "i"}


@pytest.mark.parametrize("name", PARALLEL)
def test_iterations_are_threads(name, make_task) -> None:
    engine, task = Engine(), make_task(function(PARALLEL[name]), "f")
    assert kinds(engine, task) <= {Kind.SCATTER, Kind.REDUCE}
    assert "in one thread" not in engine.text(task, steps(engine, task, []))


def test_the_results_are_those_of_the_source(make_task) -> None:
    engine = Engine()
    tasks = {name: make_task(function(body), "f") for name, body in PARALLEL.items()}
    pairs = [Pair(task, engine.text(task, steps(engine, task, []))) for task in tasks.values()]
    for name, slugs in {
        "a maximum": ["shared_memory_histogram"],
        "bits": ["grid_stride_loop"],
        "bits that change": ["shared_memory_histogram"],
        "bits taken away": ["shared_memory_histogram", "block_size_tuning"],
        "a difference": ["thread_coarsening"],
        "bits of words": ["shared_memory_histogram"],
        "one word": ["block_reduction"],
        "a scalar": ["warp_shuffle_reduction", "two_stage_reduction"],
    }.items():
        pairs.append(Pair(tasks[name], engine.text(tasks[name], steps(engine, tasks[name], slugs))))
    wrong = native_differences(pairs, choose_sandbox())
    assert not wrong, next((said[:3], pairs[k].source) for k, said in wrong.items())


@pytest.mark.parametrize("name", ["a maximum", "bits of words"])
def test_no_thread_races_or_leaves_the_arrays(name, make_task, bench) -> None:
    task = replace(make_task(function(PARALLEL[name]), "f"))
    engine = Engine()
    source = engine.text(task, steps(engine, task, []))
    assert bench.differences(task, source) == [], source


@pytest.mark.slow
@pytest.mark.parametrize("name", PARALLEL)
def test_no_thread_races_or_leaves_the_arrays_in_any_of_them(name, make_task, bench) -> None:
    task, engine = make_task(function(PARALLEL[name]), "f"), Engine()
    source = engine.text(task, steps(engine, task, []))
    assert bench.differences(task, source) == [], source


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_an_order_stays_in_it(name, make_task) -> None:
    body = f"unsigned char most = 0; {LOOP.replace('BODY', REFUSED[name])} word[0] = most;"
    engine, task = Engine(), make_task(function(body), "f")
    assert kinds(engine, task) == {Kind.SERIAL}


def test_cells_of_a_length_that_nobody_knows_stay_in_order(make_task) -> None:
    head = HEAD.replace("small = 2 * n + 30", "small = ceil(2 * n + 30)")
    task = make_task(function(LOOP.replace("BODY", "small[key[i]] += u[i];"), head), "f")
    text = Engine().text(task, steps(Engine(), task, []))
    assert "no atomic operation for its updates" in text


def test_no_memory_no_wide_cells(make_task) -> None:
    task = make_task(function(LOOP.replace("BODY", "small[key[i]] += u[i];")), "f")
    task = replace(task, contract=replace(task.contract, may_allocate=False))
    assert kinds(Engine(), task) == {Kind.SERIAL}


def test_independent_bits_are_printed_as_they_were(make_task) -> None:
    task = make_task(function(LOOP.replace("BODY", "word[i] |= u[i];")), "f")
    text = Engine().text(task, steps(Engine(), task, []))
    assert "word[i] = word[i] | u[i];" in text
    assert "atomic" not in text


@pytest.mark.slow
def test_random_updates_of_integers(make_task) -> None:
    def draw(chance: random.Random) -> Task:
        return make_task(function(_body(chance)), "f")

    found = (Kind.SCATTER, Kind.REDUCE)
    require_right(
        draw,
        seed_from="REGRAPHT_INTEGERS_SEED",
        is_parallel=lambda nests: any(nest.kind in found for nest in nests),
    )


def _body(chance: random.Random) -> str:
    """Loops that update arrays of several types by several operators, some of them in an order that matters."""
    lines = []
    for number in range(chance.randint(1, 2)):
        i = f"i{number}"
        values = [f"x[{i}]", f"u[{i}]", f"{chance.randint(2, 99)}", f"key[{i}] * {chance.randint(3, 999)}"]
        updates = []
        for array in chance.sample(["tiny", "small", "half", "word", "wide"], chance.randint(1, 3)):
            place = f"{array}[{chance.choice([f'key[{i}]', f'u[{i}] % 7', f'{i} % 5', f'({i} + 3) % 4', '2'])}]"
            value, operator = chance.choice(values), chance.choice(["+", "-", "|", "&", "^", "max", "min"])
            text = f"{place} {operator}= {value};"
            if operator in ("max", "min"):
                text = f"if ({value} {'>' if operator == 'max' else '<'} {place}) {place} = {value};"
            updates.append(text)
            if chance.random() < 0.15:
                updates.append(f"wide[20 + {i} % 3] = {place};")
        body = " ".join(updates)
        if chance.random() < 0.4:
            body = f"if (u[{i}] > {chance.randint(20, 150)}) {{ {body} }}"
        lines.append(f"for (int {i} = {chance.choice(['0', '0', '1'])}; {i} < n; ++{i}) {{ {body} }}")
    return "\n".join(lines)
