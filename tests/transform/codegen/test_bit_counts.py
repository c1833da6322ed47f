"""Loops over the bits of a word: which are one instruction, and that it gives the same."""

import pytest

from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.engine import Engine
from regrapht.transform.rules import BY_SLUG
from regrapht.transform.rules.application import applies
from regrapht.transform.rules.decisions import Decision

from ..judging import steps
from ..native.native_bench import Pair, native_differences

COUNT = """// shape: a = n
// shape: out = n
// init: a = ints(0, 1000000)
// check: n=1; n=40
void count(int n, const TYPE* a, int* out) {
    for (int i = 0; i < n; i++) {
        TYPE x = a[i] * 4097u;
        int bits = 3;
        LOOP
        out[i] = bits + (int)x;
    }
}
"""
PAIRS = """// shape: a = n * w
// shape: out = n * n
// check: n=1,w=1; n=20,w=5; n=33,w=16
#include <cstdint>
void pairs(int n, int w, const uint64_t* a, int* out) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int bits = 0;
            for (int k = 0; k < w; k++) {
                uint64_t rest = a[i * w + k] ^ a[j * w + k];
                while (rest != 0) {
                    bits++;
                    rest &= rest - 1;
                }
            }
            out[i * n + j] = bits;
        }
}
"""
CLEARING = "while (x) { x &= x - 1; bits++; }"
SHIFTING = "while (x) { bits += x & 1; x >>= 1; }"
OTHERS = [
    "while (x) { x >>= 1; bits += x & 1; }",
    "while (x) { x >>= 1; bits++; }",
    "while (x) { x &= x - 1; bits += 2; }",
    "while (x) { x &= x - 2; bits++; }",
    "while (x > 1) { x &= x - 1; bits++; }",
]


def task_of(make_task, loop: str, type_name: str = "unsigned int"):
    return make_task(COUNT.replace("TYPE", type_name).replace("LOOP", loop), "count")


@pytest.mark.parametrize("loop", OTHERS)
def test_other_loops_stay(loop, make_task):
    engine, task = Engine(), task_of(make_task, loop)
    assert not applies(engine.program(task, steps(engine, task, [])), BY_SLUG["strength_reduction"])


def test_signed_words_stay(make_task):
    engine, task = Engine(), task_of(make_task, CLEARING, "int")
    assert not applies(engine.program(task, steps(engine, task, [])), BY_SLUG["strength_reduction"])


def test_counting_is_right(make_task):
    pairs = []
    for loop in (CLEARING, SHIFTING):
        for type_name in ("unsigned int", "unsigned long long", "unsigned short", "unsigned char"):
            engine, task = Engine(), task_of(make_task, loop, type_name)
            source = engine.text(task, steps(engine, task, ["strength_reduction"]))
            assert ("__popcll(x)" if "long" in type_name else "__popc(x)") in source and "while" not in source
            pairs.append(Pair(task, source))
    engine, task = Engine(), make_task(PAIRS, "pairs")
    tiled = steps(engine, task, ["strength_reduction", "map_2d", "shared_memory_tiling", "register_tiling"])
    source = engine.text(task, tiled)
    assert "#pragma unroll\n                for (int k_step" in source
    pairs.append(Pair(task, source))
    row = Decision(technique="warp_shuffle_reduction", nests=(1,), parameters={"threads": 32})
    pairs.append(Pair(task, engine.text(task, (*steps(engine, task, ["strength_reduction"]), row))))
    faults = native_differences(pairs, choose_sandbox())
    assert not faults, next((said[:2], pairs[k].source) for k, said in faults.items())
