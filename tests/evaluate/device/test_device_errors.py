"""Each error of a device that a program can cause is told in plain words, with what to do."""

import pytest

from regrapht.evaluate.device.call_results import require_clean_calls
from regrapht.evaluate.device.device_errors import device_error
from regrapht.evaluate.judgement.rejected import Rejected
from regrapht.records.verdict import Status
from regrapht.sandbox.wire import DEVICE_ERROR, INPUT_CHANGED

CODES = {
    1: "arguments",
    2: "Allocate",
    9: "1024 threads",
    98: "__global__",
    400: "Create it",
    700: "Guard every index",
    701: "__launch_bounds__",
    702: "loop",
    710: "assert",
    714: "recursion",
    715: "Return a value",
    716: "multiple of its size",
    717: "atomicAdd(&sum, x)",
    718: "by their names",
    719: "__shared__",
    720: "walk over",
    12345: "error 12345",
}


class Output:
    def __init__(self, flags, error_code=0):
        self.flags, self.error_code, self.parameter, self.done = flags, error_code, 0, True


class Exchange:
    def __init__(self, output):
        self.output = lambda index: output


@pytest.mark.parametrize("code", CODES)
def test_a_code_is_told_in_words(code):
    with pytest.raises(Rejected) as refused:
        require_clean_calls(None, Exchange(Output(DEVICE_ERROR, code)), 1, None)
    one = refused.value
    assert f"CUDA error {code}" in one.reason and f"CUDA error {code}" in one.feedback
    assert CODES[code] in one.feedback and one.feedback.endswith(".") and len(one.feedback) < 500
    assert one.status is device_error(code).status


def test_statuses_that_searches_repair_first():
    assert [device_error(code).status for code in (700, 716, 717)] == [
        Status.OUT_OF_BOUNDS,
        Status.MISALIGNED,
        Status.BAD_POINTER,
    ]


def test_a_changed_input_is_named(saxpy):
    with pytest.raises(Rejected) as refused:
        require_clean_calls(saxpy, Exchange(Output(INPUT_CHANGED)), 1, None)
    assert "which is an input" in refused.value.feedback and refused.value.status is Status.INPUT_MODIFIED
