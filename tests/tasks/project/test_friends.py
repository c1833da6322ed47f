# ruff: noqa: E501 -- one function a line
"""Operators that are friends, defined in their class: the flat function compiles, and agrees with the one that was written."""

import subprocess

import pytest

from regrapht.records.user_code import BuildFlags
from regrapht.tasks.project.standalone import stand_alone

pytest.importorskip("clang.cindex", reason="needs Clang's library: pip install libclang-ng")

VECTOR = """
namespace lat::math {
template <typename T, int N>
struct Vec {
    T c[N];
    friend constexpr Vec operator-(const Vec& a, const Vec& b) { Vec r{}; for (int i = 0; i < N; ++i) r.c[i] = a.c[i] - b.c[i]; return r; }
    friend constexpr Vec operator*(T s, const Vec& a) { Vec r{}; for (int i = 0; i < N; ++i) r.c[i] = s * a.c[i]; return r; }
};
struct Plain {
    double v;
    friend inline Plain operator+(const Plain& a, const Plain& b) { return {a.v + b.v}; }
};
using V3 = Vec<double, 3>;
}
"""
BODIES = {
    "friend": "void f(int n, const double* x, double* y) { for (int i = 0; i < n; ++i) { math::Plain a{x[i]}, b{2}; y[i] = (a + b).v; } }",
    "friends of a template": "void f(int n, const double* x, double* y) { for (int i = 0; i < n; ++i) { math::V3 a{{x[i], 1, 2}}; y[i] = (2.0 * (a - a)).c[1] + a.c[0]; } }",
}  # fmt: skip


@pytest.mark.parametrize("name", BODIES)
def test_the_flat_function_compiles_and_agrees(tmp_path, name):
    source = tmp_path / "a.cpp"
    source.write_text(f"{VECTOR}namespace lat {{\n{BODIES[name]}\n}}\n")
    flat = stand_alone(source, "lat::f", BuildFlags(standard="c++17"))
    assert "\nfriend " not in flat.text
    (tmp_path / "flat.cpp").write_text(flat.text)
    (tmp_path / "main.cpp").write_text(
        '#include <cstdio>\n#include "a.cpp"\nnamespace flat {\n#include "flat.cpp"\n}\n'
        "int main() { double x[3] = {1, 2.5, -4}, one[3], two[3]; lat::f(3, x, one); flat::f(3, x, two); "
        "for (int i = 0; i < 3; ++i) if (one[i] != two[i]) return 1; }\n"
    )
    subprocess.run(["g++", "-std=c++17", "-o", tmp_path / "both", tmp_path / "main.cpp"], check=True)
    subprocess.run([tmp_path / "both"], check=True)
