"""Vectors that a loop fills one by one, and vectors of structs: right natively in the plain form, refused where a length is not known."""

import pytest

from regrapht.errors import CannotTransform
from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.analyse import analyse
from regrapht.transform.engine import Engine

from ..native.native_bench import Pair, native_differences

HEAD = """#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>
// shape: x = n * m
// shape: y = n * m
// shape: h = 64
// check: n=1,m=1; n=33,m=7; n=130,m=5
struct Point { float x, y; int kind = 3; };
struct Pair { float a, b; };
static void shifted(const std::vector<Point>& from, std::vector<Point>& to, float by) {
    for (size_t i = 0; i < from.size(); ++i) { to[i] = from[i]; to[i].x += by; }
}
"""
SIGNATURE = "void f(int n, int m, const float* x, float* y, int* h)"
RIGHT = {
    "one in each turn": "std::vector<float> v; for (int i = 0; i < n; i++) v.push_back(x[i] + 1); for (int i = 0; i < n; i++)"
    " y[i] = v[n - 1 - i]; h[0] = (int)v.size();",
    "reserved, from the middle on": "std::vector<float> v; v.reserve(n); for (int i = n / 2; i < n; ++i) { const float e = x[i];"
    " v.push_back(e * e); } for (size_t i = 0; i < v.size(); i++) y[i] = v[i];",
    "up to and with the last": "std::vector<int> v; for (int i = 1; i <= n; i++) v.emplace_back(3 * i);"
    " for (int i = 0; i < n; i++) y[i] = v[i]; h[1] = v.back();",
    "backwards": "std::vector<float> v; for (int i = n - 1; i >= 0; i--) v.push_back(x[i]);"
    " std::inclusive_scan(v.begin(), v.end(), y);",
    "none at all": "std::vector<float> v; for (int i = n; i < n; i++) v.push_back(x[i]); h[2] = (int)v.size();",
    "fewer than none": "std::vector<float> v; for (int i = 40; i < n; i++) v.push_back(x[i]); h[2] = (int)v.size();",
    "two in one loop": "std::vector<float> v, w; for (int i = 0; i < n; i++) { v.push_back(x[i]); w.push_back(2 * x[i]); }"
    " for (int i = 0; i < n; i++) y[i] = v[i] - w[n - 1 - i];",
    "a product of all": "std::vector<float> v; for (int i = 0; i < n; i++) v.push_back(i % 2 ? 1.0f / (x[i] + 3) : x[i] + 3);"
    " y[0] = std::reduce(v.begin(), v.end(), 1.0f, std::multiplies());",
    "function objects": "y[0] = std::accumulate(x, x + n, 0.0f, std::plus<>{});"
    " y[1 % n] = std::accumulate(x, x + n, 0.0f, std::plus<float>());",
    "structs": "std::vector<Point> p(n); for (int i = 0; i < n; i++) p[i] = Point{x[i], 2 * x[i], i};"
    " for (int i = 0; i < n; i++) y[i] = p[n - 1 - i].x + p[i].y * p[i].kind;",
    "structs that begin with what they say": "std::vector<Point> p(n); for (int i = 0; i < n; i++) y[i] = p[i].x + p[i].kind;",
    "references to structs": "std::vector<Pair> p(n); for (int i = 0; i < n; i++) { Pair& one = p[i]; one.a = x[i]; one.b = -x[i]; }"
    " for (int i = 0; i < n; i++) { const auto& e = p[i]; y[i] = e.a * 3 + e.b; }",
    "loops over structs": "std::vector<Pair> p(n); for (auto& e : p) { e.a = 2; e.b = 3; } for (int i = 0; i < n; i++) p[i].a += x[i];"
    " float s = 0; for (const auto& e : p) s += e.a * e.b; for (auto e : p) { e.a = 0; s += e.a + e.b; } y[0] = s;",
    "structs for helpers": "std::vector<Point> p(n), q(n); for (int i = 0; i < n; i++) { p[i].x = x[i]; p[i].y = i; }"
    " shifted(p, q, 4.0f); for (int i = 0; i < n; i++) y[i] = q[i].x + q[i].y + q[i].kind;",
    "an element as a local": "std::vector<Pair> p(n); for (int i = 0; i < n; i++) { Pair e = p[i]; e.a += x[i]; p[i] = e; }"
    " for (int i = 0; i < n; i++) y[i] = p[i].a + p[i].b;",
}
REFUSED = {
    "under a condition": "std::vector<float> v; for (int i = 0; i < n; i++) if (x[i] > 0) v.push_back(x[i]); y[0] = v[0];",
    "twice in a turn": "std::vector<float> v; for (int i = 0; i < n; i++) { v.push_back(x[i]); v.push_back(1); } y[0] = v[0];",
    "read while it grows": "std::vector<float> v; for (int i = 0; i < n; i++) { v.push_back(x[i] + (i ? v[i - 1] : 0)); } y[0] = v[0];",
    "left early": "std::vector<float> v; for (int i = 0; i < n; i++) { if (x[i] > 5) break; v.push_back(x[i]); } y[0] = v.size();",
    "by two loops": "std::vector<float> v; for (int i = 0; i < n; i++) v.push_back(x[i]); for (int i = 0; i < n; i++) v.push_back(1);"
    " y[0] = v[n];",
    "in an inner loop": "std::vector<float> v; for (int i = 0; i < n; i++) { for (int k = 0; k < m; k++) v.push_back(x[k]); } y[0] = v[0];",
}


def program(body: str) -> str:
    return f"{HEAD}{SIGNATURE} {{ {body} }}\n"


def test_the_candidates_do_what_the_functions_do(make_task) -> None:
    engine = Engine()
    tasks = {name: make_task(program(body), "f") for name, body in RIGHT.items()}
    pairs = [Pair(task, engine.text(task, engine.plain(task))) for task in tasks.values()]
    wrong = native_differences(pairs, choose_sandbox())
    assert not wrong, next((list(RIGHT)[k], said[:3], pairs[k].source) for k, said in wrong.items())


@pytest.mark.parametrize("name", sorted(RIGHT.keys() - {"none at all"}))
def test_loops_that_fill_have_threads(name, make_task) -> None:
    engine = Engine()
    analysis = engine.analysis(make_task(program(RIGHT[name]), "f"))
    assert any(nest.threaded for nest in analysis.nests)


@pytest.mark.parametrize("name", REFUSED)
def test_a_length_that_is_not_known_is_refused(name, make_task) -> None:
    with pytest.raises(
        CannotTransform, match=r"the vector 'v' without a length|has an effect that is not known|another length"
    ):
        analyse(make_task(program(REFUSED[name]), "f"))
