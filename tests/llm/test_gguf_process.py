from types import SimpleNamespace

import pytest

from regrapht.llm import gguf_process


@pytest.mark.parametrize(
    ("sizes", "looks"),
    [([0, 0, 5, 9, 9, 12], 5), ([7, 7, 8], 2), ([0] * 99, 9), (range(1, 99), 9)],
    ids=["late", "at once", "never", "without end"],
)
def test_a_log_that_is_written_late_is_waited_for(monkeypatch, sizes, looks):
    """As on a busy machine; at most as long as was said."""
    now, left = [0.0], list(sizes)

    def sleep(seconds):
        now[0] += seconds

    monkeypatch.setattr(gguf_process, "os", SimpleNamespace(fstat=lambda _: SimpleNamespace(st_size=left.pop(0))))
    monkeypatch.setattr(gguf_process, "time", SimpleNamespace(monotonic=lambda: now[0], sleep=sleep))
    gguf_process._let_the_log_be_written(longest_s=0.85)
    assert len(sizes) - len(left) == looks
