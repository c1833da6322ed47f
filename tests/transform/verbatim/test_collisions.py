"""Scatters of bare functions: turns that meet at some size or value are not taken to be independent; those that never do still are."""

from dataclasses import replace

import pytest

from regrapht.evaluate.observation.kept import KeptRuns
from regrapht.records.reach import Reached
from regrapht.records.task import Init
from regrapht.tasks.infer import infer_task
from regrapht.transform.engine import Engine
from regrapht.transform.reach import reach

COLLIDING = {
    "a modulus": "void f(int n, int r, const float* x, float* y) { for (int i = 0; i < n; ++i) y[i % r] = x[i]; }",
    "sizes the other way round": "void f(int r, int n, const float* x, float* y) { for (int i = 0; i < n; ++i) y[i % r] = x[i]; }",
    "a modulus that is read and written": "void f(int n, int r, const float* x, float* y) {"
    " for (int i = 0; i < n; ++i) y[i % r] = 0.5f * y[i % r] + x[i]; }",
    "a constant modulus": "void f(int n, const float* x, float* y) { for (int i = 0; i < n; ++i) y[i % 1000] = x[i]; }",
    "a product as modulus": "void f(int n, int h, int w, const int* x, int* y) { for (int i = 0; i < n; ++i) y[i % (h * w)] = x[i]; }",
    "a ring of a nest": "void f(int n, int m, int r, const int* x, int* y) {"
    " for (int i = 0; i < n; ++i) for (int j = 0; j < m; ++j) y[(i * m + j) % r] = x[i * m + j]; }",
    "a quotient": "void f(int n, int r, const float* x, float* y) { for (int i = 0; i < n; ++i) y[i / r] = x[i] - y[i / r]; }",
    "a mask": "void f(int n, const int* x, int* y) { for (int i = 0; i < n; ++i) y[i & 1023] = x[i]; }",
    "a shift": "void f(int n, const int* x, int* y) { for (int i = 0; i < n; ++i) y[i >> 9] = x[i]; }",
    "a cap by data": "#include <algorithm>\nvoid f(int n, int m, const int* x, int* y) {"
    " for (int i = 0; i < n; ++i) y[std::min(i * (1 + (x[0] & 1)), m - 1)] = x[i]; }",
    "a constant cap": "void f(int n, const float* x, float* y) { for (int i = 0; i < n; ++i) y[i < 255 ? i : 255] = x[i]; }",
    "a table": "void f(int n, int m, const int* at, const float* x, float* y) { for (int i = 0; i < n; ++i) y[at[i] % m] = x[i]; }",
    "a hash of the turn": "#include <cstdint>\nvoid f(int n, const int* x, int* y) {"
    " for (int i = 0; i < n; ++i) y[((uint32_t)i * 2654435761u) % 4096u] = x[i]; }",
    "a hash of data": "#include <cstdint>\nvoid f(int n, const uint32_t* x, int* y) {"
    " for (int i = 0; i < n; ++i) y[(x[i] * 2654435761u ^ x[i] >> 7) & 65535] = i; }",
    "a product that wraps": "void f(int n, const float* x, float* y) {"
    " for (int i = 0; i < n; ++i) y[((unsigned)i * 4194304u) >> 12] = x[i]; }",
    "a shift that wraps": "void f(int n, const float* x, float* y) {"
    " for (int i = 0; i < n; ++i) y[((unsigned)i << 20) >> 16] = x[i]; }",
    "a counter of two bytes": "void f(int n, const float* x, float* y) {"
    " for (int i = 0; i < n; ++i) { const unsigned short k = i * 3; y[k] = x[i]; } }",
    "a prime stride": "void f(int n, const int* x, int* y) { for (int i = 0; i < n; ++i) y[(i * 7919) % n] = x[i]; }",
    "a stride": "void f(int n, int s, const int* x, int* y) { for (int i = 0; i < n; ++i) y[(int)((long long)i * s % n)] = x[i]; }",
    "a bin of floats": "void f(int n, const float* x, int* y) {"
    " for (int i = 0; i < n; ++i) y[(int)(x[i] * 0.999f * 65536.0f) & 65535] = i; }",
    "a mirror": "void f(int n, const int* x, int* y) { for (int i = 0; i < 2 * n; ++i) y[i < n ? i : 2 * n - 1 - i] = x[i]; }",
}  # fmt: skip
CAP = """#include <algorithm>
void f(int n, int m, const float* x, float* y) { for (int i = 0; i < n; ++i) y[std::min(i, m - 1)] = x[i]; }
"""
INDEPENDENT = {
    "a rotation": "void f(int n, int s, const float* x, float* y) { for (int i = 0; i < n; ++i) y[(i + s) % n] = x[i]; }",
    "interleaved halves": "void f(int n, const int* x, int* y) { for (int i = 0; i < 2 * n; ++i) y[i % 2 * n + i / 2] = x[i]; }",
    "a table without repeats": "void f(int n, const int* at, const float* x, float* y) { for (int i = 0; i < n; ++i) y[at[i]] = x[i]; }",
}  # fmt: skip


@pytest.fixture(scope="module")
def engine(observer, tmp_path_factory):
    return Engine(KeptRuns(folder=tmp_path_factory.mktemp("observed")))


def how(engine, folder, text: str, permutation: Init | None = None):
    file = folder / "f.cpp"
    file.write_text(text)
    task = infer_task(file).task
    args = tuple(
        replace(arg, init=permutation) if arg.name == "at" and permutation is not None else arg for arg in task.args
    )
    return reach(engine, replace(task, args=args))


@pytest.mark.parametrize("text", COLLIDING.values(), ids=COLLIDING)
def test_turns_that_meet_somewhere_are_seen_to(engine, tmp_path, text):
    """One thread runs them, one for each remainder, or the last turn claims its element: none is taken for independent."""
    found = how(engine, tmp_path, text)
    if found.how.has_threads:
        file = tmp_path / "again.cpp"
        file.write_text(text)
        task = infer_task(file).task
        text = engine.text(task, engine.plain(task))
        assert found.how is Reached.PROVED and ("atomicMax(" in text or "chain" in text), found


def test_a_cap_is_asked_for_before_the_threads_start(engine, tmp_path):
    """Turns meet where `n > m`: the program tests that, and one thread runs the loop then."""
    file = tmp_path / "f.cpp"
    file.write_text(CAP)
    task = infer_task(file).task
    assert "if (m >= n)" in engine.text(task, engine.plain(task))


@pytest.mark.parametrize("text", INDEPENDENT.values(), ids=INDEPENDENT)
def test_turns_that_never_meet_are_taken(engine, tmp_path, text):
    found = how(engine, tmp_path, text, Init(kind="permutation", parameters={}))
    assert found.how in (Reached.OBSERVED, Reached.PROVED), found
