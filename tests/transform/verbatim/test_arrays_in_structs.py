"""Structs with arrays inside where the reader refuses them: turns that do not meet are launched as they are written, and right."""

import pytest

from regrapht.records.verdict import Level
from regrapht.transform.verbatim.program import verbatim
from regrapht.transform.verbatim.steps import Launches

HEAD = """#include <array>
#include <vector>
struct Vec { double x, y; };
struct Cell { double f[3]; Vec at[2]; short kind; float m[2][2]; };
struct P { std::array<double, 3> x, v; std::array<Vec, 2> at; int id; };
"""
BODIES = {
    "of_structs": "for (int k = 0; k < 2; ++k) cells[i].at[k].x += dt * cells[i].at[1 - k].y;",
    "whole": "Cell c = cells[i]; c.f[1] += dt; c.m[1][0] = c.m[0][1]; cells[i] = c;",
    "std_array_size": "P& p = ps[i]; for (std::size_t d = 0; d < p.x.size(); ++d) p.v[d] -= p.x[d] * dt;",
    "std_array_whole": "ps[i].x = ps[i].v;",
    "std_array_of_structs": "for (auto& at : ps[i].at) at.x += at.y * ps[i].x[0];",
    "structured": "auto& [x, v, at, id] = ps[i]; x[1] += v[2]; id += 1;",
}


def text_of(body: str) -> str:
    loop = f"for (int i = 0; i < n; ++i) {{ {body} cells[i].kind ^= 1; ps[i].id += 1; }}"
    return f"{HEAD}void work(int n, Cell* cells, P* ps, double dt) {{\n    {loop}\n}}\n"


def test_the_judge_passes_what_is_launched(judging, observer) -> None:
    task = judging.task(text_of(" ".join(f"{{ {body} }}" for body in BODIES.values())))
    source = verbatim(task, observer).text([], Launches())
    assert "<<<" in source and judging.faults(task, source, Level.SCREEN) == "", source


@pytest.mark.parametrize("kind", ["double", "real"])
def test_a_sum_of_floats_is_no_counter(judging, observer, kind) -> None:
    """`s` is what turns add up, not how far each has come; `k` is."""
    task = judging.task(
        f"""{HEAD}using real = double;
double work(int n, const Cell* cells, int* out) {{
    {kind} s = 0;
    for (int i = 0; i < n; ++i) for (const Vec& v : cells[i].at) s += v.x;
    return s;
}}
""".replace(", int* out", "")
    )
    source = verbatim(task, observer).text([], Launches())
    assert "between(vb_m_s" not in source and judging.faults(task, source, Level.SCREEN) == "", source
