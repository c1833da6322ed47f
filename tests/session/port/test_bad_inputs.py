"""What nobody can port is told by the line in the user's file, without a traceback, and the user's folder stays as it was."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.session.port.test_porting import command, contents, environment

HEADER = """\
#pragma once
#include <vector>
struct Law { virtual ~Law() = default; virtual double at(double x) const = 0; };
void changed(std::vector<double>& v, const Law& law);
"""
MAIN = """\
#include "work.hpp"
#include <cstdio>
struct Half : Law { double at(double x) const override { return 0.5 * x; } };
struct Third : Law { double at(double x) const override { return x / 3; } };
int main(int count, char**) {
    std::vector<double> v(4000, 2.0);
    Half half;
    Third third;
    for (int n = 0; n < 40; ++n) changed(v, count > 9 ? static_cast<const Law&>(half) : third);
    std::printf("%.17g\\n", v[3]);
}
"""
WORK = """\
#include "work.hpp"
#include <cstdio>
#include <stdexcept>
void changed(std::vector<double>& v, [[maybe_unused]] const Law& law) {
    for (std::size_t i = 0; i < v.size(); ++i) {
        BODY
    }
}
"""
MAKE = """\
app: main.o work.o
\tg++ -o $@ $^ -lm
%.o: %.cpp work.hpp
\tg++ -O1 -std=c++17 -c $< -o $@
"""


def application(folder: Path, body: str) -> Path:
    pytest.importorskip("clang.cindex", reason="needs Clang's library: pip install libclang-ng")
    folder.mkdir()
    files = {"main.cpp": MAIN, "work.hpp": HEADER, "work.cpp": WORK.replace("BODY", body), "Makefile": MAKE}
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ('v[i] = 0.5 * v[i] + 1; std::fprintf(stderr, "%g\\n", v[i]);', "prints or writes to a file"),
        ("v[i] = law.at(v[i]);", "calls the virtual function 'at'"),
        ('try { if (v[i] > 5) throw std::runtime_error("x"); v[i] += 1; } catch (...) { v[i] = 0; }', "catches exc"),
    ],
    ids=["prints", "virtual", "exceptions"],
)
def test_a_function_that_cannot_be_taken_is_told_by_its_line(tmp_path: Path, body: str, words: str) -> None:
    mine = application(tmp_path / "mine", body)
    before = contents(mine)
    asked = command(mine, tmp_path / "out", "--least", "0.0001")
    done = subprocess.run(asked, cwd=tmp_path, env=environment(tmp_path), capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "Traceback" not in done.stdout + done.stderr, done.stderr
    (row,) = json.loads(done.stdout)["functions"]
    assert row["words"].startswith(f"{mine / 'work.cpp'}: line 6: ") and words in row["words"]
    assert contents(mine) == before


@pytest.mark.parametrize(
    ("file", "text", "words"),
    [
        ("work.hpp", HEADER + "struct Broken { int x }\n", "work.hpp:5:"),
        ("Makefile", "app:\n\t$(MAKE) -f inner\n", "give the folder of the one that compiles and links as DIR"),
    ],
    ids=["header", "other-makefiles"],
)
def test_a_file_that_is_wrong_is_told_before_any_search(tmp_path: Path, file: str, text: str, words: str) -> None:
    mine = application(tmp_path / "mine", "v[i] += 1;")
    (mine / "inner").write_text(MAKE)
    (mine / file).write_text(text)
    before = contents(mine)
    asked = command(mine, tmp_path / "out")
    done = subprocess.run(asked, cwd=tmp_path, env=environment(tmp_path), capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    assert done.returncode == 2 and "Traceback" not in said and "profiling" not in said
    assert words in said, said
    assert contents(mine) == before


def test_an_interrupted_port_leaves_the_folder_as_it_was_and_says_so(tmp_path: Path) -> None:
    mine = application(tmp_path / "mine", "v[i] = 0.5 * v[i] + 1;")
    before = contents(mine)
    asked = command(mine, tmp_path / "out", "--least", "0.0001")
    pipe = subprocess.PIPE
    with subprocess.Popen(asked, cwd=tmp_path, env=environment(tmp_path), stdout=pipe, stderr=pipe, text=True) as begun:
        assert begun.stderr is not None
        for line in begun.stderr:
            if line.startswith("optimising changed"):
                break
        os.kill(begun.pid, signal.SIGINT)
        printed, said = begun.communicate()
    assert begun.returncode == 130 and "Traceback" not in printed + said, (begun.returncode, printed, said)
    assert "interrupted" in said.lower() + printed.lower() and contents(mine) == before
