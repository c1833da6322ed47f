"""Loops whose turns depend on each other are refused, whatever hides that; their independent twins are taken."""

import re

import pytest

from regrapht.errors import CannotTransform
from regrapht.transform.verbatim.independence import Independence, Label
from regrapht.transform.verbatim.instrument import instrumented
from regrapht.transform.verbatim.scopes import Scopes

from .conftest import SIGNATURE, verdicts

BEFORE = """
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>
struct Walker {
    const int32_t* at;
    int32_t next() { return *at++; }
};
static int32_t taken;
static int32_t ticket() { return ++taken; }
static int32_t twice(int32_t v) { return 2 * v; }
"""
DEPENDENT = {
    "prefix": "for (int i = 1; i < n; ++i) out[i] = out[i - 1] + a[i];",
    "stencil in place": "for (int i = 1; i + 1 < n; ++i) out[i] = out[i - 1] / 2 + out[i + 1];",
    "stencil in place, reading ahead twice": "for (int i = 0; i + 1 < n; ++i) { out[i] = out[i + 1]; aux[i % m] += out[i + 1]; }",
    "places that two turns set": "for (int i = 0; i < n; ++i) out[b[i]] = out[i] + 1;",
    "histogram that is no update": "for (int i = 0; i < n; ++i) { const int32_t held = aux[a[i]]; aux[a[i]] = held + 1; }",
    "linked updates": "for (int i = 0; i < n; ++i) { aux[a[i]] = out[b[i]]; out[i] = aux[a[(i + 1) % n]]; }",
    "a carried scalar": "int32_t s = 1; for (int i = 0; i < n; ++i) { s = s * 3 + a[i]; out[i] = s; }",
    "aliasing pointers": "int32_t* p = out + 1; const int32_t* q = out; for (int i = 0; i + 1 < n; ++i) p[i] = q[i];",
    "an early exit": "for (int i = 0; i < n; ++i) { if (a[i] == m - 1) break; out[i] = 1; }",
    "a generator's state": "uint32_t r = 1; for (int i = 0; i < n; ++i) { r = r * 1664525u + 7u; out[i] = (int32_t)(r >> 16); }",
    "a pointer that a continue does not move": "const int32_t* p = a; for (int i = 0; i < n / 4; ++i) { int left = 3; "
    "while (left-- > 0) { if (*p == 1) continue; out[i] += *p++; } }",
    "marks that others may have left": "std::vector<int32_t> seen(m, 3); for (int i = 0; i < n; ++i) "
    "{ out[i] = seen[a[i]] == i; seen[b[i] % m] = i; }",
    "marks of another turn": "std::vector<int32_t> seen(m, -1); for (int i = 0; i < n; ++i) "
    "{ out[i] = seen[a[i]] == i - 1; seen[a[i]] = i; }",
    "an append that looks at its counter": "int c = 0; for (int i = 0; i < n; ++i) if (c < 5) out[c++] = a[i];",
    "a hidden static counter": "for (int i = 0; i < n; ++i) out[i] = ticket();",
    "a scatter with collisions": "for (int i = 0; i < n; ++i) aux[a[i]] = i;",
    "a state machine": "bool on = false; for (int i = 0; i < n; ++i) { if (a[i] == 0) on = !on; out[i] = on; }",
    "a growing vector that is read": "std::vector<int32_t> v; for (int i = 0; i < n; ++i) { v.push_back(1); out[i] = (int)v.size(); }",
    "a running maximum": "int32_t best = 0; for (int i = 0; i < n; ++i) { best = std::max(best, a[i]); out[i] = best; }",
    "an update that is read": "for (int i = 0; i < n; ++i) { aux[0] += a[i]; out[i] = aux[0]; }",
    "an object that walks": "Walker w = {a}; for (int i = 0; i < n; ++i) out[i] = w.next();",
    "buffers that change places": "std::vector<int> x(n), y(n); for (int i = 0; i < n; ++i) { x[i] = y[0] + 1; std::swap(x, y); }",
    "a pointer that moves by data": "const int32_t* p = a; for (int i = 0; i < n; ++i) { out[i] = *p; p += *p & 1; }",
    "a value kept for the next turn": "int32_t last = 0; for (int i = 0; i < n; ++i) { out[i] = a[i] - last; last = a[i]; }",
    "a last value that is not always set": "int32_t last = 0; for (int i = 0; i < n; ++i) { if (a[i]) last = i; out[i] = last; }",
    "a search that stops early by its best": "int32_t best = 9; for (int i = 0; i < n; ++i) { if (best == 0) continue; "
    "if (a[i] < best) best = a[i]; }"
    " out[0] = best;",
    "a minimum that is read": "int32_t best = 9; for (int i = 0; i < n; ++i) { if (a[i] < best) best = a[i]; out[i] = best; }",
    "the two least": "int32_t p = 9, q = 9; for (int i = 0; i < n; ++i) { if (a[i] < p) { q = p; p = a[i]; "
    "} else if (a[i] < q) q = a[i]; }"
    " out[0] = p + q;",
    "a minimum of something else": "int32_t best = 9, at = 0; for (int i = 0; i < n; ++i) if (a[i] < best) { best = b[i]; "
    "at = i; } out[0] = at + best;",
    "a buffer used behind the loop": "std::vector<int> v(4); for (int i = 0; i < n; ++i) { v[0] = a[i]; out[i] = v[0]; } aux[0] = v[0];",
}
EXTREMES = {
    "a maximum": "int32_t m1 = -1; for (int i = 0; i < n; ++i) m1 = std::max(m1, a[i]); out[0] = m1;",
    "a minimum by a choice": "int32_t m1 = 99; for (int i = 0; i < n; ++i) m1 = m1 > b[i] + 1 ? b[i] + 1 : m1; out[1] = m1;",
    "the place of the first least": "int32_t low = 99, at = -1; for (int i = 0; i < n; ++i) if (a[i] < low) { low = a[i]; at = i; }"
    " out[2] = at; out[3] = low;",
    "the place of the last largest": "int32_t top = -1; int at = -1; for (int i = 0; i < n; ++i) { const int v = a[i] / 2; "
    "if (top <= v) { top = v; at = i; } }"
    " out[4] = at; out[5] = top;",
    "a least under a condition": "int32_t low = 99, at = -1; for (int i = 0; i < n; "
    "++i) { if (b[i] % 3 == 1 && a[i] < low && i != 7) { low = a[i]; at = b[i]; } }"
    " out[6] = at;",
    "ties by the larger place": "int32_t low = 99, at = -1; for (int i = 0; i < n; ++i)"
    " if (a[i] < low || (a[i] == low && b[i] > at)) { low = a[i]; at = b[i]; } out[7] = at;",
    "nothing ever better": "int32_t low = -5, at = 3; for (int i = 0; i < n; ++i) if (a[i] < low) { low = a[i]; at = i; "
    "} out[8] = at; out[9] = low;",
    "of a nest": "int32_t top = 0; int y = 0, x = 0; for (int i = 0; i < n / 8; ++i) for (int k = 0; k < 8; ++k)"
    " if (a[8 * i + k] * b[8 * i + k] > top) { top = a[8 * i + k] * b[8 * i + k]; y = i; x = k; } out[10] = top; out[11] = y; "
    "out[12] = x;",
    "within each turn": "int32_t top = -1; int at = 0; for (int i = 0; i < n / 8; ++i) { int64_t s = 0; for (int k = 0; k < 8; "
    "++k) { s += a[8 * i + k];"
    " if (top < b[8 * i + k]) { top = b[8 * i + k]; at = k; } } out[16 + i] = (int)s; } out[13] = at;",
    "a last value used behind the loop": "int32_t last = 0; for (int i = 0; i < n; ++i) last = a[i]; out[14] = last;",
    "a last value under a condition": "int32_t last = -1; for (int i = 0; i < n; ++i) if (a[i] > 1) last = i; out[15] = last;",
}
INDEPENDENT = EXTREMES | {
    "a map": "for (int i = 0; i < n; ++i) out[i] = twice(a[i]);",
    "a scatter to places of their own": "for (int i = 0; i < n; ++i) out[n - 1 - i] = a[i];",
    "a pointer that walks": "const int32_t* p = a; for (int i = 0; i < n; ++i) out[i] = *p++;",
    "a private vector": "std::vector<int32_t> v(4); for (int i = 0; i < n; ++i) { v[1] = a[i]; out[i] = v[1]; }",
    "a private vector that grows": "std::vector<int> w; for (int i = 0; i < n; ++i) "
    "{ w.clear(); for (int k = 0; k < a[i]; ++k) w.push_back(k); out[i] = (int)w.size(); }",
    "sums by data": "for (int i = 0; i < n; ++i) aux[a[i]] += i;",
    "a counter by data": "for (int i = 0; i < n; ++i) ++aux[a[i]];",
    "an append": "int c = 0; for (int i = 0; i < n; ++i) if (a[i] > 1) out[c++] = a[i];",
    "an append to a vector": "std::vector<int32_t> found; for (int i = 0; i < n; ++i) if (a[i] > 1) found.push_back(i);",
    "rows": "for (int i = 0; i < n / 8; ++i) for (int k = 1; k < 8; ++k) out[8 * i + k] += out[8 * i + k - 1];",
    "an object of each turn": "for (int i = 0; i < n; ++i) { Walker w = {a + i}; out[i] = w.next(); }",
    "a scalar that every turn sets": "int32_t s; for (int i = 0; i < n; ++i) { s = a[i]; out[i] = s; }",
    "a pointer that the head of an inner loop moves, beside a continue": "const int32_t* p = a; for (int i = 0; i < n / 4; ++i) "
    "for (int k = 0; k < 4; ++k, ++p) { if (*p == 1) continue; out[4 * i + k] += *p; }",
    "marks of a turn": "std::vector<int32_t> seen(m, -1); for (int i = 0; i < n / 8; ++i) { int found = 0; "
    "for (int k = 0; k < 8; ++k) { if (seen[a[8 * i + k]] == i) continue; seen[a[8 * i + k]] = i; ++found; } out[i] = found; }",
    "stencil in place, reading ahead": "for (int i = 0; i + 1 < n; ++i) out[i] = out[i + 1];",
    "a search in each turn": "for (int i = 0; i < n; ++i) { int k = 0; while (k < n && a[k] != a[i]) ++k; out[i] = k; }",
    "down": "for (int i = n - 1; i >= 0; --i) out[i] = a[i];",
}  # fmt: skip


