"""Outputs of two runs are compared to the character, or in their numbers alone."""

import os
from pathlib import Path

import pytest

from regrapht.errors import ConfigError
from regrapht.session.port import copies
from regrapht.session.port.copies import Ran, build, compare, copy_tree, distance, run, steadied


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


@pytest.mark.parametrize(
    ("again", "tolerance", "unsteady", "words"),
    [
        (ran("sum 1\ntook 3 s", log="a"), None, {}, "exact"),
        (ran("sum 1\ntook 4 s", log="a"), None, {"the output": {1}}, "others in each run were left out: 1"),
        (ran("sum 1\ntook 3.001 s", log="a"), 0.01, {}, "exact"),
        (ran("sum 1\ntook 4 s", log="b"), None, {"the output": {1}, "log": {0}}, "left out: 2"),
    ],
)
def test_lines_that_are_others_in_each_run_are_not_compared(again, tolerance, unsteady, words) -> None:
    first = steadied(ran("sum 1\ntook 3 s", log="a"), again, tolerance)
    assert {name: set(lines) for name, lines in first.unsteady.items()} == unsteady
    ours = ran("sum 1\ntook 9 s" if unsteady else "sum 1\ntook 3 s", log="c" if "log" in unsteady else "a")
    found = compare(first, ours, tolerance)
    assert found.equal and words in found.words
    assert not compare(first, ran("sum 2\ntook 3 s", log="a"), tolerance).equal
    assert not compare(first, ran("sum 1", log="a"), tolerance).equal


@pytest.mark.parametrize("again", [ran("b 2"), ran("a 1\na 2"), ran("a 1", 1), ran("a 1", log="x")])
def test_an_application_that_is_another_in_each_run_is_told_what_to_do(again) -> None:
    with pytest.raises(ConfigError, match=r"in two runs of|two runs of .* differently") as told:
        steadied(ran("a 1"), again, None)
    assert "fixed seed" in str(told.value)


def test_a_run_that_takes_too_long_is_ended_and_told(tmp_path: Path) -> None:
    ours = run("echo begun; sleep 60; echo done", tmp_path, limit_s=0.5)
    assert ours.stopped and ours.seconds < 50
    told = compare(ran("done"), ours, None)
    assert not told.equal and "had not ended" in told.words


def test_a_copy_is_built_anew_can_be_written_to_and_keeps_its_links(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    (mine / "src").mkdir(parents=True)
    (mine / "old").mkdir()
    (mine / "old" / "meson-private").mkdir()
    (mine / "CMakeCache.txt").write_text("")
    (tmp_path / "shared.h").write_text("shared")
    (mine / "src" / "a.cpp").write_text("a")
    (mine / "src" / "a.o").write_text("object")
    (mine / "out.h").symlink_to("../shared.h")
    (mine / "in.h").symlink_to(mine / "src" / "a.cpp")
    (mine / "lost.h").symlink_to("nowhere")
    os.utime(mine / "src" / "a.cpp", (1, 1))
    (mine / "src" / "a.cpp").chmod(0o444)
    (mine / "src").chmod(0o555)
    try:
        copy = tmp_path / "deep" / "er" / "copy"
        copy_tree(mine, copy, leave_out=tmp_path / "deep")
    finally:
        (mine / "src").chmod(0o755)
    assert not (copy / "CMakeCache.txt").exists() and not (copy / "old").exists()
    assert (copy / "src" / "a.cpp").stat().st_mtime >= (copy / "src" / "a.o").stat().st_mtime
    assert all(path.stat().st_mode & 0o200 for path in (copy / "src", copy / "src" / "a.cpp"))
    assert (copy / "out.h").read_text() == "shared" and (copy / "lost.h").is_symlink()
    (copy / "in.h").write_text("changed")
    assert (mine / "src" / "a.cpp").read_text() == "a", "a link in the copy led to the user's file"


def test_a_run_that_lasts_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies, "_TOLD_EVERY_S", 0.05)
    told: list[float] = []
    assert run("sleep 0.5; echo done", tmp_path, waiting=told.append).printed == "done\n"
    assert len(told) > 1 and told == sorted(told)
