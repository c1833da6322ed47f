"""Programs that keep their bodies are built: objects that the launcher holds, what kernels change of its locals, values behind pointers."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from regrapht.bench.suite import open_suite
from regrapht.errors import CannotTransform
from regrapht.propose.transform_engine import TransformProposer
from regrapht.records.expression import Expression
from regrapht.transform.engine import Engine
from regrapht.transform.verbatim.program import verbatim
from regrapht.transform.verbatim.steps import Launches

from .conftest import SIGNATURE, require_built_by_nvcc

RESULTS = Path(__file__).resolve().parents[3] / "benchmarks" / "results"

HEAD = """
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>
struct Point {
    int x, y;
    Point operator+(const Point& o) const { return {x + o.x, y + o.y}; }
};
class Field {
public:
    Field(int n, const std::vector<Point>& at) : n_(n), at_(at) {}
    Point left(int i) const { return i > 0 ? at_[i - 1] : Point{0, 0}; }

private:
    int n_;
    const std::vector<Point>& at_;
};
class Numbers {
public:
    Numbers(int n, const std::vector<int>& at) : n_(n), at_(at) {}
    int of(int i) const { return at_[i]; }

private:
    int n_;
    const std::vector<int>& at_;
};
class Wheel {
public:
    void turn(int by)
    {
        for (int r = 0; r < 3; ++r) spoke_[r][1] += spoke_[r][0] * by;
    }
    int seen() const { return spoke_[0][1] + spoke_[2][1]; }

private:
    std::array<std::array<int, 2>, 3> spoke_{{{1, 2}, {3, 4}, {5, 6}}};
};
"""
KINDS = {
    "a held object that refers to a vector": "for (int s = 0; s < 2; ++s) { std::vector<Point> before(n, Point{s, 1}); "
    "for (int i = 0; i < n; ++i) before[i].x = a[i]; const Field f(n, before); "
    "for (int i = 0; i < n; ++i) out[i] += f.left(i).x; }",
    "one that refers to a vector that changes": "std::vector<int> v(n); Numbers held(n, v); "
    "for (int i = 0; i < n; ++i) v[i] = a[i]; for (int i = 0; i < n; ++i) out[i] = held.of(i);",
    "an object that a turn makes and changes": "for (int i = 0; i < n; ++i) { Wheel w; w.turn(a[i]); out[i] = w.seen(); }",
    "an object that the launcher changes": "Wheel w; for (int k = 0; k < 3; ++k) w.turn(k); const int by = w.seen(); "
    "for (int i = 0; i < n; ++i) { int x[2] = {a[i], by}; std::sort(x, x + 2); out[i] = x[0]; }",
    "an object that one thread changes by what lies in an array": "Wheel w; w.turn(a[0]); w.turn(a[1]); w.turn(3); "
    "for (int i = 0; i < n; ++i) { int x[2] = {a[i], w.seen()}; std::sort(x, x + 2); out[i] = x[0]; } aux[1] = w.seen();",
    "a local that a kernel sets beside a sorted array": "int kept = 0; for (int s = 0; s < 3; ++s) { int x[3] = {a[s], a[s + 1], s}; "
    "std::sort(x, x + 3); kept = x[1]; aux[s] = kept; for (int i = 0; i < n; ++i) out[i] += kept + x[0]; }",
    "an extreme behind a pointer, which an object stands in front of": "*low = 99; for (int i = 0; i < n; ++i) "
    "{ Wheel w; w.turn(a[i]); out[i] = w.seen(); *low = std::min(*low, out[i] - 7); }",
    "a place and its value behind pointers": "int most = -1; *low = 0; for (int i = 0; i < n; ++i) "
    "{ int v = a[i] + 3, s = 0; while (v != 1) { v = v & 1 ? 3 * v + 1 : v / 2; ++s; } out[i] = s; if (s > most) { most = s; *low = i; } }",
    "an inner loop without braces that ends early": "const int word[3] = {1, 2, 0}; for (int i = 0; i < n; ++i) "
    "for (int k = 0; k < 3; ++k) if (a[i] == word[k]) { aux[k]++; break; }",
}
"""Name -> body."""


@pytest.fixture(scope="module")
def every_kind(function_task):
    """One function with all of them, and with `low` for a single value."""
    signature = SIGNATURE.replace("int32_t* aux)", "int32_t* aux, int32_t* low)")
    text = "\n".join(f"{{ // {name}\n{body}\n}}" for name, body in KINDS.items())
    task = function_task(f"{HEAD}{signature} {{\n{text}\n}}\n")
    low = replace(task.args[-1], name="low", shape=(Expression("1"),))
    return replace(task, args=(*task.args, low))


def test_each_kind_is_built_and_right(every_kind, observer, bench):
    found = verbatim(every_kind, observer)
    assert not [(one.line, one.reason) for one in found.serial if one.is_long]
    assert bench.differences(every_kind, found.text([found.independence], Launches())) == []


def test_nvcc_takes_each_kind(every_kind, observer):
    require_built_by_nvcc(verbatim(every_kind, observer).text([], Launches()))


REFUSED = {
    "an object that changes a vector by a reference": (
        "struct Raiser { std::vector<int>& at; int raise(int n) { for (int i = 0; i < n; ++i) at[i] += 3; return n; } };",
        "std::vector<int> v(n, 1); Raiser held{v}; int sum = 0; for (int k = 0; k < 2; ++k) sum += held.raise(n); "
        "for (int i = 0; i < n; ++i) out[i] = v[i] + sum;",
        "'Raiser' may change a vector by the reference",
    ),
    "a function of an object that the launcher and a kernel call": (
        "",
        "std::vector<int> v(n); Numbers held(n, v); for (int i = 0; i < n; ++i) v[i] = a[i]; const int first = held.of(0); "
        "for (int i = 0; i < n; ++i) out[i] = held.of(i) + first;",
        "'of' is needed by the launcher, with launches, and in a kernel",
    ),
    "a type that a class has for itself": (
        "class Grid { public: Grid(int n, int* at) : n_(n), at_(at) {} int step(int by) { for (int i = 0; i < n_; ++i) { Way w{by, 1}; "
        "at_[i] = at_[i] * 3 % 7 + w.dr + w.dc; } return n_; } private: struct Way { int dr, dc; }; int n_; int* at_; };",
        "Grid g(n, out); int all = 0; for (int k = 0; k < 3; ++k) all += g.step(k); aux[0] = all;",
        "depend on each other: turn 1 read",  # of the loop around: the one inside has no kernel that could name `Way`
    ),
    "a reference to what lies on the host": (
        "struct Held { const int& by; };",
        "int by = m; by += 1; Held h{by}; for (int i = 0; i < n; ++i) { int x[2] = {a[i], h.by}; std::sort(x, x + 2); out[i] = x[0]; }",
        "'Held' refers to what lies on the host",
    ),
    "a vector that grows under a reference": (
        "",
        "std::vector<int> v(n); Numbers held(n, v); v.push_back(1); for (int i = 0; i < n; ++i) v[i] = a[i]; "
        "for (int i = 0; i < n; ++i) out[i] = held.of(i);",
        "'Numbers' refers to the vector 'v', whose elements move",
    ),
    "a few turns inside of a loop in order": (
        "",
        "int held = 0; for (int t = 0; t < n; ++t) { int x[3] = {a[t], held, 2}; std::sort(x, x + 3); held = x[1]; "
        "for (int s = 0; s < 3; ++s) aux[s] += x[s]; }",
        "depend on each other",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_no_kernel_reaches_is_refused(function_task, observer, name):
    head, body, why = REFUSED[name]
    task = function_task(f"{HEAD}{head}\n{SIGNATURE} {{\n{body}\n}}\n")
    with pytest.raises(CannotTransform, match=why):
        verbatim(task, observer)


def observed_tasks() -> list[str]:
    """The tasks of CUDAEval whose programs rest on observation, as the newest committed list says."""
    lists = sorted(RESULTS.glob("cudaeval_engine_*.json"))
    return [row["id"] for row in json.loads(lists[-1].read_text()) if row["reached"] == "observed"]


@pytest.mark.slow
@pytest.mark.parametrize("name", observed_tasks())
def test_observed_programs_of_a_suite_are_built(observer, bench, name):
    task = next(one.task for one in open_suite("cudaeval").tasks if one.task.id == name)
    engine = Engine(observer)
    source = TransformProposer(observer=observer).rebuild(task, engine.with_threads(task, engine.plain(task))).source
    bench.emulator.build(source or "", task, checked=True)


def test_functions_of_c_that_no_device_has_are_the_headers(function_task, observer):
    head = """#include <cctype>