@pytest.fixture(scope="module")
def dependent(observer):
    return verdicts(observer, BEFORE, DEPENDENT)


@pytest.fixture(scope="module")
def independent(observer):
    return verdicts(observer, BEFORE, INDEPENDENT)


@pytest.mark.parametrize("name", DEPENDENT)
def test_a_dependent_loop_is_refused_with_its_line(name, dependent):
    assert isinstance(dependent[name], str), dependent[name]
    assert re.match(r"line \d+: the loop's turns ", dependent[name]), dependent[name]


@pytest.mark.parametrize("name", INDEPENDENT)
def test_its_independent_twin_is_observed(name, independent):
    assert not isinstance(independent[name], str), independent[name]
    assert independent[name].label is Label.OBSERVED
    assert independent[name].seen.most_turns > 1


def test_without_an_observer_nothing_is_observed(function_task):
    task = function_task(f"{BEFORE}{SIGNATURE} {{ {INDEPENDENT['a map']} }}")
    scopes = Scopes(task.reference.source.text, "f")
    independence = Independence(scopes=scopes, task=task, marks=instrumented(scopes, task), observations=None)
    with pytest.raises(CannotTransform, match="nothing was observed"):
        independence.turns(next(n for n in scopes.source.walk() if n.type == "for_statement"))


