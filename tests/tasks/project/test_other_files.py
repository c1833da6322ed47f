"""Functions whose callees have their bodies in other files: what comes out of the flat one is what the program does."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from regrapht.errors import TaskError
from regrapht.records.user_code import BuildFlags
from regrapht.tasks.function_text import FunctionText, project_function

pytest.importorskip("clang.cindex")

HEADER = """\
#pragma once
#include <vector>
namespace tide {
struct Gauge { double low, high; double span() const; };
class Basin {
public:
    void run(int steps, double rate);
    std::vector<double> level, next;
    Gauge gauge{-1.0, 2.5};
private:
    void spread(double rate);
    void add(double what);
    void add(int what);
    int around(int i) const { return (i + 1) % (int)level.size(); }
};
double damped(double x);
void shift(std::vector<double>& v, double by);
namespace inner { double doubled(double x); }
}
"""
FILES = {
    "basin.cpp": """\
#include "basin.hpp"
namespace tide {
static double local(double x) { return 0.5 * x; }
double damped(double x) { return x - 0.125 * local(x); }
void Basin::run(int steps, double rate) {
    for (int k = 0; k < steps; ++k) {
        spread(rate);
        add(0.25);
        add(2);
        shift(level, gauge.span());
        for (int i = 0; i < (int)level.size(); ++i) level[i] = inner::doubled(level[i]);
    }
}
}
""",
    "spread.cpp": """\
#include "basin.hpp"
#define SHARE(x) ((x) * kShare)
namespace tide {
namespace { const double kShare = 0.75; }
void Basin::spread(double rate) {
    for (int i = 0; i < (int)level.size(); ++i) next[i] = level[i] + rate * SHARE(level[around(i)] - level[i]);
    for (int i = 0; i < (int)level.size(); ++i) level[i] = next[i];
}
void Basin::add(double what) { for (int i = 0; i < (int)level.size(); ++i) level[i] += what; }
void Basin::add(int what) { for (int i = 0; i < (int)level.size(); ++i) level[i] *= what; }
}
""",
    "shift.cpp": """\
