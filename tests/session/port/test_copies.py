"""Outputs of two runs are compared to the character, or in their numbers alone."""

from pathlib import Path

import pytest

from regrapht.errors import ConfigError
from regrapht.session.port.copies import Ran, build, compare, copy_tree, distance, run


@pytest.mark.parametrize(
    ("one", "two", "apart"),
    [
        ("x 1.0\n", "x 1.0\n", 0.0),
        ("x 1.0\n", "x 1.1\n", 0.1 / 1.1),
        ("x 1.0\n", "y 1.0\n", None),
        ("x 1e-300 2", "x 1e-300 2.5", 0.2),
        ("a -4", "a 4", 2.0),
        ("nan", "1", None),
        ("1 2", "1", None),
    ],
)
def test_numbers_are_apart_relatively_and_words_not_at_all(one: str, two: str, apart: float | None) -> None:
    found = distance(one, two)
    assert found is None if apart is None else found == pytest.approx(apart)


def ran(printed: str, code: int = 0, **files: str) -> Ran:
    return Ran(exit_code=code, seconds=1.0, printed=printed, files=files)


def test_files_exit_codes_and_tolerances_count() -> None:
    assert compare(ran("a 1"), ran("a 1"), None).words == "exact"
    close = compare(ran("a 1.000"), ran("a 1.001"), None)
    assert not close.equal and "--tolerance" in close.words
    assert compare(ran("a 1.000"), ran("a 1.001"), 0.01).equal
    assert not compare(ran("a 1.000"), ran("a 1.1"), 0.01).equal
    assert not compare(ran("a"), ran("a", 1), 0.1).equal
    assert not compare(ran("a", log="1"), ran("a"), 0.1).equal
    assert not compare(ran("a", log="b"), ran("a", log="c"), 0.1).equal


def test_a_build_that_fails_names_the_users_file(tmp_path: Path) -> None:
    copy, mine = tmp_path / "copy", tmp_path / "mine"
    copy.mkdir()
    with pytest.raises(ConfigError, match=r"mine/a\.cpp:3: error: no") as raised:
        build(f"echo {copy}/a.cpp:3: error: no; exit 4", copy, what="it does not build", of=mine)
    assert "ended with 4" in str(raised.value)


def test_a_run_is_what_it_prints_and_writes_and_copies_leave_builds_behind(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    for folder in ("src", ".git", "old-build", "out"):
        (mine / folder).mkdir(parents=True)
    (mine / "old-build" / "CMakeCache.txt").write_text("")
    (mine / "src" / "data.txt").write_text("1\n")
    copy_tree(mine, tmp_path / "copy", leave_out=mine / "out")
    assert [path.name for path in (tmp_path / "copy").iterdir()] == ["src"]
    ran = run("echo said; echo 2 >> src/data.txt; printf 'a\\0b' > raw.bin; exit 3", tmp_path / "copy")
    assert (ran.exit_code, ran.printed) == (3, "said\n")
    assert ran.files["src/data.txt"] == "1\n2\n" and len(ran.files["raw.bin"]) == 64, "raw files are hashed"
    assert (mine / "src" / "data.txt").read_text() == "1\n"


@pytest.mark.parametrize(
    ("files", "command", "said"),
    [
        ({"a.cpp": "int f(); int main() { return f(); }"}, "LC_ALL=C g++ a.cpp -o a", "undefined reference to `f()'"),
        ({"a.cpp": "int main() {}"}, "g++ a.cpp -o a -lno_such_library", "cannot find -lno_such_library"),
        (
            {"a.cpp": "int cudaError_t; int main() { return x; }"},
            "echo cudaError_t; LC_ALL=C g++ a.cpp",
            "'x' was not declared",
        ),
        ({"Makefile": "all: b.o\n"}, "LC_ALL=C make", "No rule to make target 'b.o'"),
    ],
    ids=["linker", "library", "compiler", "make"],
)
def test_a_build_that_fails_tells_what_is_wrong_first(
    tmp_path: Path, files: dict[str, str], command: str, said: str
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text + "\n")
    with pytest.raises(ConfigError) as refused:
        build(command, tmp_path, what="it does not build")
    assert said in str(refused.value).splitlines()[1]
