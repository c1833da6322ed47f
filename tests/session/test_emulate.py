"""The orders of threads that a request asks for, and requests that make no sense."""

import pytest

from regrapht.emulate.emulator import Schedule
from regrapht.errors import ConfigError
from regrapht.session.emulate import EmulateRequest, emulate_file


def orders(tmp_path, **fields):
    return EmulateRequest(file=tmp_path / "a.cu", **fields).orders


def test_orders(tmp_path):
    ends = ((Schedule.FORWARD, 0), (Schedule.REVERSE, 0))
    assert orders(tmp_path) == (*ends, *((Schedule.RANDOM, seed) for seed in range(3)))
    assert orders(tmp_path, checked=False) == ends[:1], "a plain run tells nothing by its order"
    assert orders(tmp_path, schedules=(Schedule.RANDOM, Schedule.RANDOM), first_seed=4, seeds=2) == (
        (Schedule.RANDOM, 4),
        (Schedule.RANDOM, 5),
    )


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"task": True, "arguments": ("1",)}, "are for whole programs"),
        ({"include": True}, "there is no such folder"),
        ({"schedules": (Schedule.RANDOM,), "seeds": 0}, "leaves --schedule random without a run"),
    ],
)
def test_what_makes_no_sense_is_said(tmp_path, fields, said):
    if "task" in fields:
        fields = {**fields, "task": tmp_path}
    if "include" in fields:
        fields = {"include": (tmp_path / "nowhere",)}
    with pytest.raises(ConfigError, match=said):
        emulate_file(EmulateRequest(file=tmp_path / "a.cu", **fields))
