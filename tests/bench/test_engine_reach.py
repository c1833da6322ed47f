"""Which tasks the transform engine takes, and that the shipped suite has enough that it does not."""

from regrapht.bench.engine_reach import why_outside
from regrapht.bench.suite import open_suite

LEAST_SHARE = 0.3


def test_a_refused_task_has_a_reason_with_its_line(write_task, tmp_path):
    write_task(tmp_path / "suite" / "taken", "taken")
    write_task(tmp_path / "suite" / "refused", "refused", code="strtof(reinterpret_cast<const char*>(x), nullptr)")
    found = {task.task.id: why_outside(task.task) for task in open_suite(str(tmp_path / "suite")).tasks}
    assert found["taken"] is None
    assert found["refused"] is not None and "line 1" in found["refused"], found


def test_three_tasks_in_ten_of_cudaeval_lie_outside():
    """Counted until there are enough, because each takes time."""
    suite = open_suite("cudaeval")
    wanted, outside = LEAST_SHARE * len(suite.tasks), 0
    for task in suite.tasks:
        outside += why_outside(task.task) is not None
        if outside >= wanted:
            break
    assert outside >= max(wanted, 45), f"only {outside} of {len(suite.tasks)} tasks lie outside the transform engine"
