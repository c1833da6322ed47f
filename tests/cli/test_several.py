"""Several functions of one file are taken in turn; one that cannot be does not keep the others."""

import pytest

from regrapht.cli.several import folder_for, split
from regrapht.tasks.load import load_task

SOURCE = """\
void twice(const float* a, float* b, int n) { for (int i = 0; i < n; ++i) b[i] = 2 * a[i]; }
void half(const float* a, float* b, int n) { for (int i = 0; i < n; ++i) b[i] = a[i] / 2; }
void odd(const float* a, float* b, const int* at, int n) { for (int i = 0; i < n; ++i) b[at[at[i]]] = a[i]; }
float first(const float* a) { return a[0]; }
"""


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a", ["a"]),
        ("a, b", ["a", "b"]),
        ("n::f<int, 3>,g(int, double*),h:12", ["n::f<int, 3>", "g(int, double*)", "h:12"]),
        ("a,,b,", ["a", "b"]),
    ],
)
def test_names_are_split_outside_of_brackets(text, names):
    assert split(text) == names


def test_each_of_several_has_a_folder_of_its_own(tmp_path):
    assert folder_for(tmp_path, "swe::Solver::step", True) == tmp_path / "swe_Solver_step"
    assert folder_for(tmp_path, "step", False) == tmp_path and folder_for(None, "a", True) is None


def test_init_writes_a_task_for_each(cli, tmp_path):
    (tmp_path / "mine.cpp").write_text(SOURCE)
    done = cli("init", tmp_path / "mine.cpp", "--entry", "twice,half", "--out", tmp_path / "tasks")
    assert done.returncode == 0, done.stderr
    assert {load_task(tmp_path / "tasks" / name).entry for name in ("twice", "half")} == {"twice", "half"}
    done = cli("init", tmp_path / "mine.cpp", "--entry", "twice,nothing", "--out", tmp_path / "tasks", "--force")
    assert done.returncode == 2 and "nothing" in done.stderr and "Traceback" not in done.stderr
    assert "twice" in done.stdout


def test_all_takes_what_a_task_can_be_made_of(cli, tmp_path):
    pytest.importorskip("clang.cindex", reason="needs Clang's library: pip install libclang-ng")
    (tmp_path / "mine.cpp").write_text(SOURCE)
    done = cli("init", tmp_path / "mine.cpp", "--all", "--out", tmp_path / "tasks")
    assert done.returncode == 0, done.stderr
    assert {path.name for path in (tmp_path / "tasks").iterdir()} >= {"twice", "half"}
    assert not (tmp_path / "tasks" / "first").exists(), "it has no loop"
    done = cli("init", tmp_path / "mine.cpp", "--all", "--entry", "half")
    assert done.returncode == 2 and "--entry" in done.stderr
