"""Structs inside structs: arrays of them, their members as values, their methods and operators."""

import pytest

from regrapht.errors import CannotTransform
from regrapht.records.verdict import Level
from regrapht.transform.analyse import analyse

HEAD = """// shape: ps = n
// shape: ms = n
// shape: out = n
// check: n=1; n=33; n=130
#include <cmath>
struct Vec3 {
    double x, y, z;
    double norm() const { return std::sqrt(x * x + y * y + z * z); }
    void turn() { double t = x; x = y; y = -t; }
};
struct Box { Vec3 low, high; float margin; };
struct Particle { signed char kind; Vec3 position; Vec3 velocity; double mass; Box box; int id;
    double energy() const { return 0.5 * mass * velocity.norm(); }
    void drift(double dt) { position.x += dt * velocity.x; position.z += dt * velocity.z; }
};
struct Mark { struct Spot { int i; signed char c; }; Spot at; signed char last;
    static constexpr double half = 0.5;
    struct Water { double vapour, liquid; } water;
    struct { float a; struct { int b; } in; } box;
};
inline Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3 operator*(double s, const Vec3& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Vec3& operator+=(Vec3& a, const Vec3& b) { a.x += b.x; a.y += b.y; a.z += b.z; return a; }
inline double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
"""
BODIES = {
    "numbers": "ps[i].position.x += dt * ps[i].velocity.x; ps[i].id += 1;",
    "whole_member": "ps[i].position = ps[i].velocity;",
    "operators": "ps[i].position = ps[i].position + dt * ps[i].velocity;",
    "compound": "ps[i].position += dt * ps[i].velocity;",
    "helper": "out[i] = dot(ps[i].position, ps[i].velocity);",
    "method": "out[i] = ps[i].position.norm();",
    "method_of_whole": "out[i] = ps[i].energy();",
    "changing_method": "ps[i].position.turn();",
    "changing_method_of_whole": "ps[i].drift(dt);",
    "reference": "Particle& p = ps[i]; p.position.x += dt * p.velocity.x; p.velocity.y *= 2;",
    "reference_to_member": "Vec3& v = ps[i].velocity; v.x *= dt; v.z = v.y;",
    "copy": "Particle p = ps[i]; p.position.x += 1; ps[i] = p; out[i] = p.box.high.y;",
    "copy_of_member": "Vec3 v = ps[i].velocity; v.x += 1; out[i] = v.x + v.z;",
    "deep": "ps[i].box.low.x = ps[i].box.high.z + ps[i].box.margin;",
    "listed": "ps[i].box = Box{{1, dt, 3}, ps[i].position, 2.0f};",
    "listed_in_part": "Box b = {{dt, 2}}; out[i] = b.low.x + b.low.z + b.high.y + b.margin;",
    "member_listed": "ps[i].velocity = {dt, 1, ps[i].mass};",
    "declared": "Box b; b.low = ps[i].position; b.margin = 2; out[i] = b.low.y * b.margin;",
    "defined_in_its_place": "ms[i].water.liquid += ms[i].water.vapour;",
    "reference_to_one": "Mark::Water& w = ms[i].water; w.liquid += w.vapour;",
    "without_a_name": "ms[i].box.a += 1; out[i] = ms[i].box.in.b;",
    "reference_without_a_name": "auto& b = ms[i].box; b.a *= 2; b.in.b += 1;",
    "type_inside": "ms[i].at.i += 2; ms[i].last = ms[i].at.c;",
}


def function(body: str) -> str:
    return f"""{HEAD}
void work(int n, Particle* ps, Mark* ms, double* out, double dt) {{
    for (int i = 0; i < n; ++i) {{
        {body}
        out[i] = out[i] + 1; ms[i].last += 1; ps[i].id ^= 1;
    }}
}}
"""


@pytest.mark.parametrize("name", BODIES)
def test_the_engine_reads_them(make_task, name) -> None:
    analyse(make_task(function(BODIES[name]), "work"))


def test_the_judge_passes_what_is_made_of_them(make_task, judging) -> None:
    task = make_task(function(" ".join(f"{{ {body} }}" for body in BODIES.values())), "work")
    source = judging.source(task, [])
    assert judging.faults(task, source, Level.SCREEN) == "", source


@pytest.mark.parametrize(
    "body",
    [
        "Grown g; out[i] = g.at.x;",
        "Built b = {ps[i].position}; out[i] = b.at.x;",
    ],
)
def test_what_is_not_taken_is_named(make_task, body) -> None:
    more = "struct Grown { Vec3 at{1, 2, 3}; };\nstruct Built { Vec3 at; Built(Vec3 a) : at(a) {} };\n"
    with pytest.raises(CannotTransform, match="set its fields"):
        analyse(make_task(function(body).replace("void work", more + "void work"), "work"))
