"""The limit that ended a run is in its sentence."""

import pytest

from regrapht.evaluate.judgement.endings import ending_of, gibibytes
from regrapht.sandbox.sandbox import Completed


def stopped(why, **more):
    return Completed(exit_code=None, signal=None, stopped=why, stdout="", stderr="", files={}, wall_s=1.0, **more)


def test_the_memory_limit_is_named():
    assert (
        ending_of(stopped("memory", memory_limit_bytes=4 * 2**30), 60)
        == "used more memory than it may: more than 4 GiB"
    )
    assert ending_of(stopped("memory"), 60) == "used more memory than it may"
    assert ending_of(stopped("timeout"), 30) == "did not end within 30 s"


@pytest.mark.parametrize(("count", "words"), [(4 * 2**30, "4 GiB"), (2293760000, "2.14 GiB"), (3 * 2**20, "3 MiB")])
def test_amounts_are_told_in_their_unit(count, words):
    assert gibibytes(count) == words
