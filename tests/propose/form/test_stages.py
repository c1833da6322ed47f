"""Entries of several nests: one kernel a nest in the skeleton, and programs whose kernels hold the reference's own turns."""

import dataclasses

import pytest

from regrapht.propose.form import mend
from regrapht.propose.form.skeleton import HOLE, skeleton
from regrapht.propose.form.stage_skeleton import kernels_of_stages
from regrapht.propose.form.stages import Repeat, Stage, Swap, stages_of
from regrapht.records.task import Task
from regrapht.records.verdict import Status

HEAD = (
    "#include <algorithm>\n#include <cmath>\n#include <vector>\n"
    "void brighten(int rows, int cols, float gain, const float* image, float* out) {\n"
)
EACH = "for (int r = 0; r < rows; ++r) for (int c = 0; c < cols; ++c)"
CELL = "r * cols + c"
ALL = "for (int i = 0; i < rows * cols; ++i)"


def with_body(task: Task, body: str) -> Task:
    source = dataclasses.replace(task.reference.source, text=f"{HEAD}{body}\n}}\n")
    return dataclasses.replace(task, reference=dataclasses.replace(task.reference, source=source))


def told(steps) -> str:
    """The steps in short: `rc` for a kernel with threads for r and c, `1` for one of one thread, `+` for one whose threads add."""
    parts = []
    for step in steps:
        if isinstance(step, Stage):
            if all(node.type == "declaration" for node in step.nodes):
                continue  # what the entry holds, or one thread's number
            parts.append("".join(loop.name for loop in step.loops) + "+" * bool(step.added_to) or "1")
        elif isinstance(step, Swap):
            parts.append("swap")
        else:
            assert isinstance(step, Repeat)
            parts.append(f"{step.counter}({told(step.steps)})")
    return " ".join(parts)


STAGES = {
    "an array between two nests": (
        f"std::vector<float> half(rows * cols); {EACH} half[{CELL}] = image[{CELL}] / 2;"
        f" for (int r = 0; r < rows; ++r) {{ const int up = r > 0 ? r - 1 : r; for (int c = 0; c < cols; ++c)"
        f" out[{CELL}] = gain * half[{CELL}] + half[up * cols + c]; }}",
        "rc rc",
    ),
    "steps of time, two arrays that change places": (
        f"std::vector<float> now(image, image + rows * cols), next(rows * cols);"
        f" for (int t = 0; t < 3; ++t) {{ {EACH} next[{CELL}] = now[{CELL}]; now.swap(next); }} {ALL} out[i] = now[i];",
        "",
    ),
    "steps of time, two arrays of a length that change places": (
        f"std::vector<float> now(rows * cols), next(rows * cols); {ALL} now[i] = image[i];"
        f" for (int t = 0; t < 3; ++t) {{ {EACH} next[{CELL}] = 0.5f * (now[{CELL}] + now[(r > 0 ? r - 1 : r) * cols + c]) + t;"
        f" std::swap(now, next); }} {ALL} out[i] = now[i];",
        "i t(rc swap) i",
    ),
    "a sum that another nest divides by": (
        f"double sum = 0.0; {ALL} sum += image[i]; const float mean = (float)(sum / (rows * cols)); {ALL} out[i] = image[i] - mean;",
        "i+ i",
    ),
    "a table of a constant length": (
        f"float turn[4][2]; for (int k = 0; k < 4; ++k) for (int l = 0; l < 2; ++l) turn[k][l] = gain * k + l;"
        f" {EACH} out[{CELL}] = turn[r % 4][c % 2] * image[{CELL}];",
        "kl rc",
    ),
    "what one thread does between": (
        f"{ALL} out[i] = gain * image[i]; for (int i = 1; i < rows * cols; ++i) out[i] += 0.5f * out[i - 1]; {ALL} out[i] *= 2;",
        "i 1 i",
    ),
    "rows of which each element looks at the one before": (
        f"{ALL} out[i] = image[i]; for (int r = 0; r < rows; ++r) for (int c = 1; c < cols; ++c) out[{CELL}] += gain * out[{CELL} - 1];",
        "i r",
    ),
    "columns of which each element looks at the one above": (
        f"{ALL} out[i] = image[i]; for (int r = 1; r < rows; ++r) for (int c = 0; c < cols; ++c)"
        f" out[{CELL}] += gain * out[(r - 1) * cols + c];",  # the columns could be threads
        "i 1",
    ),
    "places that data decide": (
        f"{ALL} out[i] = 0; for (int i = 0; i < rows * cols; ++i) out[(int)image[i] % (rows * cols)] = 1;",
        "i 1",
    ),
    "sums at places that data decide": (f"{ALL} out[i] = 0; {ALL} out[(int)image[i] % (rows * cols)] += 1;", "i i+"),
    "parts that overlap": (
        f"{ALL} out[i] = 0; for (int r = 0; r + 1 < rows; ++r) for (int k = 0; k < 2; ++k) out[(r + k) * cols] += gain;",
        "i r(k)",
    ),
    "one nest": (f"{EACH} out[{CELL}] = gain * image[{CELL}];", ""),
    "nothing with threads": ("out[0] = 0; for (int i = 1; i < rows * cols; ++i) out[i] = out[i - 1] + image[i];", ""),
    "an end that data decide": (
        f"for (int t = 0; t < 9; ++t) {{ {ALL} out[i] = image[i] + t; if (out[0] > 3) break; }} {ALL} out[i] += 1;",
        "1 i",
    ),
    "a return that data decide": (f"{ALL} out[i] = image[i]; if (out[0] > 3) return; {ALL} out[i] += 1;", ""),
    "a vector that is copied": (
        f"std::vector<float> one(rows * cols); {ALL} one[i] = image[i]; std::vector<float> two = one; {ALL} out[i] = two[i];",
        "",
    ),
}


@pytest.mark.parametrize("kind", STAGES)
def test_what_an_entry_is_made_of(kind, brighten):
    body, steps = STAGES[kind]
    task = with_body(brighten, body)
    assert told(stages_of(task)) == steps
    file = skeleton(task)
    assert file is not None and file.count(HOLE) == (len(kernels_of_stages(task, HOLE)) or 1)


@pytest.mark.parametrize("kind", [kind for kind, (_, steps) in STAGES.items() if steps and "+" not in steps])
def test_the_references_own_turns_fill_the_holes(kind, brighten, judged):
    task = with_body(brighten, STAGES[kind][0])
    file = skeleton(task) or ""
    for kernel in kernels_of_stages(task, HOLE):
        file = file.replace(HOLE, "\n    ".join(kernel.turn), 1)
    whole = mend(file, task).text
    verdict = judged(task, whole)
    assert verdict.status is Status.PASSED, f"{verdict.reason}\n{whole}"


def test_threads_that_add_to_one_place_do_so_at_once(brighten, judged):
    task = with_body(brighten, STAGES["a sum that another nest divides by"][0])
    file = skeleton(task) or ""
    assert "// Several threads add to `sum`: with atomicAdd." in file
    for kernel in kernels_of_stages(task, HOLE):
        file = file.replace(HOLE, "\n    ".join(kernel.turn).replace("sum += image[i]", "atomicAdd(&sum, image[i])"), 1)
    assert judged(task, mend(file, task).text).status is Status.PASSED
