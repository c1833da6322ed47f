"""Comparing in chunks: the size of a chunk changes nothing. Hypothesis prints what it takes to repeat a failure."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from regrapht.evaluate.compare.column import ColumnTolerance, differing_output
from regrapht.evaluate.compare.outputs import compare_case, same_bytes
from regrapht.evaluate.inputs.drawing import Case, Inputs
from regrapht.evaluate.inputs.element_arrays import numbers, storage_dtype, stored
from regrapht.evaluate.inputs.families import Family
from regrapht.evaluate.reference.expected import Expected, WideColumn
from regrapht.records.element import SCALAR_TYPES, StructType
from regrapht.records.expression import Expression
from regrapht.records.task import Arg, ArgKind, Compare, Role
from regrapht.records.verdict import Status

PAIR = StructType(c_name="Pair", fields=(("key", SCALAR_TYPES["int8"]), ("value", SCALAR_TYPES["float32"])))
SPECIAL = (np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-45)
BAR = ColumnTolerance(norm=1e-5, length=4, unit=2.0**-24, unit_out=2.0**-24, tiny=2.0**-149)


def output(dtype, role="out", **more):
    return Arg(name="z", kind=ArgKind.ARRAY, dtype=dtype, shape=(Expression("n"),), role=Role(role), **more)


def same_outcome(first, second):
    assert (first.status, first.what, first.result.mismatches) == (second.status, second.what, second.result.mismatches)
    for name in ("norm_error", "norm_bar", "element_error"):
        a, b = getattr(first.result, name), getattr(second.result, name)
        assert (a is None and b is None) or a == pytest.approx(b, rel=1e-12), name


def in_chunks(task, inputs, expected, got, tolerances, chunk):
    whole, parts = (
        compare_case(task, inputs, expected, got, tolerances=tolerances, chunk=size) for size in (10**9, chunk)
    )
    same_outcome(whole, parts)
    return whole


@given(data=st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], print_blob=True)
def test_floats(build, data):
    count, chunk = data.draw(st.integers(1, 60)), data.draw(st.integers(1, 61))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32), label="seed"))
    name = data.draw(st.sampled_from(["float16", "bfloat16", "float32", "float64"]))
    scalar, poison = SCALAR_TYPES[name], data.draw(st.sampled_from([0xFF, 0xA5]))
    wide = rng.standard_normal(count).astype(np.longdouble if name == "float64" else np.float64)
    for _ in range(data.draw(st.integers(0, 3))):
        wide[rng.integers(count)] = data.draw(st.sampled_from(SPECIAL))
    written = stored(wide, scalar)
    got = written.copy()
    for _ in range(data.draw(st.integers(0, 4))):
        place, kind = (
            rng.integers(count),
            data.draw(st.sampled_from(["off", "little", "special", "poison", "unwritten"])),
        )
        if kind == "off":
            got[place : place + 1] = stored(numbers(got[place : place + 1], scalar) + 1, scalar)
        elif kind == "little":
            got[place : place + 1] = stored(numbers(got[place : place + 1], scalar) * (1 + 2e-5), scalar)
        elif kind == "special":
            got[place : place + 1] = stored(np.array([data.draw(st.sampled_from(SPECIAL))]), scalar)
        else:
            got[place : place + 1].view(np.uint8)[:] = poison
            if kind == "unwritten":  # the reference leaves it alone as well
                written[place : place + 1].view(np.uint8)[:] = poison
                wide[place] = np.nan
    scale = np.abs(wide) * rng.uniform(1, 3, count) if data.draw(st.booleans()) else None
    expected = Expected(as_written={"z": written}, wide={("z", ""): WideColumn(values=wide, scale=scale)})
    arg = output(scalar, data.draw(st.sampled_from(["out", "inout"])))
    task = build.task("f", "", (build.size("n"), arg), ({"n": count},))
    family = data.draw(st.sampled_from([Family.SIGNED, Family.CANCELLING]))
    inputs = Inputs(case=Case(sizes={"n": count}, family=family), values={}, arrays={}, poison=poison)
    in_chunks(task, inputs, expected, {"z": got}, {("z", ""): BAR}, chunk)


@given(data=st.data())
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], print_blob=True)
def test_exact_and_unordered(build, data):
    count, chunk = data.draw(st.integers(1, 60)), data.draw(st.integers(1, 61))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32), label="seed"))
    element = data.draw(st.sampled_from([SCALAR_TYPES["int8"], SCALAR_TYPES["float32"], PAIR]))
    written = np.zeros(count, storage_dtype(element))
    for name in written.dtype.names or ("",):
        column = written[name] if name else written
        column[:] = rng.integers(-3, 3, count)
        if column.dtype.kind == "f":
            column[rng.random(count) < 0.2] = np.nan
    got = written.copy()
    compare = data.draw(st.sampled_from([Compare.EXACT, Compare.UNORDERED]))
    if compare is Compare.UNORDERED:
        got = got[rng.permutation(count)]
    damaged = data.draw(st.booleans())
    if damaged:
        got[rng.integers(count)] = np.array(5 if element is not PAIR else (5, 5.0), got.dtype)
    task = build.task("f", "", (build.size("n"), output(element, compare=compare)), ({"n": count},), exact=True)
    inputs = Inputs(case=Case(sizes={"n": count}, family=Family.DECLARED), values={}, arrays={}, poison=0xFF)
    found = in_chunks(task, inputs, Expected(as_written={"z": written}, wide=None), {"z": got}, {}, chunk)
    assert (found.status is not None) is damaged
    assert (same_bytes({"z": written}, {"z": got}, task) is not None) is damaged


def pairs(keys, values):
    array = np.zeros(len(keys), storage_dtype(PAIR))
    array["key"], array["value"] = keys, values
    return array


def test_keys_and_values_in_any_order_stay_together(build):
    task = build.task("f", "", (build.size("n"), output(PAIR, compare=Compare.UNORDERED)), ({"n": 3},), exact=True)
    inputs = Inputs(case=Case(sizes={"n": 3}, family=Family.DECLARED), values={}, arrays={}, poison=0xFF)
    right = pairs([1, 2, 3], [10, 20, 30])

    def status(got):
        return compare_case(
            task, inputs, Expected(as_written={"z": right}, wide=None), {"z": got}, tolerances={}
        ).status

    assert status(pairs([3, 1, 2], [30, 10, 20])) is None
    assert status(pairs([3, 1, 2], [10, 20, 30])) is Status.WRONG_VALUE, "each column alone holds the right values"


def test_zeros_of_both_signs_in_any_order(build):
    task = build.task(
        "f", "", (build.size("n"), output(SCALAR_TYPES["float32"], compare=Compare.UNORDERED)), ({"n": 4},), exact=True
    )
    first, second = np.array([0.0, -0.0, 1, -0.0], np.float32), np.array([-0.0, 1, -0.0, 0.0], np.float32)
    assert same_bytes({"z": first}, {"z": second}, task) is None
    assert same_bytes({"z": first}, {"z": np.abs(second)}, task) == "z"


def test_padding_is_nobodys(build):
    right = pairs([1, 2], [10, 20])
    other = right.copy()
    other.view(np.uint8).reshape(2, -1)[:, 1:4] = 77
    assert right.tobytes() != other.tobytes()
    assert not differing_output(PAIR, right, other, free_order=False)
    other["key"][1] = 3
    assert differing_output(PAIR, right, other, free_order=False)


def test_runs_may_differ_past_the_valid_length(build):
    kept = output(SCALAR_TYPES["int32"], compare=Compare.UNORDERED, valid_length="m")
    args = (build.size("n"), kept, build.array("m", "1", "out", dtype="int32"))
    task = build.task("f", "", args, ({"n": 4},), exact=True)
    count = np.array([2], np.int32)
    first = {"z": np.array([1, 2, 3, 4], np.int32), "m": count}
    assert same_bytes(first, {"z": np.array([2, 1, 9, 9], np.int32), "m": count}, task) is None
    assert same_bytes(first, {"z": np.array([2, 9, 1, 9], np.int32), "m": count}, task) == "z"
    assert same_bytes(first, {"z": first["z"], "m": count + 1}, task) == "z"


def test_a_changed_input_is_seen_in_the_last_chunk(saxpy):
    y = np.arange(10, dtype=np.float32)
    inputs = Inputs(case=Case(sizes={"n": 10}, family=Family.DECLARED), values={}, arrays={"x": y, "y": y}, poison=0xFF)
    expected = Expected(as_written={"y": y}, wide={("y", ""): WideColumn(values=y.astype(float), scale=None)})
    changed = y.copy()
    changed[9] = -1
    for x, status in ((y, None), (changed, Status.INPUT_MODIFIED), (y[:9], Status.INPUT_MODIFIED)):
        found = compare_case(saxpy, inputs, expected, {"x": x, "y": y}, tolerances={("y", ""): BAR}, chunk=3)
        assert found.status is status


@pytest.mark.parametrize(("written", "status"), [(60, Status.WRONG_VALUE), (3, Status.UNWRITTEN)])
def test_a_byte_may_equal_the_poison_by_chance(build, written, status):
    """A wrong picture of bytes has it somewhere; a picture that nobody drew has it nearly everywhere."""
    task = build.task("f", "", (build.size("n"), output(SCALAR_TYPES["uint8"])), ({"n": 64},))
    inputs = Inputs(case=Case(sizes={"n": 64}, family=Family.DECLARED), values={}, arrays={}, poison=0xA5)
    right = np.zeros(64, np.uint8)
    got = np.full(64, 0xA5, np.uint8)
    got[:written] = 7
    result = compare_case(task, inputs, Expected(as_written={"z": right}, wide=None), {"z": got}, tolerances={})
    assert result.status is status, result


def branching(written, wide):
    """A column of ones, but for a few elements where rounding decides a branch: the reference has two answers there."""
    right = np.ones(64, np.longdouble)
    right[:8] = wide
    own = right.astype(np.float64)
    own[:8] = written
    return own, right


@pytest.mark.parametrize(("written", "wide"), [(0.0, 0.5), (0.0, -3e-322), (0.25, 0.75), (2.0, 1.0), (-1.0, 1.0)])
@pytest.mark.parametrize("known", [True, False], ids=["magnitudes", "values-alone"])
def test_where_rounding_decides_a_branch_both_answers_are_right_and_no_third(build, written, wide, known):
    bar = ColumnTolerance(norm=1e-9, length=4, unit=2.0**-53, unit_out=2.0**-53, tiny=2.0**-1074)
    task = build.task("f", "", (build.size("n"), output(SCALAR_TYPES["float64"])), ({"n": 64},))
    inputs = Inputs(case=Case(sizes={"n": 64}, family=Family.DECLARED), values={}, arrays={}, poison=0xFF)
    own, right = branching(written, wide)
    column = WideColumn(values=right, scale=np.abs(right) if known else None)
    expected = Expected(as_written={"z": own}, wide={("z", ""): column})

    def status(got):
        return compare_case(task, inputs, expected, {"z": got}, tolerances={("z", ""): bar}, chunk=7).status

    assert status(own) is None
    assert status(right.astype(np.float64)) is None
    mixed = own.copy()
    mixed[::2] = right[::2].astype(np.float64)
    assert status(mixed) is None
    third = own.copy()
    third[3] = 7.0
    assert status(third) is Status.WRONG_VALUE
    rough = own.copy()
    rough[8:] = 1 + 3e-8  # of lower precision elsewhere: the branches excuse nothing there
    assert status(rough) is Status.WRONG_VALUE
