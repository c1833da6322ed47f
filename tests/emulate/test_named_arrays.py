"""Where a finding lies, in the words of the task."""

from pathlib import Path

import pytest

from regrapht.emulate.named_arrays import array_names, with_names
from regrapht.records.verdict import Finding, Severity, Status
from regrapht.tasks.load import load_task


@pytest.fixture(scope="module")
def arrays():
    return array_names(load_task(Path(__file__).parents[1] / "cheats" / "tasks" / "affine").parameters)


def finding(place):
    message = f"access outside every allocation: read of 4 bytes by block (3,0,0) thread (8,0,0), {place}"
    return Finding(
        kind="global_oob", status=Status.OUT_OF_BOUNDS, severity=Severity.ERROR, checker="emulator", message=message
    )


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("at byte 4000 of argument 2 of 4000 bytes", "at element 1000 of x, an array of 1000 float (shape n)"),
        ("at byte -4 of argument 4 of 4000 bytes", "at element -1 of z, an array of 1000 float (shape n)"),
        ("at byte 12 of an allocation of 12 bytes", "at byte 12 of an allocation of 12 bytes"),
        ("at byte 12 of argument 99 of 12 bytes", "at byte 12 of argument 99 of 12 bytes"),
    ],
)
def test_an_argument_is_told_by_name_element_and_shape(arrays, place, words):
    told = with_names(finding(place), arrays).message
    assert told.endswith(words) and "block (3,0,0) thread (8,0,0)" in told
