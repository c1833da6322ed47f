"""Which loops of a reference a kernel's threads stand for, and what its indices are called."""

import dataclasses

import pytest

from regrapht.propose.form.reference_loops import counting, names_of_indices, nests_of, same_extent, turns_of_threads
from regrapht.propose.form.skeleton import HOLE, skeleton
from regrapht.records.task import Init, Role, Task
from regrapht.records.verdict import Status
from regrapht.source.functions import read_unit
from regrapht.source.syntax import walk

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
    "not every turn": (f"for (int r = 1; r < rows; ++r) for (int c = 0; c < cols; ++c) {BODY}", ["r", "c"]),
    "backwards": (f"for (int r = rows - 1; r >= 0; --r) for (int c = cols; c-- > 0;) {BODY}", ["r", "c"]),
    "goes on from the element before": (
        "for (int r = 0; r < rows; ++r) for (int c = 1; c < cols; ++c) out[r * cols + c] = 0.5f * out[r * cols + c - 1];",
        ["r"],
    ),
    "steps": (f"for (int t = 0; t < 3; ++t) for (int r = 0; r < rows; ++r) for (int c = 0; c < cols; ++c) {BODY}", []),
}


@pytest.mark.parametrize("kind", NESTS)
def test_turns_of_the_outer_loops_are_threads_where_that_is_all(kind, brighten):
    body, names = NESTS[kind]
    assert [loop.name for loop in turns_of_threads(with_body(brighten, body))] == names


@pytest.mark.parametrize("kind", NESTS)
def test_indices_have_the_names_of_the_loops_that_count_them(kind, brighten):
    task = with_body(brighten, NESTS[kind][0])
    others = {
        "columns outside": [None, "r"],
        "not every turn": ["c", None],
        "goes on from the element before": [None, "r"],
    }
    expected = others.get(kind, ["c", "r"])
    assert names_of_indices(task, task.outputs[0], ["cols", "rows"]) == expected


def test_a_loop_of_another_kind_has_no_name_in_a_nest(brighten):
    task = with_body(brighten, f"for (int r = 0; r < rows; ++r) for (int c = 1; c < cols; c *= 2) {BODY}")
    assert [[loop.name for loop in nest] for nest in nests_of(task)] == [["r"]]


def test_a_loop_that_does_not_write_the_output_is_the_threads_own(brighten):
    inner = "float s = 0; for (int c = 0; c < cols; ++c) s += image[r * cols + c]; out[r * cols] = s;"
    task = with_body(brighten, f"int r = 0; while (r < rows) {{ {inner} ++r; }}")
    assert names_of_indices(task, task.outputs[0], ["cols", "rows"]) == [None, None]


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


HEADS = {
    "int i = 0; i < n; ++i": ("i", "n", 0, 1),
    "unsigned long long i = 0u; i < n; i++": ("i", "n", 0, 1),
    "auto i = 0; i <= n - 1; i += 1": ("i", "n", 0, 1),
    "std::size_t i = 0; i != n; i = i + 1": ("i", "n", 0, 1),
    "int i = 0; i <= n; ++i": ("i", "n + 1", 0, 1),
    "int i = 2; i < n - 1; ++i": ("i", "n - 1", 2, 1),
    "int i = 0; i < n; i += 4": ("i", "n", 0, 4),
    "int i = 1; i <= n - 1; i = i + 2": ("i", "n", 1, 2),
    "int i = n - 1; i >= 0; --i": ("i", "n", 0, 1),
    "long i = n - 1; i > -1; i -= 1": ("i", "n", 0, 1),
    "int i = n - 2; i > 0; i--": ("i", "n - 1", 1, 1),
    "std::ptrdiff_t i = n; i-- > 0;": ("i", "n", 0, 1),
    "unsigned int i = n; i--;": ("i", "n", 0, 1),
    "int i = 0; i < n; i *= 2": None,
    "int i = 0; i != n; i += 2": None,
    "int i = n - 1; i >= 0; i -= 2": None,
    "int i = 0; i < n; ++k": None,
    "int i = start; i < n; ++i": None,
}


@pytest.mark.parametrize("head", HEADS)
def test_heads_of_loops_that_count(head):
    entry = read_unit(f"void f(int n, int k, int start) {{ for ({head}) {{ g(i); }} }}").functions[0]
    loop = counting(next(node for node in walk(entry.body) if node.type == "for_statement"))
    assert HEADS[head] == (loop and (loop.name, loop.bound, loop.first, loop.step))


PAIR = "out[r * cols + c] = image[r * cols + c]; if (r + 1 < rows) out[(r + 1) * cols + c] = gain;"
IN_THE_HOLE = {
    "backwards": (NESTS["backwards"][0], BODY),
    "up to the last": (f"for (int r = 0; r <= rows - 1; ++r) for (unsigned c = 0; c != cols; ++c) {BODY}", BODY),
    "by two": (f"for (int r = 0; r < rows; r += 2) for (int c = 0; c < cols; ++c) {{ {PAIR} }}", PAIR),
    "inside the rim": (
        f"for (int r = 1; r < rows - 1; ++r) for (int c = 1; c < cols - 2; ++c) {BODY}",
        BODY,
    ),
}


@pytest.mark.parametrize("kind", IN_THE_HOLE)
def test_a_turn_of_any_counted_loop_is_right_in_the_hole(kind, brighten, judged):
    body, turn = IN_THE_HOLE[kind]
    stays = dataclasses.replace(brighten.outputs[0], role=Role.INOUT, init=Init(kind="uniform"))
    args = tuple(stays if arg.name == stays.name else arg for arg in brighten.args) if "rim" in kind else brighten.args
    task = with_body(dataclasses.replace(brighten, args=args), body)
    written = skeleton(task) or ""
    assert kind != "by two" or "int turn" in written
    verdict = judged(task, written.replace(HOLE, turn))
    assert verdict.status is Status.PASSED, f"{verdict.reason}\n{written}"


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