#include <cstring>
struct Signs { int isspace(int x) const { return x % 3 == 0; } };
static bool before(const int32_t* p, int i, int j) { return memcmp(p + i, p + j, 4) < 0 || (isdigit(p[i] + 47) && Signs{}.isspace(p[j])); }
"""
    body = "for (int i = 0; i < n; ++i) out[i] = before(a, i, b[i]) + toupper(a[i] + 60);"
    text = verbatim(function_task(f"{HEAD}{head}\n{SIGNATURE} {{\n{body}\n}}\n"), observer).text([], Launches())
    for name in ("memcmp", "isdigit", "toupper"):
        assert f"verbatim::{name}(" in text
    assert "verbatim::isspace(" not in text
    require_built_by_nvcc(text)


@pytest.mark.parametrize(
    "nest", ["for (int k = aux[j]; k < aux[j + 1]; ++k)", "for (int k = aux[j + 1]; k >= aux[j]; k--)"]
)
def test_a_count_that_lies_on_the_device_is_loaded(function_task, observer, bench, nest):
    body = (
        "for (int j = 0; j < m; ++j) aux[j] = 4 * j; "
        f"for (int j = 0; j + 1 < m; ++j) {{ int most = out[j]; {nest} most = std::max(most, out[(k + j) % n]); "
        "out[j + 1] = most + a[j]; }"
    )
    task = function_task(f"{HEAD}{SIGNATURE} {{\n{body}\n}}\n")
    found = verbatim(task, observer)
    text = found.text([found.independence], Launches())
    assert "verbatim::between(verbatim::load(&(aux[j])), verbatim::load(&(aux[j + 1])))" in text
    assert bench.differences(task, text) == []


def test_what_is_left_behind_a_loop_is_loaded(function_task, observer, bench):
    body = (
        "for (int j = 0; j < m; ++j) aux[j] = 4 * j; int left = 0; "
        "for (int j = 0; j + 1 < m; ++j) { int k = aux[j], most = out[j]; "
        "for (; k < aux[j + 1]; ++k) most = std::max(most, out[(k + j) % n]); left += k; out[j + 1] = most + left; }"
    )
    task = function_task(f"{HEAD}{SIGNATURE} {{\n{body}\n}}\n")
    found = verbatim(task, observer)
    text = found.text([found.independence], Launches())
    launcher = text[text.index('extern "C"') :]
    assert "verbatim::load(&(aux[j + 1]))" in launcher
    assert "aux[j + 1]" not in launcher.replace("verbatim::load(&(aux[j + 1]))", "")
    assert bench.differences(task, text) == []
