"""Plain structs: arrays of them, locals, references and pointers to them; what is not plain is refused."""

import re
from dataclasses import replace

import pytest

from regrapht.errors import CannotTransform
from regrapht.records.element import SCALAR_TYPES, StructType
from regrapht.records.verdict import Level
from regrapht.transform.analyse import analyse
from regrapht.transform.engine import Engine
from regrapht.transform.reader.function_reader import read_function
from regrapht.transform.rules import RULES
from regrapht.transform.rules.application import choices

from ..judging import steps

CHECK = "// check: n=1; n=33; n=200\n"
BODIES = """// shape: bodies = n
// shape: out = n
struct Body { float x, y, mass; int group; };
struct Pull { float x, y; };
void pulls(int n, const Body* bodies, Pull* out) {
    for (int i = 0; i < n; i++) {
        const Body& own = bodies[i];
        Pull sum = {0.0f, 0.0f};
        for (int j = 0; j < n; j++) {
            const Body* other = &bodies[j];
            if (other->group == own.group) continue;
            const float dx = other->x - own.x, dy = (*other).y - own.y;
            const float weight = other->mass / (dx * dx + dy * dy + 0.5f);
            sum.x += weight * dx;
            sum.y += weight * dy;
        }
        out[i] = sum;
    }
}
"""
MOVED = """// shape: beads = n
typedef struct { double at; double speed; long long turns; } Bead;
void moved(int n, double step, Bead *beads) {
    for (int i = 0; i < n; i++) {
        Bead b = beads[i];
        b.at += step * b.speed;
        if (b.at > 1.0) { b = (Bead){b.at - 1.0, b.speed, b.turns + 1}; }
        beads[i] = b;
        beads[i].speed *= 0.5;
    }
}
"""
SWAPPED = """// shape: pairs = n
struct Pair { int low, high; };
void ordered(int n, struct Pair* pairs) {
    for (int i = 0; i < n; i++)
        if (pairs[i].low > pairs[i].high) pairs[i] = Pair{pairs[i].high, pairs[i].low};
}
"""


def task_of(text, make_task):
    return make_task(CHECK + text, re.search(r"void (\w+)\(", text)[1])


@pytest.mark.parametrize("text", [BODIES, pytest.param(MOVED, marks=pytest.mark.slow), SWAPPED])
def test_structs(text, make_task, judging):
    task = task_of(text, make_task)
    source = judging.source(task, [])
    assert "runs in one thread" not in source and "struct " in source
    assert judging.faults(task, source, Level.SCREEN) == ""


@pytest.mark.slow
@pytest.mark.parametrize("text", [BODIES, MOVED, SWAPPED])
def test_every_rule_on_structs(text, make_task, judging):
    engine, task = Engine(), task_of(text, make_task)
    start = steps(engine, task, [])
    for rule in RULES:
        for choice in choices(engine.program(task, start), rule)[:1]:
            source = engine.text(task, (*start, choice.decision))
            assert judging.faults(task, source, Level.SCREEN) == "", rule.slug


def test_fields_share_no_memory(make_task):
    body = "for (int i = 1; i < n; i++) p[i].x = p[i - 1].y + p[i].x;"
    task = task_of(f"// shape: p = n\nstruct P {{ float x, y; }};\nvoid f(int n, P* p) {{ {body} }}", make_task)
    (nest,) = analyse(task).nests
    assert nest.parallel == ["i"]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("struct N { N* next; int v; };\nvoid f(int n, N* a) { for (int i = 0; i < n; i++) a[i].v = 1; }", "'N'"),
        (
            "struct N { int* v; };\nvoid f(int n, N* a) { for (int i = 0; i < n; i++) a[i].v[0] = 1; }",
            "pointers inside",
        ),
        (
            "struct N { int v; };\nint g(N a, int b) { return a.v; }\nvoid f(int n, N* a) { a[0].v = g(a, 1); }",
            "'a' for 'a'",
        ),
        ("struct N { int v, w; };\nvoid f(int n, N* a) { N b = {1, 2}; a[a[0].v] = b; }", "its own fields"),
        ("struct N { int v; };\nvoid f(int n, N* a) { if (a[0] == a[1]) a[0].v = 1; }", "used as a value"),
    ],
)
def test_what_is_no_plain_struct_is_refused(text, word):
    with pytest.raises(CannotTransform) as refused:
        read_function(text, "f")
    assert word in str(refused.value)


def test_a_class_with_a_constructor_beside_the_function_is_left_alone():
    text = (
        "struct Scale { float by; Scale() : by(3.0f) {} };\n"
        "static float scaled(float x, float by) { return x * by; }\n"
        "void f(int n, const float* x, float* y) { for (int i = 0; i < n; i++) y[i] = scaled(x[i], 3.0f); }\n"
    )
    assert read_function(text, "f").name == "f"


def test_a_struct_that_is_another_in_the_task(make_task):
    task = task_of(SWAPPED, make_task)
    other = StructType(c_name="Pair", fields=(("high", SCALAR_TYPES["int32"]), ("low", SCALAR_TYPES["int32"])))
    args = tuple(replace(arg, dtype=other) if arg.name == "pairs" else arg for arg in task.args)
    with pytest.raises(CannotTransform, match="in the task"):
        analyse(replace(task, args=args))
