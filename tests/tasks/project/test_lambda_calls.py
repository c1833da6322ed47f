"""Functions of a project that take lambdas: what comes out of the flat function is what they do, and no pointer is used out of sight."""

import re
import subprocess
from pathlib import Path

import pytest

from regrapht.errors import TaskError
from regrapht.records.user_code import BuildFlags
from regrapht.tasks.function_text import project_function

pytest.importorskip("clang.cindex")

HEAD = """\
#include <functional>
#include <vector>
namespace g {
template <class F> void for_range(int from, int to, F&& f) { for (int i = from; i < to; ++i) f(i); }
template <class F> double summed(int n, F f) { double s = 0; for (int i = 0; i < n; ++i) s += f(i); return s; }
inline void each(int n, const std::function<void(int)>& f) { for (int i = 0; i < n; ++i) f(i); }
template <class T, class F> void scaled(T by, int n, F f) { by += 1; for (int i = 0; i < n; ++i) f(i, by); }
struct Grid {
    int nx, ny;
    std::vector<double> v;
    double& at(int i, int j) { return v[j * nx + i]; }
    double at(int i, int j) const { return v[j * nx + i]; }
    template <class F> void each_inside(F&& f) const {
        for (int j = 1; j < ny - 1; ++j)
            for (int i = 1; i < nx - 1; ++i) f(i, j);
    }
    template <typename Op> void apply(Op op) { for (auto& x : v) x = op(x); }
    template <class F> double total(F&& f) const { double s = 0; for (double x : v) s += f(x); return s; }
    template <class F> void first_of(F f) { for (auto& x : v) { if (x < 0) return; x = f(x); } }
    void smooth(const Grid& in) { each_inside([&](int i, int j) { at(i, j) += 0.25 * (in.at(i - 1, j) + in.at(i + 1, j)); }); }
};
"""
BODIES = {
    "member": "a.each_inside([&](int i, int j) { a.at(i, j) += 0.5 * b.at(i, j - 1); });",
    "by_value": "const double c = 0.75; a.apply([c](double x) { return x * c; });",
    "named": "auto op = [](double x) { return x * x - 1; }; a.apply(op);",
    "method_that_does": "a.smooth(b);",
    "free": "for_range(0, n, [&](int i) { out[i] += a.v[i]; });",
    "free_by_reference": "for_range(1, n, [&](int i) { out[i] = b.v[i - 1] - out[i]; });",
    "function_object": "each(n, [&](int i) { out[i] -= b.v[i]; });",
    "parameter_that_changes": "scaled(0.5, n, [&](int i, double by) { out[i] *= by; });",
    "twice": "a.apply([](double x) { return x + 1; }); a.apply([](double x) { return x / 2; });",
    "nested": "for_range(0, 2, [&](int k) { for_range(0, n, [&](int i) { out[i] += k * i; }); });",
    "in_a_branch": "if (n > 3) a.apply([](double x) { return 3 * x; });",
}
RETURNING = {
    "sum": "out[0] = summed(n, [&](int i) { return a.v[i] * out[i]; });",
    "sum_of_member": "out[1] = a.total([](double x) { return x * x; });",
    "left_early": "a.first_of([](double x) { return x + 1; });",
}
"""What stays a call."""
MAIN = """
int main() {
    g::Grid a{6, 5, {}}, b = a, c;
    for (int i = 0; i < 30; ++i) { a.v.push_back(i * 0.5 + 1); b.v.push_back(7 - i); }
    c = a;
    const int n = 20;
    std::vector<double> first(n, 2.0), all = first;
    g::everything(a, b, n, first.data());
    std::swap(a, c);
    double* out = all.data();
    flat::everything(GIVEN);
    for (int i = 0; i < n; ++i) if (first[i] != all[i]) std::printf("out %d ", i);
    if (a.v != c.v) std::printf("a");
}
"""


def flat(tmp_path: Path, body: str) -> "tuple[str, list[str]]":
    file = tmp_path / "grids.cpp"
    file.write_text(f"{HEAD}void everything(Grid& a, const Grid& b, int n, double* out) {{\n{body}\n}}\n}}\n")
    found = project_function(file, entry="everything", flags=BuildFlags(standard="c++17"))
    assert found.home is not None
    return found.text, [one.expression for one in found.home.places]


def test_the_flat_function_does_what_that_of_the_project_does(tmp_path: Path) -> None:
    text, places = flat(tmp_path, "\n".join(f"{{ {body} }}" for body in (BODIES | RETURNING).values()))
    text = re.sub(r"^#include.*$", "", text, flags=re.MULTILINE)
    head = '#include "grids.cpp"\n#include <cstdio>\n#include <cstddef>\n#include <utility>\n'
    main = MAIN.replace("GIVEN", ", ".join(places))
    (tmp_path / "main.cpp").write_text(f"{head}namespace flat {{\n{text}\n}}\n{main}")
    subprocess.run(["g++", "-std=c++17", "-o", tmp_path / "app", tmp_path / "main.cpp"], check=True)
    said = subprocess.run([tmp_path / "app"], capture_output=True, text=True, check=True).stdout
    assert said == "", said


@pytest.mark.parametrize("name", BODIES)
def test_every_loop_has_its_body_in_sight(tmp_path: Path, name: str) -> None:
    text, _ = flat(tmp_path, BODIES[name])
    assert not re.search(r"\([^;{]*\[&?\w*\]\s*\(", text), text


def test_a_block_before_an_else_is_refused_at_its_line(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"line \d+: calls 'apply' with a lambda before an 'else' \(write braces"):
        flat(tmp_path, "if (n > 3) a.apply([](double x) { return 3 * x; }); else out[0] = 1;")
