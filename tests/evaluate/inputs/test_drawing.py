"""What is drawn: each kind of init, each family, and that secrets are what decides."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from regrapht.errors import TaskError
from regrapht.evaluate.cases.oracle import Oracle
from regrapht.evaluate.inputs.drawing import Case, as_call, draw, new_secret, read_samples, secret_from
from regrapht.evaluate.inputs.families import Family, families_of
from regrapht.evaluate.reference.compiled import CompiledReference
from regrapht.records.expression import Expression
from regrapht.records.task import Init
from regrapht.records.verdict import Level

SECRET = secret_from("test_inputs")


def drawn(build, init, *, count=100, dtype="float32", sizes=None, **more):
    args = (
        build.size("n"),
        build.array("a", str(count), "in", dtype=dtype, init=init, **more),
        build.array("b", "1", "out"),
    )
    task = build.task("f", "void f(int, const float*, float*) {}", args, ({"n": 1},))
    case = Case(sizes=sizes or {"n": 4}, family=Family.DECLARED)
    return draw(task, case, secret=SECRET, index=0).arrays["a"]


def test_same_secret_same_numbers_and_another_secret_others(gemm):
    case = Case(sizes=gemm.check_sizes[1], family=Family.DECLARED)
    first, again = (draw(gemm, case, secret=SECRET, index=0) for _ in range(2))
    other = draw(gemm, case, secret=new_secret(), index=0)
    assert first.arrays["A"].tobytes() == again.arrays["A"].tobytes()
    assert first.arrays["A"].tobytes() != other.arrays["A"].tobytes()
    assert first.arrays["A"].tobytes()[:64] != first.arrays["B"].tobytes()[:64], "arrays are independent"


@pytest.mark.parametrize(
    ("init", "holds"),
    [
        (
            Init(kind="normal", parameters={"mean": 5.0, "std": 0.1}),
            lambda a: abs(a.mean() - 5) < 0.1 and a.std() > 0.01,
        ),
        (Init(kind="uniform", parameters={"low": 2.0, "high": 3.0}), lambda a: a.min() >= 2 and a.max() <= 3),
        (
            Init(kind="integers", parameters={"low": -3, "high": Expression("n")}),
            lambda a: a.min() == -3 and a.max() == 3,
        ),
        (Init(kind="zeros"), lambda a: (a == 0).all()),
        (Init(kind="ones"), lambda a: (a == 1).all()),
        (Init(kind="arange"), lambda a: (a == np.arange(100)).all()),
        (Init(kind="permutation"), lambda a: sorted(a) == list(range(100)) and list(a) != list(range(100))),
        (Init(kind="sorted"), lambda a: (np.diff(a) >= 0).all() and a.std() > 0),
        (Init(kind="choice", parameters={"values": (1.0, 4.0)}), lambda a: set(a) == {1.0, 4.0}),
        (
            Init(kind="csr_row_ptr", parameters={"nnz": 500}),
            lambda a: a[0] == 0 and a[-1] == 500 and (np.diff(a) >= 0).all(),
        ),
        (
            Init(kind="csr_row_ptr", parameters={"nnz": 500}),
            lambda a: (np.diff(a) == 0).any() and np.diff(a).max() > 20,
        ),
        (Init(kind="csr_col_idx", parameters={"cols": 7}), lambda a: set(a) == set(range(7))),
    ],
)
def test_kinds_of_init(build, init, holds):
    assert holds(drawn(build, init))


def test_integer_kinds_fill_integer_arrays(build):
    array = drawn(build, Init(kind="integers", parameters={"low": 0, "high": 200}), dtype="uint8")
    assert array.dtype == np.uint8 and array.max() > 127


def test_file_init_reads_numpy_files(build, tmp_path):
    np.save(tmp_path / "x.npy", np.arange(200.0))
    assert (drawn(build, Init(kind="file", parameters={"path": str(tmp_path / "x.npy")})) == np.arange(100)).all()
    with pytest.raises(TaskError, match="300 are needed"):
        drawn(build, Init(kind="file", parameters={"path": str(tmp_path / "x.npy")}), count=300)
    with pytest.raises(TaskError, match="cannot read"):
        drawn(build, Init(kind="file", parameters={"path": str(tmp_path / "none.npy")}))


def test_a_missing_parameter_is_the_tasks_fault(build):
    with pytest.raises(TaskError, match="high"):
        drawn(build, Init(kind="integers", parameters={"low": 0}))


@pytest.mark.parametrize("family", list(Family))
def test_families_stay_inside_the_domain(build, family):
    init = Init(kind="normal", parameters={"mean": 2.0, "std": 0.1})
    args = (build.size("n"), build.array("a", "n", "in", init=init, domain=(0.5, 4.0)), build.array("b", "n", "out"))
    task = build.task("f", "", args, ({"n": 1},))
    values = draw(task, Case(sizes={"n": 500}, family=family), secret=SECRET, index=1).arrays["a"]
    assert values.min() >= 0.5 and values.max() <= 4.0


def test_families_are_what_they_say(saxpy):
    def values(family):
        return draw(saxpy, Case(sizes={"n": 1000}, family=family), secret=SECRET, index=0).arrays["x"]

    assert (values(Family.ZEROS) == 0).all() and np.signbit(values(Family.ZEROS)).any()
    assert (np.abs(values(Family.DENORMALS)) < 1.2e-38).all() and (values(Family.DENORMALS) != 0).all()
    assert len(set(values(Family.EQUAL).tolist())) == 1
    assert (np.diff(values(Family.SORTED)) >= 0).all()
    outliers = values(Family.OUTLIER)
    assert outliers.max() > 1e5 and outliers.min() < -1e5 and (np.abs(outliers) > 100).sum() == 2
    assert np.ptp(np.log10(np.abs(values(Family.WIDE)))) > 6


def test_sorted_values_come_in_both_orders_in_every_judgement(build, sandbox):
    """A program that is wrong for one of them was right by chance in a quarter of the judgements."""
    args = (build.size("n"), build.array("x", "n", "in"), build.array("z", "n", "out"))
    source = "void f(int n, const float* x, float* z) { for (int i = 0; i < n; ++i) z[i] = 2 * x[i]; }"
    task = build.task("f", source, args, ({"n": 1}, {"n": 20}, {"n": 30}))
    reference = CompiledReference(task, sandbox)
    for seed in range(4):
        oracle = Oracle(task, reference, secret=seed)
        oracle.prepare()
        drawn = [trial.inputs for trial in oracle.trials(oracle.cases(Level.FULL))]
        ordered = [np.sign(np.diff(each.arrays["x"])) for each in drawn if each.case.family is Family.SORTED]
        assert sorted(float(steps.min()) for steps in ordered if steps.size) == [-1.0, 1.0], f"seed {seed}"


def test_only_float_inputs_are_widened(build):
    keys = build.array("k", "n", "in", dtype="int32", init=Init(kind="integers", parameters={"low": 0, "high": 9}))
    task = build.task("f", "", (build.size("n"), keys, build.array("b", "n", "out")), ({"n": 1},))
    assert families_of(task) == (Family.DECLARED,)


def test_calls_carry_scalars_and_ask_inputs_back(saxpy):
    call = as_call(saxpy, draw(saxpy, Case(sizes={"n": 3}, family=Family.DECLARED), secret=SECRET, index=0))
    assert call.values == {"n": (3).to_bytes(4, "little"), "a": np.float32(1.5).tobytes()}
    assert call.wanted == {"x", "y"} and call.array_bytes == {"x": 12, "y": 12}


def test_times_are_told_to_the_nanosecond():
    taken = [(1234.56789012345, 12.3456789), (0.0123456789, 0.0), (float("nan"), 1e-7)]
    exchange = SimpleNamespace(output=lambda call: SimpleNamespace(samples_us=taken if call == 3 else []))
    first, second, third = read_samples(exchange, 3)
    assert first == (1234.568, 12.346) and second == (0.012346, 0.0) and third[1] == 1e-7 and third[0] != third[0]
    assert json.loads(json.dumps(first)) == list(first)
