"""Helpers as engineers write them: default arguments, constant references; assertions."""

import pytest

from regrapht.errors import CannotTransform
from regrapht.propose.transform_engine import TransformProposer
from regrapht.transform.analyse import analyse
from regrapht.transform.engine import Engine

from ..differential import assert_same

HEAD = """// shape: x = n * m
// shape: y = n * m
// shape: h = 64
// check: n=1,m=1; n=33,m=7; n=130,m=5
#include <algorithm>
#include <cassert>
#include <cmath>
constexpr float kGain = 1.5f;
"""
SIGNATURE = "void f(int n, int m, const float* x, float* y, int* h)"
EACH = "for (int i = 0; i < n * m; i++) {{ {} }}"


def program(helpers: str, body: str) -> str:
    return f"{HEAD}{helpers}\n{SIGNATURE} {{\n    {body}\n}}\n"


DEFAULTS = {
    "of a value": (
        "static float scaled(float v, float by = kGain, int shift = 2) { return v * by + shift; }",
        EACH.format("y[i] = scaled(x[i]) + scaled(x[i], 2) + scaled(x[i], 3, -1);"),
    ),
    "of a helper that is written out": (
        "static void put(float* p, int k, float v = 2 * kGain, bool twice = true) { p[k] = twice ? 2 * v : v; }",
        EACH.format("if (x[i] < 0) put(y, i); else put(y, i, x[i], false);"),
    ),
    "of a declaration": (
        "float half(float v, float by = 0.5f);\nfloat half(float v, float by) { return v * by; }",
        EACH.format("y[i] = half(x[i]) + half(x[i], 3);"),
    ),
    "a constant reference to a value": (
        "static float mixed(const float& a, const float& b, const int& k = 3) { return a + k * b; }",
        EACH.format("y[i] = mixed(x[i], 2 * x[i] + 1) + mixed(0.5f, x[i], i % 3);"),
    ),
}
ASSERTED = {
    "at the beginning": ("", 'assert(n > 0 && "rows");\n assert(m > 0);\n' + EACH.format("y[i] = 2 * x[i];")),
    "in a loop": ("", EACH.format("assert(x[i] >= -1.0f); y[i] = 2 * x[i];")),
    "in a helper": (
        "static float root(float v) { assert(std::isfinite(v)); static_assert(sizeof(float) == 4); return std::sqrt(v + 1); }",
        EACH.format("y[i] = root(x[i]);"),
    ),
    "behind a macro": ("#define CHECKED(what) assert(what)", "CHECKED(n >= 1);\n" + EACH.format("y[i] = x[i];")),
}
REFUSED = {
    "assert(h[0]++ >= 0); y[0] = x[0];": "'h[0]++' inside an assert may change something",
    "int k; assert((k = n) > 0); y[0] = k;": "'k = n' inside an assert",
    "assert(reset(y) == 0); y[0] = x[0];": "'reset(y)' inside an assert",
    "y[0] = reset();": "call of 'reset'",
}


def test_candidates_do_what_the_functions_do(make_task) -> None:
    assert_same(make_task, {name: program(*parts) for name, parts in (DEFAULTS | ASSERTED).items()})


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_not_taken_is_named(make_task, body) -> None:
    helper = "static int reset(float* p) { p[0] = 0; return 0; }"
    with pytest.raises(CannotTransform) as refused:
        analyse(make_task(program(helper, body), "f"))
    assert REFUSED[body] in str(refused.value) and refused.value.line, refused.value


def test_the_entry_takes_its_full_list(make_task) -> None:
    text = "// shape: x = n\n// check: n=5\nvoid f(float* x, int n, float a = 2.0f) { for (int i = 0; i < n; i++) x[i] *= a; }"
    assert 'extern "C" void f(float* x, int n, float a) {' in TransformProposer().plain(make_task(text, "f")).source


AVERAGE = """// shape: x = n
// shape: y = n
// check: n=1,window=0; n=33,window=5; n=130,window=8
#include <algorithm>
void average(const float* x, float* y, int n, int window) {
    for (int i = 0; i < n; i++) {
        int lo = std::max(0, i - window / 2), hi = std::min(n - 1, i + window / 2);
        float s = 0;
        for (int j = lo; j <= hi; j++) s += x[j];
        y[i] = s / (hi - lo + 1);
    }
}
"""


def test_a_rounded_quotient_has_the_type_of_what_is_divided(make_task):
    """CUDA has no `max` of an int and a long long."""
    source = TransformProposer().plain(make_task(AVERAGE, "average")).source
    assert "floor_divide(window" in source and "T floor_divide(T value" in source
    assert_same(make_task, {"average": AVERAGE}, entry="average")


@pytest.mark.parametrize(
    ("returned", "declared"),
    [
        ("std::size_t", "unsigned long long"),
        ("long", "long long"),
        ("whole", "int"),
        ("unsigned", "unsigned int"),
        ("float", "float"),
        ("double", "double"),
    ],
)
def test_what_a_helper_returns_is_what_auto_declares(make_task, returned, declared):
    """A double loses digits of 64 bits, and is no subscript."""
    text = f"""// shape: a = n
// shape: out = n
// check: n=17
#include <cstddef>
typedef int whole;
{returned} next({returned} x) {{ for (int k = 0; k < 3; ++k) x = x * 3 + 1; return x; }}
void work(int n, const double* a, double* out) {{
    for (int i = 0; i < n; ++i) {{ const auto w = next(i); out[i] = a[i] + w; }}
}}
"""
    engine, task = Engine(), make_task(text, "work")
    assert f"const {declared} w = next(" in engine.text(task, engine.plain(task))
