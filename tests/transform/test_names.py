"""Loops whose names contain each other: a dependence on `ii` is none on `i`."""

import pytest

from regrapht.transform.codegen.stepped import accumulated
from regrapht.transform.engine import Engine
from regrapht.transform.plan.nest import Kind
from regrapht.transform.rules.reach import stride_score, strides, uses

from .judging import steps

HEAD = "// shape: a = n * n\n// shape: b = n * n\n// check: n=4,m=3; n=40,m=5\n"


def task_of_body(make_task, body: str):
    return make_task(f"{HEAD}void f(int n, int m, const float* a, float* b) {{\n{body}\n}}", "f")


def only_nest(make_task, body: str):
    (nest,) = Engine().analysis(task_of_body(make_task, body)).nests
    return nest


def test_uses_of_a_loop_whose_name_is_part_of_anothers(make_task):
    body = "for (int ii = 0; ii < n; ii++) for (int i = 0; i < n; i++) b[ii * n + i] = a[ii * n];"
    nest = only_nest(make_task, body)
    write, read = (next(a for a in nest.accesses if a.array == name) for name in "ba")
    assert (uses(write, "i"), uses(write, "ii"), uses(read, "i"), uses(read, "ii")) == ([1], [0], [], [0])
    assert strides(nest, "i") == (2, 0) and stride_score(nest, "ii") == -3


def test_an_element_that_a_loop_of_a_longer_name_chooses_is_kept_in_a_register(make_task):
    body = "for (int pp = 0; pp < n; pp++) for (int p = 0; p < n; p++) b[pp] += a[pp * n + p];"
    nest = only_nest(make_task, body)
    kept = {loop: set(accumulated(nest.group, loop, lambda name: False)) for loop in ("p", "pp")}
    assert kept == {"p": {"b"}, "pp": set()}


def test_a_sum_inside_a_launcher_loop_of_a_longer_name_is_a_reduction(make_task):
    body = "for (int ii = 1; ii < m; ii++) for (int i = 0; i < n; i++) b[ii] += a[i] * b[ii - 1];"
    nest = only_nest(make_task, body)
    assert (nest.host_loops, nest.kind) == (("ii",), Kind.REDUCE)


def test_a_bound_with_a_size_of_a_longer_name_is_affine(make_task):
    head = "// shape: a = n\n// shape: b = n\n// check: n=4,im=3\n"
    text = "void f(int n, int im, const float* a, float* b) { for (int i = 0; i + im < n; i++) b[i] = a[i]; }"
    (nest,) = Engine().analysis(make_task(head + text, "f")).nests
    assert nest.parallel == ["i"]


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < n; i++) for (int j = 2 * i; j < n; j += 3) b[i * n + j] = a[j];",
        "for (int i = 0; i < n; i++) for (int j = n - 1 - i; j < n; j += 2) b[i * n + j] = a[j];",
    ],
)
def test_a_stride_from_a_start_that_moves(body, make_task, bench):
    engine, task = Engine(), task_of_body(make_task, body)
    for slugs in ([], ["map_2d"]):
        source = engine.text(task, steps(engine, task, slugs))
        assert bench.differences(task, source) == [], source
