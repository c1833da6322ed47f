"""How a file is compiled, from compile_commands.json and from the command line."""

import json
import subprocess
from pathlib import Path

import pytest

from regrapht.errors import TaskError
from regrapht.records.user_code import BuildFlags
from regrapht.tasks.project.build_flags import flags_of, with_defaults
from regrapht.tasks.project.clang_unit import parse_unit
from regrapht.tasks.project.standalone import stand_alone


def database(folder, *entries):
    (folder / "compile_commands.json").write_text(json.dumps(list(entries)))
    return BuildFlags(project=folder)


def test_a_command_is_read_with_its_folders_macros_and_standard(tmp_path):
    source = tmp_path / "src" / "a.cpp"
    source.parent.mkdir()
    source.write_text("")
    (tmp_path / "inc").mkdir()
    command = (
        "/usr/bin/icpx -DA=1 -D B -DC -UC -Iinc -I deep -isystem /opt/x -O3 -xHost -std=gnu++2a -o a.o -c src/a.cpp"
    )
    flags = flags_of(source, database(tmp_path, {"directory": str(tmp_path), "file": "src/a.cpp", "command": command}))
    assert flags.include == (tmp_path / "inc", tmp_path / "deep", Path("/opt/x"))
    assert flags.defines == ("A=1", "B") and flags.standard == "gnu++2a"
    assert with_defaults(flags).standard == "c++20"


def test_what_is_asked_for_counts_before_what_the_project_says(tmp_path):
    source = tmp_path / "a.cpp"
    source.write_text("")
    arguments = ["c++", "-DN=1", "-std=c++14", "a.cpp"]
    known = database(tmp_path, {"directory": str(tmp_path), "file": "a.cpp", "arguments": arguments})
    flags = flags_of(source, BuildFlags(project=known.project, defines=("N=2",), standard="c++17"))
    assert flags.defines[-1] == "N=2" and flags.standard == "c++17"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "no such file"),
        ("[", "is broken"),
        ('{"a": 1}', "no list of entries"),
        ('[{"file": "b.cpp", "directory": "/x"}]', "no list of entries"),
        ('[{"file": "b.cpp", "directory": "/gone", "command": "c++ b.cpp"}]', "it knows b.cpp"),
        ("[]", "it knows nothing"),
    ],
)
def test_a_database_that_does_not_help_says_why_and_what_would(tmp_path, text, words):
    source = tmp_path / "a.cpp"
    source.write_text("")
    if text is not None:
        (tmp_path / "compile_commands.json").write_text(text)
    with pytest.raises(TaskError, match=words) as caught:
        flags_of(source, BuildFlags(project=tmp_path))
    assert "compile_commands.json" in str(caught.value)


def test_a_header_is_compiled_as_a_file_beside_it(tmp_path):
    header = tmp_path / "a.hpp"
    header.write_text("")
    flags = flags_of(
        header, database(tmp_path, {"directory": str(tmp_path), "file": "a.cpp", "command": "c++ -DWIDE a.cpp"})
    )
    assert flags.defines == ("WIDE",)


@pytest.mark.parametrize("compiler", ["cl.exe", r"C:\tools\cl.exe", "/opt/llvm/bin/clang-cl"])
def test_options_as_microsoft_spells_them_are_read(tmp_path, compiler):
    (tmp_path / "a.cpp").write_text("")
    (tmp_path / "inc").mkdir()
    arguments = [compiler, "/nologo", "/std:c++20", "/EHsc", "/DN=4", "/D", "M", "/Iinc", "/O2", "/c", "a.cpp"]
    known = database(tmp_path, {"directory": str(tmp_path), "file": "a.cpp", "arguments": arguments})
    flags = flags_of(tmp_path / "a.cpp", known)
    assert flags.include == (tmp_path / "inc",) and flags.defines == ("N=4", "M") and flags.standard == "c++20"


