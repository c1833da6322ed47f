"""Updates of several arrays at elements that data choose, collected in copies in shared memory."""

import random
import re

import pytest

from regrapht.records.task import Task
from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.engine import Engine
from regrapht.transform.plan.nest import Kind
from regrapht.transform.rules import BY_SLUG
from regrapht.transform.rules.application import reason_against
from regrapht.transform.rules.decisions import Decision

from ..judging import first_now, steps
from ..native.native_bench import Pair, native_differences
from ..native_random import require_right

RULE = "shared_memory_histogram"
HEAD = """// shape: key = n
// shape: x = n
// shape: count = 2 * n + bins
// shape: sum = bins
// shape: squares = bins
// shape: most = n + bins
// shape: bits = bins
// shape: small = bins
// shape: wide = 48
// shape: words = 2 * bins + 3
// shape: other = ceil(bins)
// init: key = ints(0, bins)
// init: x = ints(-90, 90)
// init: most = ints(-90, 90)
// check: n=0,bins=1; n=1,bins=1; n=2,bins=2; n=3,bins=3; n=33,bins=5; n=700,bins=33
#include <cstdint>
"""
PARAMETERS = (
    "int n, int bins, const int* key, const int* x, int* count, long long* sum, long long* squares, int* most, unsigned int* bits,"
    " signed char* small, long long* wide, unsigned long long* words, int* other"
)
LOOP = "for (int i = 0; i < n; ++i) { BODY }"
COLLECTED = {
    "moments": (
        "most[key[i]] += 1; sum[key[i]] += x[i]; squares[key[i]] += (long long)x[i] * x[i];",
        ["sum", "squares", "most"],
    ),
    "after a condition": ("if (x[i] == 0) continue; bits[key[i]] += x[i]; small[key[i]]++;", ["bits", "small"]),
    "other operators": (
        "if (x[i] > most[key[i]]) most[key[i]] = x[i]; bits[key[i]] |= 1u << (x[i] & 31); wide[x[i] & 31] ^= x[i];"
        " if (x[i] < sum[key[i]]) sum[key[i]] = x[i]; words[key[i] + 1] &= ~(1ull << (x[i] & 63));",
        ["wide", "sum", "words", "most", "bits"],
    ),
    "lengths of two kinds": (
        "bits[key[i]] += 1; words[2 * key[i]] += x[i]; wide[key[i] % 7]--;",
        ["words", "wide", "bits"],
    ),
    "two updates of an array": ("most[key[i]] += 1; most[i / 2] -= x[i]; sum[key[i]] += 5;", ["sum", "most"]),
    "loops inside": ("for (int k = 0; k < key[i]; ++k) { bits[k] += x[i]; sum[key[i] - k]++; }", ["sum", "bits"]),
}
LEFT = {
    "an unknown length": ("bits[key[i]] += 1; other[key[i]] += x[i];", ["bits"]),
    "an array that is read": ("count[i] += 1; sum[key[i]] += count[i]; count[n + i / 3] += x[i];", ["sum"]),
    "an array of two operators": (
        "if (x[i] > count[i]) count[i] = x[i]; count[n + i / 3] += 3; sum[key[i]] += 1;",
        ["sum"],
    ),
}
OTHERWISE = "it also reads 'count', or changes it in another way"
REFUSED = {
    "an unknown length": (
        "other[key[i]] += x[i];",
        "the task does not say the length of 'other' as an integer expression",
    ),
    "what is read": ("count[i] += 1; most[i] = count[i]; count[n + i / 3] += x[i];", OTHERWISE),
    "another operator": ("if (x[i] > count[i]) count[i] = x[i]; count[n + i / 3] += x[i];", OTHERWISE),
}
ALL = {**COLLECTED, **LEFT}


def function(body: str, head: str = HEAD) -> str:
    return f"{head}void f({PARAMETERS}) {{\n{body}\n}}\n"


def copies(source: str) -> list[str]:
    """The arrays that have copies in shared memory, in their order there."""
    return re.findall(r"(?:__shared__ [\w ]+|\* const )\b(\w+)_block\b", source)


def collected(make_task, body: str, head: str = HEAD) -> tuple[Task, str]:
    task, engine = make_task(function(LOOP.replace("BODY", body), head), "f"), Engine()
    return task, engine.text(task, steps(engine, task, [RULE]))


@pytest.mark.parametrize("name", ALL)
def test_arrays_have_copies_those_of_wide_cells_first(name, make_task) -> None:
    body, arrays = ALL[name]
    assert copies(collected(make_task, body)[1]) == arrays


def constant_lengths(make_task) -> Pair:
    head = HEAD.replace("sum = bins", "sum = 4000").replace("squares = bins", "squares = 4001")
    return Pair(*collected(make_task, "sum[key[i]] += x[i]; squares[key[i]] += 1; bits[key[i]] += 2;", head))


def lengths_at_the_limit(make_task) -> Pair:
    head = re.sub("check: .*", "check: n=40,bins=2457; n=40,bins=2458; n=40,bins=5000; n=700,bins=9000", HEAD)
    return Pair(*collected(make_task, "bits[key[i]] += 1; sum[key[i]] += x[i]; squares[key[i]] += 3;", head))


def floats(make_task) -> Pair:
    head = "// nondeterministic\n// shape: weight = bins\n// shape: mass = bins + 1\n// shape: y = n\n" + HEAD
    text = function(LOOP.replace("BODY", "weight[key[i]] += y[i]; mass[key[i] + 1] += y[i]; bits[key[i]]++;"), head)
    text = text.replace("int* other)", "int* other, const float* y, float* weight, double* mass)")
    task, engine = make_task(text, "f"), Engine()
    return Pair(task, engine.text(task, steps(engine, task, [RULE])))


