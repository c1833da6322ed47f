"""Scalars whose value before a loop matters: programs that the engine once got wrong."""

from regrapht.propose.transform_engine import TransformProposer

HEAD = "// shape: a = 8*n + 8\n// shape: b = 8*n + 8\n// check: n=1; n=5; n=300\n"


def plain_and_right(make_task, bench, body: str) -> str:
    """The plain program, which leaves what the source does."""
    task = make_task(f"{HEAD}void f(int n, const float* a, float* b) {{\n{body}\n}}", "f")
    source = TransformProposer().plain(task).source
    assert source is not None and bench.differences(task, source) == [], source
    return source


def test_empty_braces_are_zero(make_task, bench):
    """Said in the program, for memory that nobody set is often zero by chance."""
    body = "for (int i = 0; i < n; i++) { float s{}; for (int k = 0; k < 8; k++) s += a[8 * i + k]; b[i] = s; }"
    assert "s = 0;" in plain_and_right(make_task, bench, body)


def test_a_counter_read_in_an_outer_loop_before_the_loop_that_sets_it(make_task, bench):
    first = "int k = 3; for (int i = 0; i < n; i++) { b[i] = k;"
    plain_and_right(make_task, bench, f"{first} for (k = 0; k < 8; k++) b[n + 7 * i % 7 + k] = a[k]; }}")
