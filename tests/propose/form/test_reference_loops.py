"""Which loops of a reference a kernel's threads stand for, and what its indices are called."""

import dataclasses

import pytest

from regrapht.propose.form.reference_loops import names_of_indices, nests_of, same_extent, turns_of_threads
from regrapht.propose.form.skeleton import HOLE, skeleton
from regrapht.records.task import Task
from regrapht.records.verdict import Status

HEAD = "#include <algorithm>\nvoid brighten(int rows, int cols, float gain, const float* image, float* out) {\n"
BODY = "out[r * cols + c] = std::min(gain * image[r * cols + c], 255.0f);"


def with_body(task: Task, body: str) -> Task:
    source = dataclasses.replace(task.reference.source, text=f"{HEAD}{body}\n}}\n")
    return dataclasses.replace(task, reference=dataclasses.replace(task.reference, source=source))


NESTS = {
    "two loops": (f"for (int r = 0; r < rows; ++r) for (int c = 0; c < cols; ++c) {BODY}", ["r", "c"]),
    "braces and comments": (
        f"for (int r = 0; r < rows; r++) {{\n  // each\n  for (size_t c = 0; c < cols; c += 1) {{ {BODY} }}\n}}",
        ["r", "c"],
    ),
    "a row a turn": (
        f"for (int r = 0; r < rows; ++r) {{ float s = 0; for (int c = 0; c < cols; ++c) {{ {BODY} s += 1; }} }}",
        ["r"],
    ),
    "a name for a size": (
        f"const int all = rows; if (all == 0) return; for (int r = 0; r < all; ++r) for (int c = 0; c < cols; ++c) {BODY}",
        ["r", "c"],
    ),
    "columns outside": (f"for (int c = 0; c < cols; ++c) for (int r = 0; r < rows; ++r) {BODY}", ["c", "r"]),
    "two nests": (
        f"for (int r = 0; r < rows; ++r) for (int c = 0; c < cols; ++c) {BODY} for (int c = 0; c < cols; ++c) {{}}",
        [],
    ),
    "a local kept from turn to turn": (
        f"int used = 0; for (int r = 0; r < rows; ++r) for (int c = 0; c < cols; ++c) {{ {BODY} ++used; }}",
        [],
    ),
    "not every turn": (f"for (int r = 1; r < rows; ++r) for (int c = 0; c < cols; ++c) {BODY}", []),
    "steps": (f"for (int t = 0; t < 3; ++t) for (int r = 0; r < rows; ++r) for (int c = 0; c < cols; ++c) {BODY}", []),
}


@pytest.mark.parametrize("kind", NESTS)
def test_turns_of_the_outer_loops_are_threads_where_that_is_all(kind, brighten):
    body, names = NESTS[kind]
    assert [loop.name for loop in turns_of_threads(with_body(brighten, body))] == names


@pytest.mark.parametrize("kind", NESTS)
def test_indices_have_the_names_of_the_loops_that_count_them(kind, brighten):
    task = with_body(brighten, NESTS[kind][0])
    expected = {"columns outside": [None, "r"], "not every turn": ["c", None]}.get(kind, ["c", "r"])
    assert names_of_indices(task, task.outputs[0], ["cols", "rows"]) == expected


def test_a_loop_of_another_kind_has_no_name_in_a_nest(brighten):
    task = with_body(brighten, f"for (int r = 0; r < rows; ++r) for (int c = cols; c-- > 0;) {BODY}")
    assert [[loop.name for loop in nest] for nest in nests_of(task)] == [["r"]]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("rows * cols", "cols*rows", True),
        ("pixels", "(rows * cols)", True),
        ("(int64_t)rows", "rows", True),
        ("rows + 1", "1 + rows", False),
        ("rows", "cols", False),
        ("(rows + 1) / 2", "(rows + 1)/2", True),
    ],
)
def test_extents_are_compared_as_numbers(one, other, same, brighten):
    assert same_extent(one, other, brighten) is same


@pytest.mark.parametrize("kind", ["two loops", "columns outside", "a name for a size"])
def test_the_references_own_statement_in_the_hole_is_right(kind, brighten, judged):
    task = with_body(brighten, NESTS[kind][0])
    verdict = judged(task, (skeleton(task) or "").replace(HOLE, BODY))
    assert verdict.status is Status.PASSED, verdict.reason


def test_a_loop_that_one_output_has_no_dimension_for_is_no_threads(brighten):
    """Steps of time, of which one output keeps a sum each."""
    sums = dataclasses.replace(brighten.outputs[0], name="sums", shape=(brighten.outputs[0].shape[0],))
    both = dataclasses.replace(brighten, args=(*brighten.args, sums))
    task = with_body(both, NESTS["columns outside"][0])
    assert turns_of_threads(task) == ()
    assert [loop.name for loop in turns_of_threads(with_body(both, NESTS["two loops"][0]))] == ["r"]
