"""What is compiled is seen from the compilers' calls, whoever makes them, and is told of the user's own files."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from regrapht.errors import ConfigError
from regrapht.records.user_code import BuildFlags
from regrapht.session.port.compile_log import CompileLog, write_database
from regrapht.tasks.project.build_flags import flags_of


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for folder in ("copy", "mine"):
        for part in ("inc", "inc two", "src"):
            (tmp_path / folder / part).mkdir(parents=True)
        (tmp_path / folder / "src" / "a.cpp").write_text('#include "a.h"\nint a() { return A + NAMED; }\n')
        (tmp_path / folder / "inc" / "a.h").write_text("#define A 1\n")
    (tmp_path / "copy" / "made").mkdir()
    return tmp_path / "copy"


def test_folders_macros_and_standards_are_those_of_the_users_files(copy: Path, tmp_path: Path) -> None:
    log = CompileLog(tmp_path / "log")
    changed = log.open()
    words = [
        "g++",
        "-I",
        "../inc",
        "-I../inc two",
        "-isystem../made",
        "-DNAMED=2",
        "-std=c++14",
        "-c",
        "a.cpp",
        "-o",
        "a.o",
    ]
    subprocess.run(words, cwd=copy / "src", env={**os.environ, **changed}, check=True)
    found = log.compiled(copy)
    assert [one.source for one in found] == [Path("src/a.cpp")] and found[0].output == "a.o"
    write_database(found, copy, tmp_path / "mine", tmp_path / "commands.json")
    flags = flags_of(tmp_path / "mine" / "src" / "a.cpp", BuildFlags(project=tmp_path / "commands.json"))
    assert flags.defines == ("NAMED=2",) and flags.standard == "c++14"
    own = [path for path in flags.include if path.is_relative_to(tmp_path / "mine")]
    assert own[:2] == [tmp_path / "mine" / "inc", tmp_path / "mine" / "inc two"]
    assert copy / "made" in flags.include, "headers that the build makes are looked for where they are"
    assert json.loads((tmp_path / "commands.json").read_text())[0]["file"] == str(tmp_path / "mine" / "src" / "a.cpp")


def test_headers_that_are_read_first_are_the_users_or_those_the_build_made(copy: Path, tmp_path: Path) -> None:
    log = CompileLog(tmp_path / "log")
    (copy / "made" / "first.h").write_text("#define NAMED 1\n")
    (copy / "src" / "a.cpp").write_text("int a() { return A + NAMED; }\n")
    (tmp_path / "mine" / "src" / "a.cpp").write_text("int a() { return A + NAMED; }\n")
    words = ["g++", "-include", "../inc/a.h", "-include", "../made/first.h", "-include", "cmath", "-c", "a.cpp"]
    subprocess.run(words, cwd=copy / "src", env={**os.environ, **log.open()}, check=True)
    write_database(log.compiled(copy), copy, tmp_path / "mine", tmp_path / "commands.json")
    flags = flags_of(tmp_path / "mine" / "src" / "a.cpp", BuildFlags(project=tmp_path / "commands.json"))
    named = (str(tmp_path / "mine" / "inc" / "a.h"), str(copy / "made" / "first.h"), "cmath")
    assert flags.forced == tuple(("-include", one) for one in named)


def test_what_a_port_adds_reaches_the_compiler(copy: Path, tmp_path: Path) -> None:
    changed = {**CompileLog(tmp_path / "log").open(), "REGRAPHT_WORDS": "-DNAMED=3 -Iinc"}
    subprocess.run(["g++", "-c", "src/a.cpp"], cwd=copy, env={**os.environ, **changed}, check=True)


def test_a_build_that_compiles_nothing_is_told(copy: Path, tmp_path: Path) -> None:
    log = CompileLog(tmp_path / "log")
    log.open()
    with pytest.raises(ConfigError, match="--build compiled no C"):
        log.compiled(copy)
