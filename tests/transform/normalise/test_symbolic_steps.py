"""Loops whose step is known only at run time: which get threads, and that their programs compute what the source does."""

import pytest

from regrapht.transform.analyse import analyse
from regrapht.transform.plan.nest import Kind

from ..differential import assert_same
from ..native_random import require_right
from ..random_steps import RandomSteps

SIZES = "// check: n=1; n=2; n=8; n=64; n=100; n=257\n"
STRIDED = "// check: n=1,s=1; n=40,s=1; n=41,s=2; n=300,s=7; n=9,s=30; n=0,s=3\n"
PARALLEL = {
    "butterflies": (
        SIZES
        + """// shape: a = 3 * n
void f(int n, float* a) {
    for (int half = 1; half < n; half *= 2)
        for (int base = 0; base < n; base += 2 * half)
            for (int k = 0; k < half; ++k) {
                float x = a[base + k], y = a[base + k + half];
                a[base + k] = x + y;
                a[base + k + half] = x - y;
            }
}""",
        {"base_turn", "k"},
    ),
    "butterflies that count in size_t, from the base on": (
        SIZES
        + """// shape: a = 3 * n
void f(size_t n, float* a) {
    for (size_t half = 1; half < n; half <<= 1)
        for (size_t base = 0; base < n; base += half << 1)
            for (size_t k = base; k < base + half; ++k) {
                float x = a[k], y = a[k + half];
                a[k] = x + y;
                a[k + half] = x - y;
            }
}""",
        {"base_turn", "k_offset"},
    ),
    "butterflies by their length, from the largest to the smallest": (
        SIZES
        + """// shape: a = 2 * n
void f(int n, int* a) {
    for (int len = n; len > 1; len >>= 1) {
        const int half = len / 2;
        for (int i = 0; i + len <= n; i += len)
            for (int j = 0; j < half; ++j) {
                int x = a[i + j], y = a[i + j + half];
                a[i + j] = x + y;
                a[i + j + half] = (x - y) & 1023;
            }
    }
}""",
        {"i_turn", "j"},
    ),
    "two halves of complex numbers with twiddles": (
        "// check: n=1; n=2; n=8; n=64; n=128\n"
        + """// shape: re = n
// shape: im = n
// shape: w = 2 * n
void f(int n, float* re, float* im, const float* w) {
    for (int len = 2; len <= n; len *= 2) {
        int half = len / 2, stride = n / len;
        for (int i = 0; i < n; i += len) {
            for (int j = 0; j < half; ++j) {
                float wr = w[2 * j * stride], wi = w[2 * j * stride + 1];
                float xr = re[i + j + half] * wr - im[i + j + half] * wi, xi = re[i + j + half] * wi + im[i + j + half] * wr;
                re[i + j + half] = re[i + j] - xr;
                im[i + j + half] = im[i + j] - xi;
                re[i + j] += xr;
                im[i + j] += xi;
            }
        }
    }
}""",
        {"i_turn", "j"},
    ),
    "the two sweeps of a tree scan": (
        "// check: n=1; n=2; n=8; n=64; n=256\n"
        + """// shape: a = n
void f(int n, int* a) {
    for (int d = 1; d < n; d *= 2)
        for (int i = 0; i < n; i += 2 * d) a[i + 2 * d - 1] += a[i + d - 1];
    a[n - 1] = 0;
    for (int d = n / 2; d >= 1; d /= 2)
        for (int i = 0; i < n; i += 2 * d) {
            int t = a[i + d - 1];
            a[i + d - 1] = a[i + 2 * d - 1];
            a[i + 2 * d - 1] += t;
        }
}""",
        {"i_turn", "i_turn_2"},
    ),
    "a scan by doubling over two arrays": (
        SIZES
        + """// shape: a = n
// shape: t = n
void f(int n, float* a, float* t) {
    for (int d = 1; d < n; d *= 2) {
        for (int i = 0; i < n; ++i) t[i] = i >= d ? a[i] + a[i - d] : a[i];
        for (int i = 0; i < n; ++i) a[i] = t[i];
    }
}""",
        {"i"},
    ),
    "a tree of sums, halving by while": (
        SIZES
        + """// shape: a = n
void f(int n, float* a) {
    int half = n / 2;
    while (half) {
        for (int i = 0; i < half; ++i) a[i] += a[i + half];
        half /= 2;
    }
}""",
        {"i"},
    ),
    "pairs that do not all have a partner": (
        SIZES
        + """// shape: a = n
void f(int n, int* a) {
    for (int s = 1; s < n; s *= 2)
        for (int i = 0; i + s < n; i += 2 * s) a[i] = a[i] > a[i + s] ? a[i] : a[i + s];
}""",
        {"i_turn"},
    ),
    "every s-th element": (
        STRIDED
        + """// shape: a = n
// shape: b = n + 1
void f(int n, int s, float* a, const float* b) {
    for (int i = 0; i < n; i += s) a[i] = 2.0f * a[i] + b[i + 1];
}""",
        {"i_turn"},
    ),
    "every s-th element from some place on": (
        "// check: n=1,s=1,lo=0; n=40,s=1,lo=3; n=41,s=2,lo=1; n=300,s=7,lo=10; n=9,s=30,lo=2; n=9,s=0,lo=9; n=9,s=3,lo=20\n"
        + """// shape: a = n
// shape: b = n
void f(int n, int s, int lo, float* a, const float* b) {
    for (int i = lo; i < n; i += s) a[i] = 2.0f * a[i] + b[i];
}""",
        {"i_turn"},
    ),
    "a sum over every s-th element": (
        STRIDED
        + """// shape: a = n
double f(int n, int s, const double* a) {
    double sum = 0;
    for (int i = 0; i < n; i += s) sum += a[i];
    return sum;
}""",
        set(),
    ),
    "every s-th row": (
        "// check: n=1,s=1,m=1; n=40,s=1,m=9; n=41,s=2,m=17; n=30,s=7,m=33; n=9,s=30,m=2; n=0,s=3,m=4; n=5,s=2,m=0\n"
        + """// shape: a = n * m
void f(int n, int m, int s, float* a) {
    for (int i = 0; i < n; i += s)
        for (int j = 0; j < m; ++j) a[i * m + j] = 0.5f * a[i * m + j] + j;
}""",
        {"i_turn", "j"},
    ),
    "turns dealt out to workers": (
        STRIDED
        + """// shape: a = n
void f(int n, int s, float* a) {
    for (int w = 0; w < s; ++w)
        for (int i = w; i < n; i += s) a[i] = a[i] * 2.0f + w;
}""",
        {"w", "i_turn"},
    ),
    "strips of a length known at run time": (
        STRIDED
        + """// shape: a = n
void f(int n, int s, float* a) {
    for (int from = 0; from < n; from += s)
        for (int i = from; i < (from + s < n ? from + s : n); ++i) a[i] = a[i] * 3.0f + i;
}""",
        {"from_turn", "i_offset"},
    ),
}


