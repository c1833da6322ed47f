from pathlib import Path
from types import SimpleNamespace

import pytest

from regrapht.records.candidate import Candidate
from regrapht.records.measurement import Environment, ShapeTiming, TimingSamples
from regrapht.records.verdict import CaseResult, Stage, StageName, StageOutcome, Status, Verdict

TASK = """schema = 1
id = "{id}"
title = "Scale a vector"
description = "y = a x."
entry = "scale"
family = "{family}"
licence = "Apache-2.0"
source = "regrapht"

[reference]
file = "reference.cpp"

[[args]]
name = "n"
kind = "size"
dtype = "int32"

[[args]]
name = "x"
kind = "array"
dtype = "float32"
shape = ["n"]
role = "in"
init = {{ kind = "normal", mean = 0.0, std = 1.0 }}

[[args]]
name = "y"
kind = "array"
dtype = "float32"
shape = ["n"]
role = "out"

[sizes]
check = [ {{ n = 1 }}, {{ n = 33 }} ]
"""
REFERENCE = (
    "void scale(int n, const float* x, float* y) {\n    for (int i = 0; i < n; ++i) y[i] = 2.0f * x[i]; // %s\n}\n"
)
PROGRAM = """// {name}
__global__ void kernel(int n, const float* x, float* y) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = {factor} * x[i];
}}
extern "C" void scale(int n, const float* x, float* y) {{ kernel<<<(n + 255) / 256, 256>>>(n, x, y); }}
"""


def write_task(corpus, family, task_id):
    folder = corpus / family / task_id
    folder.mkdir(parents=True)
    (folder / "task.toml").write_text(TASK.format(id=task_id, family=family))
    (folder / "reference.cpp").write_text(REFERENCE % task_id)
    return folder


def write_trajectory(task_folder, name, techniques, *, wrong=()):
    """Steps called by the techniques; those whose number is in `wrong` compute something else."""
    folder = task_folder / name
    folder.mkdir()
    text = 'title = "A way"\nsource = "hand"\nlicence = "Apache-2.0"\n'
    for number, technique in enumerate(techniques, start=1):
        file = f"{number:02}_step.cu"
        factor = "3.0f" if number in wrong else "2.0f"
        (folder / file).write_text(PROGRAM.format(name=f"{task_folder.name} {name} {number}", factor=factor))
        text += f'\n[[steps]]\ntechnique = "{technique}"\nthink = """\nbecause\n"""\ndetail = "done"\nfile = "{file}"\n'
    (folder / "trajectory.toml").write_text(text)
    return folder


class ReadingJudge:
    """Judges by reading: a program that multiplies by 2 is right, one that says `unsupported` cannot be judged. Counts its judgements.

    With `times` it also reports a time for each program, by the number in its first line.
    """

    def __init__(self, name="emulated", times=None):
        self.name, self.times, self.judged = name, times, 0
        self.tools = {"nvcc": "13.0"}

    def evaluate(self, task, candidate: Candidate, *, level) -> Verdict:
        self.judged += 1
        status = Status.PASSED if "2.0f" in candidate.source else Status.WRONG_VALUE
        if "unsupported" in candidate.source:
            status = Status.UNSUPPORTED
        outcome = StageOutcome.PASSED if status is Status.PASSED else StageOutcome.FAILED
        timing = None
        if self.times and status is Status.PASSED:
            number = int(candidate.source.splitlines()[0].split()[-1])
            sequential = TimingSamples(samples_us=(self.times[0],))
            mine = TimingSamples(samples_us=(self.times[number],) * 3)
            timing = (ShapeTiming(sizes={"n": 1024}, candidate=mine, baselines={"sequential": sequential}, ratios=()),)
        return Verdict(
            status=status,
            level=level,
            evaluator=self.name,
            task_hash=task.content_hash,
            candidate_id=candidate.id,
            reason="y is wrong" if status is Status.WRONG_VALUE else "as asked",
            stages=(
                Stage(name=StageName.BUILD, outcome=StageOutcome.PASSED, seconds=0.0),
                Stage(name=StageName.CHECK, outcome=outcome, seconds=0.0),
            ),
            cases=(_case(passed=True),) if status is Status.PASSED else (),
            timing=timing,
            no_timing=None if timing else "no_gpu",
            environment=Environment(
                device="NVIDIA H200 (sm_90)" if self.times else "emulator (x86_64)",
                architecture="sm_90" if self.times else "emulated",
                cpu="cpu",
                tools=self.tools,
                clocks={"sm": 1000.0 + self.judged},
            ),
            protocol="1",
        )


def _case(*, passed):
    return CaseResult(
        sizes={"n": 1},
        family="declared",
        hidden=False,
        output="y",
        norm_error=0.0,
        norm_bar=1e-5,
        element_error=None,
        mismatches=0,
        passed=passed,
    )


@pytest.fixture
def writing():
    return SimpleNamespace(task=write_task, trajectory=write_trajectory, judge=ReadingJudge)


@pytest.fixture
def corpus(tmp_path, writing) -> Path:
    """Three trajectories over two tasks in two families: one all right, one that fails at its second step, one with a private label."""
    folder = tmp_path / "corpus"
    first = writing.task(folder, "dense_la", "scale_a")
    writing.trajectory(first, "fast", ["map_to_threads", "Loop Unrolling", "vectorised_access"])
    writing.trajectory(first, "slow", ["map_to_threads", "tiling", "loop_unrolling"], wrong=[2])
    second = writing.task(folder, "image", "scale_b")
    writing.trajectory(second, "own_words", ["map_to_threads", "sprinkle magic", "grid_stride_loop"])
    return folder