def test_flags_in_a_file_of_their_own_are_read(tmp_path):
    """As CMake with Ninja writes them where a line would be too long."""
    (tmp_path / "a.cpp").write_text("")
    (tmp_path / "a.rsp").write_text('-DROWS=4 "-DNAME=a b"\n-I inc\n')
    command = {"directory": str(tmp_path), "file": "a.cpp", "command": "ccache g++ @a.rsp -std=c++20 -c a.cpp"}
    flags = flags_of(tmp_path / "a.cpp", database(tmp_path, command))
    assert flags.defines == ("ROWS=4", "NAME=a b") and flags.include == (tmp_path / "inc",)
    (tmp_path / "a.rsp").unlink()
    with pytest.raises(TaskError, match=r"a\.rsp with more of its flags, which cannot be read"):
        flags_of(tmp_path / "a.cpp", database(tmp_path, command))


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("#include <span>\nvoid f(std::span<float> x) {}\n", "-std with the project's own standard"),
        (
            "#include <vector>\nvoid f(std::vector<int>& x) { std::erase(x, 1); }\n",
            "-std with the project's own standard",
        ),
        ('#ifndef FAST\n#error "FAST is needed"\n#endif\n', "-D NAME=VALUE"),
        ("void f(int* x) { x[0] = ROWS; }\n", "-D NAME=VALUE"),
        ('#include "gone.hpp"\n', "-I FOLDER"),
        ("void f(int* x) { x[0] = 1 }\n", "correct that line"),
    ],
)
def test_what_does_not_compile_says_what_to_do(tmp_path, text, remedy):
    pytest.importorskip("clang.cindex")
    (tmp_path / "a.cpp").write_text(text)
    with pytest.raises(TaskError) as told:
        parse_unit(tmp_path / "a.cpp", BuildFlags())
    assert remedy in str(told.value) and "a.cpp: line " in str(told.value)


@pytest.mark.parametrize(
    ("words", "defines", "folders", "standard"),
    [  # one command a line
        (["nvcc", "-std", "c++17", "-Xcompiler", "-Wall,-DHOST=1", "--define-macro=N=2"], ("HOST=1", "N=2"), (), "c++17"),
        (["nvcc", "--std=c++20", "--define-macro", "A", "--options-file", "more.txt"], ("A", "FILED"), (), "c++20"),
        (["clang++", "-Xclang", "-DPASSED", "-Wp,-DN=3,-DB", "--include-directory=inc"], ("PASSED", "N=3", "B"), ("inc",), None),
        (["icpx", "-qopenmp", "-xHost", "-fp-model=fast", "-iquote", "inc"], (), ("inc",), None),
    ],
)  # fmt: skip
def test_options_of_other_compilers_are_read(tmp_path, words, defines, folders, standard):
    (tmp_path / "a.cpp").write_text("")
    (tmp_path / "inc").mkdir()
    (tmp_path / "more.txt").write_text("-DFILED")
    known = database(tmp_path, {"directory": str(tmp_path), "file": "a.cpp", "arguments": [*words, "-c", "a.cpp"]})
    flags = flags_of(tmp_path / "a.cpp", known)
    assert flags.defines == defines and flags.standard == standard
    assert flags.include == tuple(tmp_path / one for one in folders)


COMMANDS = [
    "ccache g++ -DN=2 -I../inc -std=c++17 -c ../a.cpp",
    "/usr/bin/distcc clang++ -DN=2 -I../inc -std=c++17 -fcolor-diagnostics -Weverything -c ../a.cpp",
    "env FAST=1 g++ -DN=2 -I../inc -std=c++17 -c ../a.cpp",
    "CCACHE_DIR=/x ccache g++ -DN=2 -I../inc -std=c++17 -c ../a.cpp",
    "cd /x && g++ -DN=2 -I../inc -std=c++17 -c ../a.cpp && touch done",
    'sh -c "g++ -DN=2 -I../inc -std=c++17 -c ../a.cpp"',
    '/bin/bash -lc "ccache g++ -DN=2 -I../inc -std=c++17 -c ../a.cpp"',
    r"cmd.exe /C C:\tools\cl.exe /DN=2 /I..\inc /std:c++17 /c ..\a.cpp",
    r"sccache cl.exe /nologo /DN=2 /I..\inc /std:c++17 /c ..\a.cpp",
    "sccache clang-cl -DN=2 /I ../inc -std:c++17 /c ../a.cpp",
    "icx-cl /DN=2 /I ../inc /Qstd:c++17 /c ../a.cpp",
    "nvcc -forward-unknown-to-host-compiler -ccbin=g++ -DN=2 -isystem=../inc -std=c++17 -gencode arch=compute_90 -x cu -c ../a.cpp",
    'nvcc -Xcompiler "-fPIC -DN=2" -I../inc -std c++17 -c ../a.cpp',
    r"nvcc -Xcompiler \"-DN=2\" -I../inc --std=c++17 -c ../a.cpp",
    "nvc++ -mp=gpu -Minfo=all -DN=2 -I../inc --c++17 -c ../a.cpp",
    "icpx -fiopenmp -fopenmp-targets=spir64 -qmkl -DN=2 -cxx-isystem ../inc -std=c++17 -c ../a.cpp",
]