PARALLEL |= {
    "butterflies, several times": (
        "// check: n=1,r=1; n=8,r=3; n=64,r=0; n=100,r=2\n"
        + """// shape: a = 3 * n
void f(int n, int r, int* a) {
    for (int round = 0; round < r; ++round)
        for (int half = 1; half < n; half *= 2)
            for (int base = 0; base < n; base += 2 * half)
                for (int k = 0; k < half; ++k) {
                    int x = a[base + k], y = a[base + k + half];
                    a[base + k] = (x + y + round) & 1023;
                    a[base + k + half] = (x - y) & 1023;
                }
}""",
        {"base_turn", "k"},
    ),
}


def parallel(task) -> set[str]:
    return {variable for nest in analyse(task).nests for variable in nest.parallel}


@pytest.mark.parametrize("name", PARALLEL)
def test_loops_of_run_time_steps_get_threads(make_task, name):
    text, loops = PARALLEL[name]
    task = make_task(text, "f")
    assert loops <= parallel(task)
    assert all(nest.kind is not Kind.SERIAL for nest in analyse(task).nests)


def test_loops_of_run_time_steps_compute_the_same(make_task):
    assert_same(make_task, {name: text for name, (text, _) in PARALLEL.items()})


SERIAL = {
    "halves that overlap by one": """// shape: a = 3 * n + 1
void f(int n, int* a) {
    for (int half = 1; half < n; half *= 2)
        for (int base = 0; base < n; base += 2 * half)
            for (int k = 0; k <= half; ++k) {
                int x = a[base + k], y = a[base + k + half];
                a[base + k] = x + 2 * y & 1023;
                a[base + k + half] = x - y & 1023;
            }
}""",
    "each s-th element needs the one before": """// shape: a = n
void f(int n, int s, int* a) {
    for (int i = s; i < n; i += s) a[i] = a[i] + 2 * a[i - s] & 1023;
}""",
    "neighbours, which the next step may reach": """// shape: a = n + 1
void f(int n, int s, int* a) {
    for (int i = 0; i < n; i += s) {
        a[i] = a[i + 1] + 1;
        a[i + 1] = 2 * a[i] & 1023;
    }
}""",
    "left by data": """// shape: a = n
void f(int n, int s, int* a) {
    for (int i = 0; i < n; i += s) {
        if (a[i] > 8) break;
        a[i] += i;
    }
}""",
    "a step that the turns change": """// shape: a = n
void f(int n, int s, int* a) {
    int by = s;
    for (int i = 0; i < n; i += by) {
        a[i] += by;
        by = by + 1;
    }
}""",
    "an end that the turns change": """// shape: a = n
void f(int n, int s, int* a) {
    int end = n;
    for (int i = 0; i < end; i += s) {
        a[i] += s;
        end = end - 1;
    }
}""",
    "an unsigned counter that may go round": """// shape: a = n
void f(unsigned n, unsigned s, unsigned* a, int by) {
    for (unsigned i = s; i < n; i += (unsigned)-by) a[i] += i;
}""",
}


