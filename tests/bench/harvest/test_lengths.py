"""Lengths by trial: what is guessed before, which lengths are tried in which order, and what the emulator finds."""

import pytest

from regrapht.bench.harvest.launcher import launcher
from regrapht.bench.harvest.lengths import MAX_SIZES, fit_lengths, guessed_task
from regrapht.bench.harvest.outcomes import Dropped
from regrapht.emulate.emulator import Emulator
from regrapht.records.task import ArgKind, Role
from regrapht.sandbox.choose import choose

GATHER = """
__global__ void gather(const float* from, const int* where, float* to, int rows, int width) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    for (int c = 0; c < width; ++c) to[r * width + c] = from[where[r] * width + (c ^ 1) % width];
}
"""


def guess(tmp_path, text, entry="f"):
    (tmp_path / "reference.cpp").write_text(text)
    return guessed_task(tmp_path / "reference.cpp", entry)


def test_roles_sizes_and_scalars_are_read_from_the_body(tmp_path):
    task = guess(
        tmp_path,
        "void f(const float* a, int* b, float* c, int n, int shift, float s) {"
        " for (int i = 0; i < n; ++i) { c[i] = a[i]; b[i] += shift * s; } }",
    )
    kinds = {arg.name: (arg.kind, arg.role) for arg in task.args}
    assert kinds == {
        "a": (ArgKind.ARRAY, Role.IN),
        "b": (ArgKind.ARRAY, Role.INOUT),
        "c": (ArgKind.ARRAY, Role.INOUT),
        "n": (ArgKind.SIZE, None),
        "shift": (ArgKind.SCALAR, None),
        "s": (ArgKind.SCALAR, None),
    }


def test_where_rows_start(tmp_path):
    task = guess(
        tmp_path,
        "void f(int n, const int* p, float* y) { for (int r = 0; r < n; ++r) for (int j = p[r]; j < p[r + 1]; ++j) y[j] = r; }",
    )
    start = task.args[1]
    assert start.init.kind == "csr_row_ptr" and start.shape[0].text == "n + 1"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("void f(const float* a, int n) { for (int i = 0; i < n; ++i) (void)a[i]; }", "no_output"),
        ("void f(float* a) { a[0] = 1; }", "no_sizes"),
        (
            "void f(float* a"
            + "".join(f", int n{i}" for i in range(MAX_SIZES + 1))
            + ") {"
            + "".join(f" for (int i = 0; i < n{i}; ++i) a[i] = i;" for i in range(MAX_SIZES + 1))
            + " }",
            "too_many_sizes",
        ),
    ],
)
def test_what_is_not_tried(tmp_path, text, reason):
    with pytest.raises(Dropped) as dropped:
        guess(tmp_path, text)
    assert dropped.value.reason == reason


def fitted(sequential, source):
    version = sequential(source)

    def fit(tmp_path):
        task = guess(tmp_path, version.reference, version.entry)
        emulator = Emulator(choose().sandbox)
        return fit_lengths(task, launcher(task, source, "", version.launch), emulator)

    return fit


def test_an_access_out_of_bounds_makes_an_array_longer(sequential, tmp_path):
    task = fitted(sequential, GATHER)(tmp_path)
    lengths = {arg.name: arg.shape[0].text for arg in task.args if arg.kind is ArgKind.ARRAY}
    assert lengths == {"from": "rows * width", "where": "rows", "to": "rows * width"}


def test_what_no_product_of_sizes_holds(sequential, tmp_path):
    with pytest.raises(Dropped) as dropped:
        fitted(sequential, GATHER.replace("where[r] * width", "where[r] * 100000"))(tmp_path)
    assert dropped.value.reason == "range_unknown"
