"""Appends by functions that write where they are told and say how much: which are taken, and that these are right."""

import pytest

from regrapht.errors import CannotTransform
from regrapht.evaluate.build.nvcc import compiles, find_nvcc
from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.verbatim.program import verbatim
from regrapht.transform.verbatim.steps import Launches

from .conftest import SIGNATURE

HEAD = """
#include <algorithm>
#include <cstdint>
#include <cstring>
static int32_t calls;
static void doubled(int32_t* at) { at[0] *= 2; }
static int walk(int v, int32_t* to) { int k = 0; for (; k < v % 3; ++k) *to++ = v + k; return k; }
static int pick(const int32_t* from, int v, int32_t* to) {
    int32_t own[3] = {v, v + 1, v + 2};
    int kept = 0;
    doubled(own);
    for (int k = 0; k < 3; ++k) {
        if (own[k] % 2 == from[0] % 2) continue;
        to[kept++] = std::max(own[k], 1);
    }
    return kept;
}
struct Rows {
    const int32_t* at;
    int copy(int row, int32_t* to) const { std::memcpy(to, at + row, sizeof(int32_t) * (row % 2)); return row % 2; }
};
static int unlike(int v, int32_t* to) { int k = 0; if (v != to[0]) to[k++] = v; return k; }
static int noted(int v, int32_t* to, int32_t* also) { also[v] = 1; to[0] = v; return 1; }
static int numbered(int v, int32_t* to) { to[0] = v; return ++calls > 0; }
static int handed(int v, int32_t* to) { doubled(to); return v % 2; }
static int seen(int v, int used, int32_t* to) { to[0] = v; return used < 9; }
static int through(int v, int32_t* to) { int32_t* at = to; at[0] = v; return v % 2; }
"""
TAKEN = {
    "a pointer that walks": "walk(a[i], out + c)",
    "a counter of its own, a local array, another function": "pick(a + i, a[i], out + c)",
    "a function of an object, and memcpy": "rows.copy(i % 2, out + c)",
}
REFUSED = {
    "it reads there": "unlike(a[i], out + c)",
    "it writes elsewhere": "noted(a[i], out + c, aux)",
    "it counts its calls": "numbered(a[i], out + c)",
    "it hands the place on": "handed(a[i], out + c)",
    "it is told how much there is": "seen(a[i], c, out + c)",
    "it keeps the place": "through(a[i], out + c)",
}


def appending(function_task, calls):
    """A function that appends by each call in a loop of its own."""
    loops = "\n".join(
        f"{{ int c = 0; for (int i = 0; i < n / 4; ++i) {{ aux[i % m] += 1; c += {call}; }} aux[0] += c; }}"
        for call in calls
    )
    return function_task(f"{HEAD}{SIGNATURE} {{ const Rows rows{{a}}; (void)rows;\n{loops}\n}}\n")


def test_each_is_right(function_task, observer, bench):
    task = appending(function_task, TAKEN.values())
    found = verbatim(task, observer)
    assert not [(one.line, one.reason) for one in found.serial if one.is_long]
    text = found.text([], Launches())
    assert bench.differences(task, text) == []
    nvcc = find_nvcc()
    if nvcc is not None:
        built = compiles(text, choose_sandbox(), nvcc)
        assert built.content is not None, built.completed.stderr[-2000:]


@pytest.mark.parametrize("why", REFUSED)
def test_what_may_depend_on_its_place_is_refused(function_task, observer, why):
    with pytest.raises(CannotTransform, match=r"depend on each other|'calls' is a variable of the host"):
        verbatim(appending(function_task, [REFUSED[why]]), observer)
