"""`std::array` locals, tables and parameters."""

import pytest

from regrapht.errors import CannotTransform
from regrapht.transform.analyse import analyse
from regrapht.transform.ir.statements import Declare
from regrapht.transform.reader.function_reader import read_function

from ..differential import assert_same

HEAD = """// shape: x = n * m
// shape: y = n * m
// check: n=1,m=1; n=33,m=7; n=130,m=5
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
constexpr int kTaps = 3;
constexpr std::array<float, kTaps> kWeights = {0.25f, 0.5f, 0.25f};
static const std::array<std::array<int, 2>, 3> kPlaces = {{{1, 2}, {3, 4}, {5, 6}}};
using Taps = std::array<float, kTaps>;
"""
SIGNATURE = "void f(int n, int m, const float* x, float* y)"


def program(body: str, helpers: str = "") -> str:
    return f"{HEAD}{helpers}\n{SIGNATURE} {{\n{body}\n}}\n"


RIGHT = {
    "a constant table": """
        constexpr std::array<float, 3> w{0.25f, 0.5f, 0.25f};
        for (int i = 1; i < n - 1; i++) y[i] = w[0] * x[i - 1] + w[1] * x[i] + w[2] * x[i + 1];""",
    "two pairs of brackets, a length that is computed": """
        const std::array<float, kTaps + 1> w = {{1.0f, 2.0f, 3.0f}};
        for (int i = 0; i < n; i++) for (size_t k = 0; k < w.size(); k++) y[i] += w[k] * x[i];""",
    "a window in each turn": """
        for (int i = 0; i < n; i++) {
            std::array<float, 4> window{};
            for (int k = 0; k < 4; k++) if (i + k < n) window[k] = x[i + k];
            y[i] = window[3] - window.front() + window.at(1) + window.back();
        }""",
    "values that are computed": """
        for (int i = 0; i < n; i++) {
            std::array<float, 3> v = {x[i], 2 * x[i]}, u{{x[i], 1.0f, 2.0f}};
            std::swap(v[0], v[1]);
            y[i] = v[0] + 3 * v[1] + 5 * v[2] + u[0] * u[2];
        }""",
    "copies": """
        for (int i = 0; i < n; i++) {
            std::array<float, 3> v = {x[i], 2, 3}, w = v;
            v[0] += 1;
            std::array<float, 3> u(w);
            u = v;
            y[i] = v[0] + 10 * w[0] + 100 * u[0];
        }""",
    "fill, begin and a loop over it": """
        for (int i = 0; i < n; i++) {
            std::array<float, 5> v;
            v.fill(0.5f);
            v[i % 5] = x[i];
            float sum = 0;
            for (const float one : v) sum += one * one;
            for (auto& one : v) one += 1;
            y[i] = sum + std::accumulate(v.begin(), v.end(), 0.0f) + *std::max_element(v.begin(), v.end());
        }""",
    "rows": """
        std::array<std::array<float, 2>, 3> t = {};
        for (int i = 0; i < n; i++) y[i] = x[i] * kPlaces[i % 3][i % 2];
        if (n > 3) { t[1][0] = y[0]; y[1] = t[1][0] + t[2][1]; }""",
    "a table of the file": """
        for (int i = 0; i < n; i++) {
            float sum = 0;
            for (int k = 0; k < kTaps; k++) sum += kWeights[k] * x[i + k < n ? i + k : i];
            for (float w : kWeights) sum += w;
            y[i] = sum;
        }""",
    "bins of a histogram": """
        std::array<int, 8> bins{};
        for (int i = 0; i < n * m; i++) bins[(int)((x[i] + 1) * 3.9f)]++;
        for (int k = 0; k < 8 && k < n * m; k++) y[k] = (float)bins[k];""",
}
HELPERS = {
    "by reference and by value": (
        """static float dot(const std::array<float, 3>& a, const Taps& b) {
    float s = 0;
    for (int k = 0; k < 3; k++) s += a[k] * b[k];
    return s;
}
static void twice(std::array<float, 3>& a) { for (auto& one : a) one *= 2; }
static float halved(std::array<float, 3> a) { a[0] /= 2; return a[0] + a.size(); }""",
        """
        for (int i = 0; i < n; i++) {
            Taps v = {x[i], 0.5f, 1.0f};
            twice(v);
            y[i] = dot(v, kWeights) + halved(v) + v[0];
        }""",
    ),
}
REFUSED = {
    "std::array<float, 3> a{}; std::array<float, 2> b = a; y[0] = b[0];": "the array 'b' is a copy",
    "for (int i = 0; i < n; i++) { std::array<float, 3> a = made(x[i]); y[i] = a[0]; }": "local array 'a' set to 'made(x[i])'",
    "std::array<std::pair<int, int>, 3> a; y[0] = a[0].first;": "of the elements of",
}


def test_candidates_do_what_the_functions_do(make_task) -> None:
    plain = {name: program(body) for name, body in RIGHT.items()}
    assert_same(make_task, plain | {name: program(body, helpers) for name, (helpers, body) in HELPERS.items()})


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_not_taken_is_named(make_task, body) -> None:
    helper = "static Taps made(float v) { Taps t; t.fill(v); return t; }"
    with pytest.raises(CannotTransform) as refused:
        analyse(make_task(program(body, helper), "f"))
    assert REFUSED[body] in str(refused.value) and refused.value.line, refused.value


def test_a_constant_one_is_a_table() -> None:
    function = read_function(program(RIGHT["a constant table"]), "f")
    assert "w" in function.tables and not any(isinstance(one, Declare) for one in function.body)
