"""Vectors and arrays handed over as spans: what comes out of the flat function is what the function of the project does."""

import re
import subprocess
from pathlib import Path

import pytest

from regrapht.records.user_code import BuildFlags
from regrapht.tasks.function_text import project_function
from regrapht.tasks.infer import infer_function

pytest.importorskip("clang.cindex")

HEAD = """\
#include <algorithm>
#include <array>
#include <span>
#include <vector>
using View = std::span<const double>;
using Out = std::span<double>;
struct Spot { double a, b; };
static void axpy(Out y, View x, double k) { for (std::size_t i = 0; i < y.size(); ++i) y[i] += k * x[i]; }
static double most(std::span<const Spot> q) { double m = 0; for (const auto& s : q) m = std::max(m, s.a); return m; }
static void raw(Out y, double k) { double* p = y.data(); for (std::size_t i = 0; i < y.size(); ++i) p[i] *= k; }
static double read(View x) { const double* p = x.data(); double s = 0; for (std::size_t i = 0; i < x.size(); ++i) s += p[i]; return s; }
static void moved(std::span<Spot> q, double k) { for (auto& s : q) s.b += k * s.a; }
"""
# What is done with vectors v, w, an array u and structs q, and which of them are changed.
ROWS = {
    "as they are": ("axpy(v, w, 0.5);", "v"),
    "in a loop": ("for (int k = 0; k < 3; ++k) { axpy(v, w, 0.25); raw(w, 0.5); }", "v w"),
    "by a pointer": ("raw(v, 2);", "v"),
    "read by a pointer": ("v[0] = read(w);", "v"),
    "structs": ("v[1] += most(q);", "v"),
    "structs changed": ("moved(q, 0.5);", "q"),
    "an array": ("axpy(u, w, 0.5);", "u"),
    "written as one": ("axpy(std::span(v), std::span<const double>{w}, 0.5);", "v"),
    "one of one": ("const View x = w; axpy(v, x, 0.5);", "v"),
}


@pytest.mark.parametrize("row", ROWS)
def test_it_comes_to_the_same(tmp_path: Path, row: str) -> None:
    body, changed = ROWS[row]
    parameters = "std::vector<double>& v, std::vector<double>& w, std::array<double, 8>& u, std::vector<Spot>& q"
    file = tmp_path / "views.cpp"
    file.write_text(f"{HEAD}void work({parameters}) {{ for (int n = 0; n < 2; ++n) {{ {body} }} }}\n")
    found = project_function(file, entry="work", flags=BuildFlags(standard="c++20"))
    assert found.home is not None
    assert [arg.name for arg in infer_function(found).task.args if arg.is_output] == changed.split()
    flat = re.sub(r"^#include.*$", "", found.text, flags=re.MULTILINE)
    given = ", ".join(
        f"reinterpret_cast<flat::Spot*>({one.expression})" if one.name == "q" else one.expression
        for one in found.home.places
    )
    (tmp_path / "main.cpp").write_text(
        f'#include "views.cpp"\n#include <cstring>\nnamespace flat {{\n{flat}\n}}\nint main() {{\n'
        "std::vector<double> v(8, 1.5), w(8, 0.75); std::array<double, 8> u{}; std::vector<Spot> q(8, Spot{2, 3}); w[3] = 5;\n"
        "auto v1 = v, w1 = w; auto u1 = u; auto q1 = q; work(v1, w1, u1, q1);\n"
        f"flat::work({given});\n"
        "return !(v == v1 && w == w1 && u == u1 && std::memcmp(q.data(), q1.data(), 8 * sizeof(Spot)) == 0); }\n"
    )
    words = [
        "g++",
        "-std=c++20",
        "-w",
        "-ffp-contract=off",
        "-fno-strict-aliasing",
        "-o",
        tmp_path / "app",
        tmp_path / "main.cpp",
    ]
    subprocess.run(words, check=True)
    subprocess.run([tmp_path / "app"], check=True)
