"""A person's own program: what a run of it is asked, and what is said before anything runs."""

import pytest

from regrapht.errors import ConfigError
from regrapht.records.run import Budget, RunOptions
from regrapht.session import tune

PROGRAM = "#define BLOCK 32  // tune: BLOCK = 64 | 256\n__global__ void k(float* x) { x[threadIdx.x] = BLOCK; }\n"
TASK = "void f(int n, float* x) { for (int i = 0; i < n; ++i) x[i] = 32.0f; }\n"


@pytest.fixture
def place(tmp_path):
    (tmp_path / "f.cpp").write_text(TASK)
    (tmp_path / "mine.cu").write_text(PROGRAM)
    return tmp_path


def test_the_search_asks_for_that_one_program(place, monkeypatch):
    asked = []
    monkeypatch.setattr(tune, "launch", lambda path, options, **allowed: asked.append((path, options, allowed)))
    wanted = RunOptions(tune=4, seed=2, workers=3)
    tune.launch_tuning(place / "f.cpp", place / "mine.cu", wanted, allow_root=True, force=True)
    ((path, options, allowed),) = asked
    assert path == place / "f.cpp" and allowed == {"allow_root": True, "force": True}
    assert (options.search, options.proposer, options.budget) == ("direct", "given", Budget(candidates=1))
    assert options.given.source == PROGRAM and options.given_file == place / "mine.cu"
    assert (options.tune, options.seed, options.workers) == (4, 2, 3)


def test_a_program_with_nothing_open_is_refused(place):
    (place / "mine.cu").write_text(PROGRAM.replace("// tune", "// was"))
    with pytest.raises(ConfigError, match=r"mine.cu: nothing to tune: .*// tune: TILE = 8 | 16 | 32"):
        tune.launch_tuning(place / "f.cpp", place / "mine.cu", RunOptions(tune=4))
