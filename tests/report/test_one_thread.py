"""Whether a program runs in one thread, from what the emulator counted, or from its launches."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from regrapht.report.one_thread import runs_in_one_thread
from regrapht.report.story import Story


@pytest.mark.parametrize(
    ("source", "serial"),
    [
        ("a<<<1, 1>>>(x); b<float><<<1,1, 0, stream>>>(x);", True),
        ("a<<<1, 1>>>(x); b<<<1, 256>>>(x);", False),
        ("a<<<dim3(1, 1), 1>>>(x);", False),
        ("a<<<blocks(n, 1), 1>>>(x);", False),
        ("// a<<<1, 1>>>(x);\nb<<<n, 256>>>(x);", False),
        ("a<<<1, 1>>>(x); cublasSgemm(h);", False),
        ("a<<<1, 1>>>(x); cub::DeviceScan::Sum(x);", False),
        ("a<<<1", False),
        ("", False),
        (None, False),
    ],
)
def test_the_launches_of_a_text(story: Story, source: str | None, serial: bool) -> None:
    candidate = SimpleNamespace(source=source)
    judged = SimpleNamespace(verdict=story.best.verdict, candidate=candidate)
    assert runs_in_one_thread(judged) is serial


@pytest.mark.parametrize(("launches", "threads", "serial"), [(2, 2, True), (1, 32, False), (0, 0, False)])
def test_what_the_emulator_counted_is_believed_before_the_text(
    story: Story, launches: int, threads: int, serial: bool
) -> None:
    evidence = SimpleNamespace(launches=launches, threads=threads)
    assert runs_in_one_thread(replace(story.best, verdict=replace(story.best.verdict, evidence=evidence))) is serial