def test_a_pragma_is_a_promise(function_task):
    body = "\n#pragma omp parallel for reduction(+ : total) private(s)\nfor (int i = 0; i < n; ++i) { s = a[i]; total += s; }"
    task = function_task(f"{BEFORE}{SIGNATURE} {{ int32_t total = 0; int32_t s; {body}\n out[0] = total; }}")
    scopes = Scopes(task.reference.source.text, "f")
    independence = Independence(scopes=scopes, task=task, marks=instrumented(scopes, task), observations=None)
    turns = independence.turns(next(n for n in scopes.source.walk() if n.type == "for_statement"))
    assert turns.label is Label.PROMISED and set(turns.sums) == {"total"} and set(turns.private) == {"s"}


def test_a_promise_that_a_run_contradicts_is_refused(function_task, observer):
    body = "\n#pragma omp parallel for\nfor (int i = 1; i < n; ++i) out[i] = out[i - 1] + a[i];"
    task = function_task(f"{BEFORE}{SIGNATURE} {{ {body} }}")
    scopes = Scopes(task.reference.source.text, "f")
    marks = instrumented(scopes, task)
    independence = Independence(scopes=scopes, task=task, marks=marks, observations=observer(task, marks.text))
    with pytest.raises(CannotTransform, match=r"had written in 'out\[1\]'"):
        independence.turns(next(n for n in scopes.source.walk() if n.type == "for_statement"))