def mixed_operators(make_task, *, inner: bool) -> Pair:
    """Products beside sums of one array: of one loop, or of two."""
    body = "count[i] *= 3; count[n + i / 3] += x[i];"
    body = "for (int j = 0; j < n; ++j) { count[j] *= 3; count[n + i] += x[j]; }" if inner else body
    task, engine = make_task(function(LOOP.replace("BODY", body)), "f"), Engine()
    return Pair(task, engine.text(task, steps(engine, task, [])))


def test_the_results_are_those_of_the_source(make_task) -> None:
    pairs = [Pair(*collected(make_task, body)) for body, _ in ALL.values()]
    engine = Engine()
    pairs += [Pair(pair.task, engine.text(pair.task, steps(engine, pair.task, []))) for pair in pairs[-2:]]
    pairs += [make(make_task) for make in (constant_lengths, lengths_at_the_limit, floats)]
    pairs += [mixed_operators(make_task, inner=inner) for inner in (False, True)]
    wrong = native_differences(pairs, choose_sandbox())
    assert not wrong, next((said[:3], pairs[k].source) for k, said in wrong.items())


@pytest.mark.parametrize(
    "name", first_now(["other operators", *(name for name in ALL if name != "other operators")], 1)
)
def test_no_thread_races_or_leaves_the_arrays(name, make_task, bench) -> None:
    task, source = collected(make_task, ALL[name][0])
    assert bench.differences(task, source) == [], source


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_collected(name, make_task) -> None:
    body, reason = REFUSED[name]
    task, engine = make_task(function(LOOP.replace("BODY", body)), "f"), Engine()
    program = engine.program(task, steps(engine, task, []))
    assert any(nest.kind is Kind.SCATTER for nest in program.nests)
    assert reason in str(reason_against(program, BY_SLUG[RULE]))


@pytest.mark.parametrize("inner", [False, True])
def test_an_operator_without_an_atomic_beside_one_with_it_stays_in_order(inner, make_task) -> None:
    nests = Engine().analysis(mixed_operators(make_task, inner=inner).task).nests
    assert {nest.kind for nest in nests} <= {Kind.SERIAL, Kind.MAP}


def test_copies_that_do_not_fit_are_left_out_where_the_lengths_are_constant(make_task) -> None:
    assert copies(constant_lengths(make_task).source) == ["sum", "bits"]


def test_the_launcher_takes_the_plain_way_where_the_copies_do_not_fit_together(make_task) -> None:
    test = "if (bins * (sizeof(long long) + sizeof(long long) + sizeof(unsigned int)) <= 49152) {"
    assert test in lengths_at_the_limit(make_task).source


def test_float_cells_have_copies_where_results_may_vary(make_task) -> None:
    assert copies(floats(make_task).source) == ["mass", "weight", "bits"]


def test_each_length_is_tested_by_itself_too(make_task) -> None:
    head = HEAD.replace("sum = bins", "sum = bins * n + 1")
    _, source = collected(make_task, "bits[key[i]] += 1; sum[key[i]] += x[i]; wide[key[i] % 7]++;", head)
    test = re.sub(r"\s+", " ", source.partition('extern "C"')[2]).partition("49152) {")[0]
    product, other = "(((long long)bins * (long long)n + 1)) * sizeof(long long)", "bins * sizeof(unsigned int)"
    assert f"{product} <= 49152 && {other} <= 49152 && {product} + 48 * sizeof(long long) + {other} <= " in test


@pytest.mark.slow
def test_random_histograms(make_task) -> None:
    def draw(chance: random.Random) -> Task:
        return make_task(function(LOOP.replace("BODY", _body(chance))), "f")

    require_right(
        draw,
        seed_from="REGRAPHT_HISTOGRAMS_SEED",
        decide=_decisions,
        is_parallel=lambda nests: any(nest.kind is Kind.SCATTER and len(nest.targets) > 1 for nest in nests),
    )


def _decisions(engine: Engine, task: Task, chance: random.Random) -> tuple[Decision, ...]:
    """The rule where it applies, with any of its settings."""
    plain = steps(engine, task, [])
    if reason_against(engine.program(task, plain), BY_SLUG[RULE]):
        return plain
    return steps(engine, task, [RULE], chance.randint(0, 2))


def _body(chance: random.Random) -> str:
    """Updates of two to five arrays, each by one operator, at one place or at several."""
    lines = []
    for array in chance.sample(["sum", "squares", "most", "bits", "small", "words", "wide"], chance.randint(2, 5)):
        operator = chance.choice(["+", "-", "|", "&", "^", "max", "min"])
        for _ in range(chance.choice([1, 1, 2])):
            at = chance.choice(["key[i] % 40", "i % 3 % bins", "key[i] / 2", "(x[i] & 15) % bins"])
            value = chance.choice(["x[i]", f"{chance.randint(2, 99)}", "key[i] - x[i]"])
            value = f"({'signed char' if array == 'small' else 'int'})({value})"
            place = f"{array}[{at}]"
            text = f"{place} {operator}= {value};"
            if operator in ("max", "min"):
                text = f"if ({value} {'>' if operator == 'max' else '<'} {place}) {place} = {value};"
            lines.append(f"if (x[i] > {chance.randint(-90, 40)}) {{ {text} }}" if chance.random() < 0.3 else text)
    return " ".join(lines)
