"""The file that a small model completes: it builds as it stands, and a body in its hole is all that a right program needs."""

import dataclasses
import re

import pytest

from regrapht.bench.suite import open_suite
from regrapht.propose.form import mend
from regrapht.propose.form.left_out import kernels_left_open
from regrapht.propose.form.program import Program
from regrapht.propose.form.reference_containers import container_advice
from regrapht.propose.form.reply import read_reply
from regrapht.propose.form.skeleton import HOLE, skeleton
from regrapht.propose.form.stage_skeleton import kernels_of_stages
from regrapht.records.expression import Expression
from regrapht.records.task import Arg, Contract, Residency
from regrapht.records.verdict import Status

BODY = "Curve curve{gain, 2.0f};\n    out[y * cols + x] = lifted(curve, image[y * cols + x]);"


def filled(brighten) -> str:
    return (skeleton(brighten) or "").replace(HOLE, BODY)


def test_a_body_in_the_hole_is_a_right_program(brighten, judged):
    verdict = judged(brighten, filled(brighten))
    assert verdict.status is Status.PASSED, f"{verdict.reason}\n{filled(brighten)}"


def test_the_hole_left_open_builds_and_writes_nothing(brighten, judged):
    assert judged(brighten, skeleton(brighten) or "").status is Status.UNWRITTEN


@pytest.mark.parametrize("names", ["its own", "another's"])
def test_the_kernel_alone_is_put_into_the_file(names, brighten, judged):
    whole = filled(brighten)
    kernel = whole[whole.index("__global__") : whole.index('extern "C"')]
    if names == "another's":
        kernel = kernel.replace("brighten_kernel", "process").replace("rows", "height").replace("cols", "width")
    reply = f"```cuda\n{kernel}```"
    read = read_reply(reply, brighten, parent=None, skeleton=skeleton(brighten), may_refuse=False, mends=True)
    assert read.code is not None and "launcher" in read.mends
    assert judged(brighten, read.code).status is Status.PASSED


def test_a_body_alone_is_put_into_the_hole(brighten, judged):
    reply = f"The threads do this:\n\n```cuda\n{BODY}\n```"
    read = read_reply(reply, brighten, parent=None, skeleton=skeleton(brighten), may_refuse=False, mends=True)
    assert read.code is not None and read.mends[0] == "body_alone"
    assert judged(brighten, read.code).status is Status.PASSED
    plain = read_reply(reply, brighten, parent=None, skeleton=skeleton(brighten), may_refuse=False, mends=False)
    assert plain.code is None


@pytest.mark.parametrize(
    ("body", "left"),
    [(HOLE, True), ("// TODO: your code", True), ("", True), (BODY, False), (f"{BODY} {HOLE}", False)],
)
def test_kernels_into_which_nothing_is_written(body, left, brighten):
    file = skeleton(brighten) or ""
    program = Program(file.replace(HOLE, body), brighten)
    assert kernels_left_open(program, file) == (["brighten_kernel"] if left else [])


def test_a_kernel_without_a_guard_runs_in_the_files_own_launch(brighten, judged):
    kernel = (
        "__global__ void brighten_kernel(int rows, int cols, float gain, const float* image, float* out) {\n"
        "    const int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;\n"
        f"    if (!(y < rows)) return;\n    if (!(cols > x)) return;\n    {BODY}\n}}\n"
    )
    read = read_reply(
        f"```cuda\n{kernel}```", brighten, parent=None, skeleton=skeleton(brighten), may_refuse=False, mends=True
    )
    assert read.code is not None and read.mends[0] == "skeleton"
    assert judged(brighten, read.code).status is Status.PASSED


def test_a_kernel_with_an_index_more_gets_a_launch_with_that_axis(brighten, judged):
    """The file had a thread a row; the model's kernel has one a pixel, and takes the rest of the file as it was."""
    launcher = brighten.signature + (
        " {\n    const long long threads_x = rows;\n    if (threads_x <= 0) return;\n    dim3 block(256);\n"
        "    dim3 grid((threads_x + 255) / 256);\n    brighten_kernel<<<grid, block>>>(rows, cols, gain, image, out);\n}\n"
    )
    whole = filled(brighten)
    mended = mend(whole[: whole.index('extern "C"')] + launcher, brighten)
    assert mended.mends == ("launch_shape",)
    assert judged(brighten, mended.text).status is Status.PASSED


def test_no_skeleton_where_threads_have_no_elements_to_share_out(brighten):
    scalar = dataclasses.replace(brighten.args[-1], shape=(Expression("1"),))
    assert skeleton(dataclasses.replace(brighten, args=(*brighten.args[:-1], scalar))) is None
    assert skeleton(dataclasses.replace(brighten, contract=Contract(residency=Residency.HOST))) is None


@pytest.mark.parametrize(("suite", "at_least"), [("cudaeval", 0.9), ("cuda-llm-20", 0.6)])
def test_most_tasks_have_one_with_the_exact_entry(suite, at_least):
    """The rest reduce to a few values, or have more dimensions than a grid."""
    tasks = [one.task for one in open_suite(suite).tasks]
    made = {task.id: text for task in tasks if (text := skeleton(task)) is not None}
    assert len(made) >= at_least * len(tasks)
    for task in tasks:
        if task.id in made:
            has_stages = f"{task.entry}_kernel1(" in made[task.id]
            assert made[task.id].count(HOLE) == (len(kernels_of_stages(task, HOLE)) if has_stages else 1)
            assert task.signature in made[task.id]
            kernel = re.sub(
                r"// \w+: .* the same for all threads\.|// (?:A turn of|One thread, from|Several threads add to) .*",
                "",
                made[task.id].split("__global__")[-1],
            )
            for ours in (HOLE, *(f"// {line}" for line in container_advice(task))):
                kernel = kernel.replace(ours, "")
            assert "//" not in kernel


def test_parameters_may_have_the_names_of_a_launch(brighten, judged):
    new = {"image": "grid", "cols": "block", "rows": "threads_x"}

    def renamed(text: str) -> str:
        return re.sub(r"\b(?:image|cols|rows)\b", lambda found: new[found[0]], text)

    def turned(arg: Arg) -> Arg:
        shape = tuple(Expression(renamed(one.text)) for one in arg.shape)
        return dataclasses.replace(arg, name=renamed(arg.name), shape=shape)

    source = dataclasses.replace(brighten.reference.source, text=renamed(brighten.reference.source.text))
    task = dataclasses.replace(
        brighten,
        reference=dataclasses.replace(brighten.reference, source=source),
        args=tuple(map(turned, brighten.args)),
        check_sizes=tuple({renamed(name): size for name, size in one.items()} for one in brighten.check_sizes),
        bench_sizes=tuple({renamed(name): size for name, size in one.items()} for one in brighten.bench_sizes),
        tolerance=dataclasses.replace(
            brighten.tolerance, reduction_length=Expression(renamed(brighten.tolerance.reduction_length.text))
        ),
        work=dataclasses.replace(brighten.work, bytes=Expression(renamed(brighten.work.bytes.text)), flops=None),
    )
    program = (skeleton(task) or "").replace(HOLE, renamed(BODY))
    verdict = judged(task, program)
    assert verdict.status is Status.PASSED, f"{verdict.reason}\n{program}"
