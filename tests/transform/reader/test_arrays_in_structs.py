"""Arrays inside the structs of arrays: the engine reads them, or their loops are launched as they are written; the judge passes both."""

import pytest

from regrapht.records.verdict import Level
from regrapht.transform.rules import RULES

HEAD = """// shape: cells = n
// shape: ps = n
// shape: out = n
// check: n=1; n=33; n=130
#include <array>
#include <cmath>
struct Cell { double f[5]; int flags; float m[2][3]; };
struct P { std::array<double, 3> x, v; double mass; };
static const double w[5] = {0.5, 0.125, 0.125, 0.125, 0.125};
inline double total(const double* f) { double s = 0; for (int k = 0; k < 5; ++k) s += f[k]; return s; }
inline void scale(double* f, double s) { for (int k = 0; k < 5; ++k) f[k] *= s; }
inline double dot(const std::array<double, 3>& a, const std::array<double, 3>& b) {
    double s = 0; for (int k = 0; k < 3; ++k) s += a[k] * b[k]; return s;
}
"""
BODIES = {
    "elements": "for (int k = 0; k < 5; ++k) cells[i].f[k] += w[k] * dt;",
    "a_sum_first": "double r = 0; for (int k = 0; k < 5; ++k) r += cells[i].f[k]; for (int k = 0; k < 5; ++k) cells[i].f[k] -= r * w[k];",
    "reference": "Cell& c = cells[i]; for (int k = 0; k < 5; ++k) c.f[k] *= dt; out[i] = c.f[0] - c.f[4];",
    "plane": "for (int j = 0; j < 2; ++j) for (int k = 0; k < 3; ++k) cells[i].m[j][k] += j - k;",
    "pointer": "double* f = cells[i].f; f[2] += 1; out[i] = f[1];",
    "constant_pointer": "const double* f = cells[i].f; out[i] = f[1] + f[3];",
    "helper": "out[i] = total(cells[i].f);",
    "helper_that_writes": "scale(cells[i].f, dt);",
    "range": "double s = 0; for (double f : cells[i].f) s += f; out[i] = s;",
    "range_that_writes": "for (double& f : cells[i].f) f += dt;",
    "whole": "Cell c = cells[i]; c.f[1] += 1; cells[i] = c;",
    "std_array": "for (int d = 0; d < 3; ++d) ps[i].x[d] += dt * ps[i].v[d];",
    "std_array_size": "P& p = ps[i]; for (std::size_t d = 0; d < p.x.size(); ++d) p.v[d] -= p.x[d] * p.mass;",
    "std_array_helper": "out[i] = dot(ps[i].x, ps[i].v);",
    "std_array_whole": "ps[i].x = ps[i].v;",
    "chosen_by_data": "cells[i].f[(cells[i].flags % 5 + 5) % 5] = dt;",
}


NOT_READ = ("whole", "std_array_size", "std_array_whole")
"""What the engine leaves: their loops are launched with their bodies as they are written."""


def function(body: str) -> str:
    return f"""{HEAD}
void work(int n, Cell* cells, P* ps, double* out, double dt) {{
    for (int i = 0; i < n; ++i) {{
        {body}
        out[i] = out[i] + 1; ps[i].mass += 1; cells[i].flags ^= 1;
    }}
}}
"""


@pytest.mark.parametrize("name", [name for name in BODIES if name not in NOT_READ])
def test_the_engine_reads_them(make_task, judging, name) -> None:
    source = judging.source(make_task(function(BODIES[name]), "work"), [])
    assert "<<<" in source and "<<<1, 1>>>" not in source, source


def test_the_judge_passes_what_the_engine_makes_of_them(make_task, judging) -> None:
    task = make_task(
        function(" ".join(f"{{ {body} }}" for name, body in BODIES.items() if name not in NOT_READ)), "work"
    )
    source = judging.source(task, [])
    assert judging.faults(task, source, Level.SCREEN) == "", source


STENCIL = """// shape: from = n * n
// shape: to = n * n
// check: n=3; n=17; n=33
struct Cell { float f[3]; int flag; };
void work(int n, const Cell* from, Cell* to) {
    for (int y = 1; y < n - 1; ++y)
        for (int x = 1; x < n - 1; ++x)
            for (int k = 0; k < 3; ++k)
                to[y * n + x].f[k] = from[y * n + x - 1].f[k] + from[y * n + x + 1].f[k] - from[(y - 1) * n + x].f[2 - k];
}
"""


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.slug != "map_to_threads"], ids=lambda rule: rule.slug)
def test_rules_keep_the_places_of_elements(make_task, judging, rule) -> None:
    task = make_task(STENCIL, "work")
    if judging.refusal(task, [], rule.slug) is None:
        source = judging.source(task, [rule.slug])
        assert judging.faults(task, source, Level.SCREEN) == "", source