@pytest.mark.parametrize("directory", ["build", None], ids=["relative", "absolute"])
@pytest.mark.parametrize("command", COMMANDS)
def test_launchers_shells_and_other_compilers_commands_are_read(tmp_path, monkeypatch, command, directory):
    """From any folder: a database's own relative folders are below the folder that it stands in."""
    (tmp_path / "a.cpp").write_text("")
    for name in ("inc", "build", "elsewhere"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    entry = {"directory": directory or str(tmp_path / "build"), "file": "../a.cpp", "command": command}
    flags = flags_of(tmp_path / "a.cpp", database(tmp_path, entry))
    assert flags.defines == ("N=2",) and flags.standard == "c++17"
    assert [folder.resolve() for folder in flags.include] == [tmp_path / "inc"]


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ({"command": ""}, "has no command for a.cpp"),
        ({"arguments": []}, "has no command for a.cpp"),
        ({"command": "sh -c"}, "has no command for a.cpp"),
        ({"command": 'g++ "-DN=1 -c a.cpp'}, "no shell can read: No closing quotation"),
        ({"arguments": ["g++", 3]}, "no list of entries"),
    ],
)
def test_a_command_that_cannot_be_read_is_told(tmp_path, command, words):
    (tmp_path / "a.cpp").write_text("")
    with pytest.raises(TaskError, match=words) as told:
        flags_of(tmp_path / "a.cpp", database(tmp_path, {"directory": ".", "file": "a.cpp", **command}))
    assert "compile_commands.json" in str(told.value) and "let the build write it again" in str(told.value)


@pytest.mark.parametrize(
    "words",
    [
        ["g++", "-include", "first.h"],
        ["g++", "-include", "build/first.h"],
        ["g++", "-include../first.h", "-include", "cmath"],
        ["g++", "-imacros", "macros.h", "-include", "cmath", "-Iinc"],
        ["g++", "-Winvalid-pch", "-include", "build/lists.hxx"],
        ["clang++", "-Xclang", "-include-pch", "-Xclang", "x.pch", "-Xclang", "-include", "-Xclang", "build/lists.hxx"],
        [r"C:\\tools\\cl.exe", "/FIfirst.h", "/c"],
    ],
)  # fmt: skip
def test_what_is_included_before_the_file_counts(tmp_path, words):
    """Macros and functions of headers that the build names first, and of those that CMake lists to be precompiled."""
    pytest.importorskip("clang.cindex")
    tree = tmp_path / "tree"
    (tree / "build").mkdir(parents=True)
    (tree / "inc").mkdir()
    header = (
        "#include <cmath>\n#define SCALE 3\nstatic inline double grown(double x) { return std::fabs(x) * SCALE; }\n"
    )
    (tree / "own.h").write_text(header)
    for place in (tree, tree / "build", tmp_path):
        (place / "first.h").write_text(header)
    (tree / "inc" / "macros.h").write_text("#define SCALE 3\n#define grown(x) (std::fabs(x) * SCALE)\n")
    listed = f'#pragma GCC system_header\n#ifdef __cplusplus\n#include <vector>\n#include "{tree}/own.h"\n#endif\n'
    (tree / "build" / "lists.hxx").write_text(listed)
    (tree / "a.cpp").write_text(
        "void f(double* x, int n) { for (int i = 0; i < n; ++i) x[i] = grown(x[i]) + SCALE; }\n"
    )
    known = database(tree, {"directory": str(tree), "file": "a.cpp", "arguments": [*words, "-c", "a.cpp"]})
    alone = stand_alone(tree / "a.cpp", "f", known)
    assert "SCALE" in alone.text and "<cmath>" in alone.text
    (tmp_path / "alone.cpp").write_text(alone.text)
    subprocess.run(["g++", "-fsyntax-only", tmp_path / "alone.cpp"], check=True)


def test_a_header_to_be_included_first_that_is_not_there(tmp_path):
    pytest.importorskip("clang.cindex")
    (tmp_path / "a.cpp").write_text("void f(double* x, int n) { for (int i = 0; i < n; ++i) x[i] = 1; }\n")
    command = {"directory": str(tmp_path), "file": "a.cpp", "command": "g++ -include gone.h -c a.cpp"}
    with pytest.raises(TaskError, match=r"a\.cpp: does not compile: 'gone\.h' file not found.*build the project again"):
        stand_alone(tmp_path / "a.cpp", "f", database(tmp_path, command))
