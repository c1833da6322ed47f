"""What the engine writes of tasks at first, natively and on the emulated device against their references."""

from collections.abc import Sequence

from regrapht.propose.transform_engine import TransformProposer
from regrapht.records.task import Task
from regrapht.sandbox.choose import choose_sandbox

from .native.native_bench import Pair, native_differences


def require_plain_right(tasks: Sequence[Task], bench) -> None:
    """The plain program of each task gives its reference's results."""
    pairs = [Pair(task, TransformProposer().plain(task).source or "") for task in tasks]
    wrong = native_differences(pairs, choose_sandbox())
    assert not wrong, [(said, pairs[k].source) for k, said in wrong.items()]
    for pair in pairs:
        assert bench.differences(pair.task, pair.source) == [], pair.source
