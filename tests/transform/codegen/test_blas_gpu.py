"""Matrix products by cuBLAS before the judge on a real GPU."""

from dataclasses import replace

import pytest

from regrapht.evaluate.local_gpu import LocalGpuEvaluator
from regrapht.propose.transform_engine import TransformProposer
from regrapht.records.verdict import Level, Status
from regrapht.sandbox.choose import choose_sandbox
from regrapht.tasks.infer import infer_task
from regrapht.transform.engine import Engine

from ..judging import steps
from ..products import SPELLINGS

pytestmark = pytest.mark.gpu


@pytest.fixture(scope="module")
def evaluator():
    judge = LocalGpuEvaluator(choose_sandbox())
    available = judge.availability()
    if not available.available:
        pytest.skip(f"no GPU to judge on: {available.reason}")
    return judge


@pytest.mark.parametrize("name", ["dot", "transposed_b", "scaled", "matvec", "matvec_columns", "matvec_batch"])
def test_a_product_passes_with_a_time(evaluator, name, tmp_path):
    path = tmp_path / f"{name}.cpp"
    path.write_text(SPELLINGS[name])
    task = infer_task(path).task
    task = replace(task, contract=replace(task.contract, allow_libraries=("cublas",)))
    proposer, engine = TransformProposer(), Engine()
    evaluator.prepare(task, proposer.plain(task))
    verdict = evaluator.evaluate(task, proposer.rebuild(task, steps(engine, task, ["library_call"])), level=Level.FULL)
    if verdict.status is Status.UNSUPPORTED and "no cublas" in verdict.reason:
        pytest.skip(verdict.reason)
    assert verdict.status is Status.PASSED, f"{verdict.status}: {verdict.reason}"
    assert verdict.timing and verdict.time_us > 0
