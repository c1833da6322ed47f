"""Whether a program runs in one thread, from what the emulator counted, or from its launches."""

from types import SimpleNamespace

import pytest

from regrapht.source.one_thread import runs_in_one_thread


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
def test_the_launches_of_a_text(source: str | None, serial: bool) -> None:
    candidate = SimpleNamespace(source=source, one_thread=False)
    assert runs_in_one_thread(SimpleNamespace(verdict=SimpleNamespace(evidence=None), candidate=candidate)) is serial


@pytest.mark.parametrize(("launches", "threads", "serial"), [(2, 2, True), (1, 32, False), (0, 0, False)])
def test_what_the_emulator_counted_is_believed_before_the_text(launches: int, threads: int, serial: bool) -> None:
    verdict = SimpleNamespace(evidence=SimpleNamespace(launches=launches, threads=threads))
    candidate = SimpleNamespace(source="a<<<9, 9>>>(x);", one_thread=False)
    assert runs_in_one_thread(SimpleNamespace(verdict=verdict, candidate=candidate)) is serial


def test_who_wrote_it_may_know_that_one_thread_does_most() -> None:
    verdict = SimpleNamespace(evidence=SimpleNamespace(launches=2, threads=300))
    candidate = SimpleNamespace(source="a<<<9, 9>>>(x); b<<<1, 1>>>(x);", one_thread=True)
    assert runs_in_one_thread(SimpleNamespace(verdict=verdict, candidate=candidate))
