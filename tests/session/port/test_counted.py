"""Which integer outputs are counts that a comparison of floats ends."""

from pathlib import Path

import pytest

from regrapht.records.task import Compare
from regrapht.session.port.captured import with_captured
from regrapht.session.port.counted import counts_by_floats
from regrapht.tasks.infer import infer_task

HEAD = "void f(const float* x, int* steps, int n, int most)"
COUNTS = {
    "break": "int k = 0; float t = x[i]; for (; k < most; ++k) { if (t < 1e-3f) break; t *= 0.5f; } steps[i] = k;",
    "condition": "int k = 0; double t = x[i]; while (k < most && t > 0.1) { t *= 0.5; k++; } steps[i] = k;",
    "do": "int k = 0; float t = x[i]; do { t *= 0.5f; ++k; } while (k < most && t > x[0]); steps[i] = k;",
}
EXACT = {
    "a comparison of integers": "int k = 0; for (; k < most; ++k) { if (k > i) break; } steps[i] = k + (x[i] > 0.5f);",
    "an index of the least": (
        "int best = 0; float low = x[0]; for (int k = 0; k < most; ++k) if (x[k] < low) { low = x[k]; best = k; }"
        "steps[i] = best;"
    ),
    "set otherwise too": (
        "int k = 0; float t = x[i]; for (; k < most; ++k) { if (t < 1e-3f) break; t *= 0.5f; }"
        "steps[i] = k; if (i == 3) steps[i] = 7;"
    ),
    "added to": (
        "int k = 0; float t = x[i]; steps[i] = 0;"
        "for (; k < most; ++k) { if (t < 1e-3f) break; t *= 0.5f; steps[i] += 2; }"
    ),
}


def found(tmp_path: Path, body: str) -> frozenset[str]:
    file = tmp_path / "f.cpp"
    file.write_text(f"{HEAD} {{ for (int i = 0; i < n; ++i) {{ {body} }} }}\n")
    return counts_by_floats(infer_task(file).task)


@pytest.mark.parametrize("body", COUNTS.values(), ids=COUNTS)
def test_a_count_that_a_comparison_of_floats_ends(tmp_path: Path, body: str) -> None:
    assert found(tmp_path, body) == {"steps"}


@pytest.mark.parametrize("body", EXACT.values(), ids=EXACT)
def test_what_stays_exact(tmp_path: Path, body: str) -> None:
    assert not found(tmp_path, body)


def test_port_lets_few_of_them_be_off_by_one(tmp_path: Path) -> None:
    file = tmp_path / "f.cpp"
    file.write_text(f"{HEAD} {{ for (int i = 0; i < n; ++i) {{ {COUNTS['break']} }} }}\n")
    task = infer_task(file).task
    assert {arg.name: arg.compare for arg in with_captured(task, ()).outputs} == {"steps": Compare.ROUNDED}
    assert task.outputs[0].compare is None, "elsewhere counts are compared exactly"