OTHERS = {
    "a start that only some calls may compute": """// shape: a = n + s
void f(int n, int s, int lo, int* a) {
    if (lo > 0)
        for (int i = n / lo; i < n; i += s) a[i] += 1;
}""",
    "a counter that is used by a later loop's step": """// shape: a = n + s
void f(int n, int s, int lo, int* a) {
    int d = 1;
    while (d < n) {
        for (int i = 0; i < d; ++i) a[i] += d;
        d *= 2;
    }
    for (int i = 0; i < n; i += d) a[i] += 1;
}""",
    "names that a candidate needs": """static int turns_of(int x) { return x + 1; }
static int floor_divide(int x, int y) { return y > 0 ? x / y : 0; }
// shape: a = n + s
void f(int n, int s, int lo, int* a) {
    for (int i = 0; i < n; i += s) a[i] += turns_of(floor_divide(i, lo));
}""",
}


def test_others_stay_right(make_task):
    check = "// check: n=1,s=1,lo=0; n=40,s=1,lo=3; n=41,s=2,lo=0; n=300,s=7,lo=10\n"
    assert_same(make_task, {name: check + text for name, text in OTHERS.items()})


@pytest.mark.parametrize("name", SERIAL)
def test_loops_that_have_an_order_keep_it(make_task, name):
    task = make_task(STRIDED + SERIAL[name], "f")
    assert not parallel(task) or analyse(task).guard is not None


def test_loops_that_have_an_order_compute_the_same(make_task):
    assert_same(make_task, {name: STRIDED + text for name, text in SERIAL.items()})


def test_random_steps(make_task):
    require_right(
        lambda chance: make_task(RandomSteps(chance.randrange(2**32)).text(), "steps"),
        seed_from="REGRAPHT_RANDOM_STEPS",
        is_parallel=lambda nests: any("_turn" in variable for nest in nests for variable in nest.parallel),
    )
