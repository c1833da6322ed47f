"""Several files as one text: what a compiler makes of it is what it makes of them apart, and every line knows its file."""

import subprocess
from pathlib import Path

import pytest

from regrapht.errors import ConfigError
from regrapht.source.merged import merge

ENTRY = (
    "int twice(int);\nextern int limit;\n#define STEP 2\n"
    "static int own(int i) { return i + STEP; }\nint entry() { return own(twice(limit)); }\n"
)
OTHER = (
    "#ifdef STEP\n#error a macro of another file\n#endif\nint limit = 20;\n"
    "static int own(int i) { return 2 * i; }\nint twice(int i) { return own(i); }\n"
)


def merged(files, order=None):
    return merge({Path("/given") / name: files[name] for name in order or files})


def returned(text, tmp_path):
    """What `entry()` of the text returns."""
    (tmp_path / "all.cpp").write_text(text + "\nint main() { return entry(); }\n")
    subprocess.run(["g++", "-std=c++17", "-o", "all", "all.cpp"], cwd=tmp_path, check=True, capture_output=True)
    return subprocess.run([tmp_path / "all"], check=False).returncode


def test_one_file_stays_as_it_is():
    one = merged({"a.cu": '#include "b.h"\nint a;'})
    assert one.text == '#include "b.h"\nint a;' and one.place(1) is None and one.told("line 1", name="x") == "line 1"


@pytest.mark.parametrize("order", [("entry.cu", "other.cu"), ("other.cu", "entry.cu")])
def test_macros_and_names_of_a_file_stay_its_own(order, tmp_path):
    assert returned(merged({"entry.cu": ENTRY, "other.cu": OTHER}, order).text, tmp_path) == 42


@pytest.mark.parametrize(
    "header",
    [
        "#pragma once\nstruct Pair { int a, b; };\nint sum(Pair);\n",
        "#ifndef OWN_H\n#define OWN_H\nstruct Pair { int a, b; };\nint sum(Pair);\n#endif\n",
        "struct Pair { int a, b; };\nint sum(Pair);\n",
    ],
)
def test_headers_are_written_where_they_are_quoted_whatever_they_are_called(header, tmp_path):
    files = {
        "cuda_own.h": header,
        "a.cu": '#include "cuda_own.h"\n#include <cstdlib>\nint entry() { return sum(Pair{40, 2}); }\n',
        "b.cu": '// #include "none.h"\n/*\n#include "cuda_own.h"\n*/\n#include "cuda_own.h"\nint sum(Pair p) { return p.a + p.b; }\n',
    }
    for order in (("a.cu", "b.cu", "cuda_own.h"), ("cuda_own.h", "b.cu", "a.cu")):
        assert returned(merged(files, order).text, tmp_path) == 42


def test_a_list_that_is_included_twice_is_written_twice(tmp_path):
    files = {
        "names.inc": "NAME(one)\nNAME(two)\n",
        "a.cu": '#define NAME(x) x,\nenum { \n#include "names.inc"\ncount };\n#undef NAME\n#define NAME(x) + 20\n'
        'int entry() { return count\n#include "names.inc"\n; }\n',
    }
    assert returned(merged(files).text, tmp_path) == 42


def test_constants_hidden_namespaces_and_sources_that_are_included(tmp_path):
    files = {
        "a.cu": 'const int size = 2;\nconstexpr int kinds[] = {1, 2};\nnamespace { int help() { return size; } }\n#include "part.cu"\n'
        "int other();\nint entry() { return part() * help() + other() + kinds[1]; }\n",
        "part.cu": "int part() { return 5; }\n",
        "b.cu": "const int size = 29;\nconstexpr int kinds[] = {1};\nnamespace { int help() { return size + kinds[0]; } }\n"
        "int other() { return help(); }\n",
    }
    assert returned(merged(files).text, tmp_path) == 42


def test_lines_are_told_by_file():
    one = merged({"a.cu": '#include "b.h"\nint a;\n', "b.h": "#pragma once\nint b;\n"})
    lines = one.text.split("\n")
    at_a, at_b = lines.index("int a;") + 1, lines.index("int b;") + 1
    assert one.place(at_a) == ("a.cu", 2) and one.place(at_b) == ("b.h", 2)
    said = one.told(f"x.cu:{at_b}:4: error\nx.cu({at_a}): error; line {at_a} and line {at_b}", name="x.cu")
    assert said == "b.h:2:4: error\na.cu(2): error; line 2 of a.cu and line 2 of b.h"


@pytest.mark.parametrize(
    "files",
    [
        {"a.h": "int a;", "b.h": "int b;"},
        {"a.cu": '#include "b.h"\n', "b.h": '#include "c.h"\n', "c.h": '#include "b.h"\n'},
        {"a.cu": "\n".join(f'#include "b{i % 9}.h"' for i in range(99)), **{f"b{i}.h": "x" * 99_999 for i in range(9)}},
    ],
    ids=["no source", "a circle", "too much"],
)
def test_what_is_no_program_is_told_so(files):
    with pytest.raises(ConfigError):
        merged(files)


OWN_IN_EACH = {
    "static": ("static int step(int i) { return i + 1; }", "static int step(int i) { return i * 2; }"),
    "no namespace's name": (
        "namespace { int step(int i) { return i + 1; } }",
        "namespace { int step(int i) { return i * 2; } }",
    ),
    "one of each": ("namespace { int step(int i) { return i + 1; } }", "static int step(int i) { return i * 2; }"),
    "beside everybody's": ("static int step(int i) { return i + 1; }", "int step(int i) { return i * 2; }"),
    "in no namespace beside everybody's": (
        "namespace { int step(int i) { return i + 1; } }",
        "int step(int i) { return i * 2; }",
    ),
    "templates": (
        "template <class T, int N = 1> T step(T i) { return i + N; }",
        "template <class T, int N = 2>\nstatic T step(T i) { return i * N; }",
    ),
    "inline": ("inline int step(int i) { return i + 1; }", "inline int step(int i) { return i * 2; }"),
    "types": (
        "struct Step { int by; };\nnamespace { struct Empty {}; }\nint step(int i) { return i + Step{1}.by; }",
        "struct Step { int times, more; };\nstruct Empty {};\nstatic int step(int i) { return i * Step{2, 0}.times; }",
    ),
    "names of types": (
        "using Whole = int;\nstatic Whole step(Whole i) { return i + 1; }",
        "typedef long Whole;\nstatic Whole step(Whole i) { return i * 2; }",
    ),
}


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("kind", OWN_IN_EACH)
def test_the_same_name_in_two_files(kind, first, tmp_path):
    one, other = OWN_IN_EACH[kind]
    files = {"a.cu": f"{one}\nint twice(int);\nint entry() {{ return twice(step(20)); }}\n"}
    files["b.cu"] = f"{other}\nint twice(int i) {{ return step(i); }}\n"
    assert returned(merged(files, sorted(files, reverse=bool(first))).text, tmp_path) == 42