#include "basin.hpp"
#include <cmath>
double tide::Gauge::span() const { return high - low; }
static double bent(double x) { return std::floor(x) + tide::damped(x); }  // and back to the first file
void tide::shift(std::vector<double>& v, double by) {
    for (int i = 0; i < (int)v.size(); ++i) v[i] += OFFSET * bent(by);
}
double tide::inner::doubled(double x) { return 2 * x; }
""",
}
MAIN = """
#include "basin.hpp"
#include <cstdio>
#include <cstddef>
{head};
int main() {{
    tide::Basin real, flat;
    real.level.resize(7);
    for (int i = 0; i < 7; ++i) real.level[i] = i * i;
    real.next = flat.next = flat.level = real.level;
    const int steps = 3;
    const double rate = 0.25;
    real.run(steps, rate);
    tide::Basin& self = flat;
    {call};
    for (int i = 0; i < 7; ++i) std::printf("%d", real.level[i] == flat.level[i]);
}}
"""


def written(folder: Path, changed: dict[str, str] | None = None) -> Path:
    (folder / "basin.hpp").write_text(HEADER)
    database = []
    for name, text in {**FILES, **(changed or {})}.items():
        (folder / name).write_text(text)
        command = f"g++ -std=c++17 -DOFFSET=0.5 -c {name}"
        database.append({"directory": str(folder), "file": name, "command": command})
    (folder / "compile_commands.json").write_text(json.dumps(database))
    return folder


def read(folder: Path) -> FunctionText:
    return project_function(folder / "basin.cpp", entry="Basin::run", flags=BuildFlags(project=folder))


def test_bodies_are_followed_into_the_files_where_they_are(tmp_path: Path) -> None:
    found = read(written(tmp_path))
    assert found.home is not None
    line = next(n for n, line in enumerate(found.text.splitlines(), 1) if "kShare" in line and "rate" in line)
    file, own = found.home.where(line)
    assert (Path(file).name, own) == ("spread.cpp", 6), "messages name the file where the line is"
    places = [place.expression.replace("this->", "self.") for place in found.home.places]
    head = found.text[found.text.rindex("void Basin_run(") :].partition("{")[0]
    (tmp_path / "main.cpp").write_text(MAIN.format(head=head, call=f"Basin_run({', '.join(places)})"))
    (tmp_path / "flat.cpp").write_text(found.text)
    names = [*FILES, "main.cpp", "flat.cpp"]
    subprocess.run(["g++", "-std=c++17", "-DOFFSET=0.5", "-o", "app", *names], cwd=tmp_path, check=True)
    said = subprocess.run([tmp_path / "app"], capture_output=True, text=True, check=True).stdout
    assert said == "1" * 7, found.text


@pytest.mark.parametrize(
    ("name", "old", "new", "why"),
    [
        (
            "spread.cpp",
            "namespace tide {",
            "namespace tide {\nstatic double local(double x) { return x; }",
            "'local.double.' is another",
        ),
        (
            "basin.cpp",
            "namespace tide {",
            "#define SHARE(x) (x)\nnamespace tide {\ninline int all = SHARE(1);",
            "another",
        ),
        ("shift.cpp", "void tide::shift", "void tide::moved", "line 10: calls 'shift', whose body is in another file"),
    ],
    ids=["a function of one name", "a macro of one name", "no file has it"],
)
def test_what_cannot_be_joined_is_refused_at_its_line(tmp_path: Path, name: str, old: str, new: str, why: str) -> None:
    text = re.sub(rf"\b{re.escape(old)}(?!\w)", new, FILES[name], count=1)
    text = text.replace("spread(rate);", "spread(rate * all);") if name == "basin.cpp" else text
    text = text.replace("+= what", "+= local(what)") if name == "spread.cpp" else text
    with pytest.raises(TaskError, match=why):
        read(written(tmp_path, {name: text}))


def test_without_a_compile_database_it_is_said_what_helps(tmp_path: Path) -> None:
    written(tmp_path)
    with pytest.raises(TaskError, match=r"whose body is in another file .*--project BUILD"):
        project_function(tmp_path / "basin.cpp", entry="Basin::run", flags=BuildFlags(standard="c++17"))


@pytest.mark.parametrize("returned", ["", "return x + undeclared;"], ids=["readable", "does not compile"])
def test_a_file_that_cannot_be_read_is_named_only_where_a_body_is_missed(tmp_path: Path, returned: str) -> None:
    """`broken.cpp` may have `shift`, for all that its text shows."""
    folder = written(tmp_path, {"broken.cpp": f"int shift(int x) {{ {returned or 'return x;'} }}\n"})
    assert read(folder).text.count("void shift_flat(") == 1
    database = json.loads((folder / "compile_commands.json").read_text())
    kept = [one for one in database if one["file"] != "shift.cpp"]
    (folder / "compile_commands.json").write_text(json.dumps(kept))
    with pytest.raises(TaskError, match=r"basin.cpp: line 10: calls 'shift', whose body is in another") as refused:
        read(folder)
    named = "broken.cpp, which cannot be read" in str(refused.value) and "undeclared" in str(refused.value)
    assert named == bool(returned)


@pytest.mark.parametrize("other", [False, True], ids=["a path from here", "a header by two paths"])
def test_a_header_is_one_however_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, other: bool) -> None:
    folder = tmp_path / "tide"
    folder.mkdir()
    changed = {"spread.cpp": FILES["spread.cpp"].replace('"basin.hpp"', '"../tide/basin.hpp"')} if other else None
    written(folder, changed)
    monkeypatch.chdir(folder)
    path = folder / "basin.cpp" if other else Path("basin.cpp")
    found = project_function(path, entry="Basin::run", flags=BuildFlags(project=folder))
    assert found.text == read(folder).text and found.text.count("struct Gauge") <= 1
