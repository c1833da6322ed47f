"""A tiny application from its folder to a patch: with make and with CMake, killed and gone on with, and what is told of bad input."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

MAIN = """\
#include "field.hpp"
#include <cstdio>
int main(int count, char** words) {
    Field field(count > 1 ? std::atoi(words[1]) : 40);
    for (int n = 0; n < 30; ++n) field.smooth(0.25 + 0.001 * n);
    std::FILE* file = std::fopen("field.txt", "w");
    for (double v : field.now) std::fprintf(file, "%.17g\\n", v);
    std::fclose(file);
    std::printf("running %.17g\\n", field.chain());
}
"""
HEADER = """\
#pragma once
#include <cstdlib>
#include <vector>
struct Field {
    explicit Field(int n) : now(n), next(n) { for (int i = 0; i < n; ++i) now[i] = 1.0 + i % 5; }
    void smooth(double rate);
    double chain() const;
    std::vector<double> now, next;
};
"""
SOURCE = """\
#include "field.hpp"
void Field::smooth(double rate) {
    const int n = (int)now.size();
    for (int i = 1; i < n - 1; ++i) next[i] = now[i] + rate * (now[i - 1] - 2 * now[i] + now[i + 1]);
    for (int i = 1; i < n - 1; ++i) now[i] = next[i];
}
double Field::chain() const {
    double x = 0.5;
    for (int k = 0; k < 300; ++k)
        for (double v : now) x = 3.7 * x * (1 - x) + 1e-9 * v;
    return x;
}
"""
MAKE = """\
CXX ?= g++
CXXFLAGS = -O1 -std=c++17
OBJECTS = main.o field.o
app: $(OBJECTS)
\t$(CXX) $(CXXFLAGS) -o $@ $(OBJECTS) $(LDLIBS)
%.o: %.cpp field.hpp
\t$(CXX) $(CXXFLAGS) -c $< -o $@
"""
CMAKE = """\
cmake_minimum_required(VERSION 3.24)
project(app LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 17)
add_executable(app main.cpp field.cpp)
"""


@pytest.fixture
def application(tmp_path: Path) -> Path:
    pytest.importorskip("clang.cindex", reason="needs Clang's library: pip install libclang-ng")
    folder = tmp_path / "mine"
    folder.mkdir()
    files = {"main.cpp": MAIN, "field.hpp": HEADER, "field.cpp": SOURCE, "Makefile": MAKE}
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


def environment(tmp_path: Path) -> dict[str, str]:
    """A store of its own, and no nvcc: a build with it takes half a minute."""
    kept = [folder for folder in os.environ["PATH"].split(os.pathsep) if shutil.which("nvcc", path=folder) is None]
    return {**os.environ, "REGRAPHT_HOME": str(tmp_path / "home"), "PATH": os.pathsep.join(kept)}


def command(folder: Path, out: Path, *more: str, build: str = "make", run: str = "./app 40") -> list[str]:
    words = ["port", str(folder), "--build", build, "--run", run, "--out", str(out), "--evaluator", "emulated"]
    return [sys.executable, "-m", "regrapht", *words, "--budget", "1", "--json", *more]


def ported(words: list[str], tmp_path: Path, *, code: int = 0) -> dict[str, object]:
    done = subprocess.run(words, cwd=tmp_path, env=environment(tmp_path), capture_output=True, text=True, check=False)
    assert done.returncode == code, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return dict(json.loads(done.stdout)) if done.stdout.startswith("{") else {"said": done.stderr}


def begun_runs(state: Path) -> list[str]:
    """The searches that a port's state names."""
    if not (state.is_file() and state.stat().st_size):
        return []
    return [one["run"] for one in json.loads(state.read_text())["functions"].values() if one["run"]]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def built_and_run(folder: Path, *build: str, tmp_path: Path, run: str = "./app") -> str:
    kept = environment(tmp_path)
    subprocess.run(build, cwd=folder, env=kept, check=True, capture_output=True)
    return subprocess.run([run, "40"], cwd=folder, env=kept, check=True, capture_output=True, text=True).stdout


def test_an_application_with_a_makefile_becomes_a_patch(application: Path, tmp_path: Path) -> None:
    before = contents(application)
    told = ported(command(application, tmp_path / "out"), tmp_path)
    rows = {row["name"]: row for row in told["functions"]}  # type: ignore[attr-defined]
    assert rows["Field::smooth"]["taken"] and "captured calls" in rows["Field::smooth"]["words"], rows
    assert not rows["Field::chain"]["taken"] and rows["Field::chain"]["words"], rows
    assert told["output_equal"] and told["output"] == "exact" and not told["measured"] and told["gain"] is None
    assert contents(application) == before, "the user's folder was written to"
    clean = shutil.copytree(application, tmp_path / "clean")
    right = built_and_run(application, "make", tmp_path=tmp_path)
    subprocess.run(["git", "init", "-q", "."], cwd=clean, check=True)
    subprocess.run(["git", "apply", str(told["patch"])], cwd=clean, check=True)
    assert "REGRAPHT_FIELD_SMOOTH" in (clean / "field.cpp").read_text()
    assert built_and_run(clean, "make", tmp_path=tmp_path) == right
    assert b"Field_smooth_host" in (clean / "field.o").read_bytes(), "the program is not called"
    words = ["make", "-s", "regrapht-test"]
    tested = subprocess.run(words, cwd=clean, env=environment(tmp_path), check=True, capture_output=True, text=True)
    assert "Field_smooth: right, without a device" in tested.stdout


def test_a_killed_port_goes_on_and_cmake_is_taken_too(application: Path, tmp_path: Path) -> None:
    (application / "Makefile").unlink()
    (application / "CMakeLists.txt").write_text(CMAKE)
    words = command(
        application, tmp_path / "out", build="cmake -S . -B build && cmake --build build", run="./build/app 40"
    )
    begun = subprocess.Popen(
        words, cwd=tmp_path, env=environment(tmp_path), stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    state = tmp_path / "out" / "port.json"
    while begun.poll() is None and not begun_runs(state):
        time.sleep(0.05)
    os.kill(begun.pid, signal.SIGKILL)
    begun.communicate()
    (run,) = begun_runs(state)
    told = ported(words, tmp_path)
    taken = [row for row in told["functions"] if row["taken"]]  # type: ignore[attr-defined]
    assert [row["run"] for row in taken] == [run], "a killed search was begun anew"
    clean = shutil.copytree(application, tmp_path / "clean")
    subprocess.run(["git", "init", "-q", "."], cwd=clean, check=True)
    subprocess.run(["git", "apply", str(told["patch"])], cwd=clean, check=True)
    said = {}
    kinds = {"without": environment(tmp_path), **({"with": dict(os.environ)} if shutil.which("nvcc") else {})}
    for kind, kept in kinds.items():
        for words_of in (["cmake", "-S", ".", "-B", kind, "-DREGRAPHT_TESTS=ON"], ["cmake", "--build", kind]):
            done = subprocess.run(words_of, cwd=clean, env=kept, check=True, capture_output=True, text=True)
            assert words_of[1] == "--build" or f"Field_smooth: {kind} CUDA" in done.stdout
        said[kind] = subprocess.run([f"{kind}/app", "40"], cwd=clean, check=True, capture_output=True, text=True).stdout
        tried = ["ctest", "--test-dir", f"{kind}/regrapht"]
        done = subprocess.run(tried, cwd=clean, check=True, capture_output=True, text=True)
        assert "100% tests passed" in done.stdout and "out of 1" in done.stdout
        alone = clean / "regrapht" / "Field_smooth"
        for words_of in (["cmake", "-S", ".", "-B", kind], ["cmake", "--build", kind], ["ctest", "--test-dir", kind]):
            subprocess.run(words_of, cwd=alone, env=kept, check=True, capture_output=True)
    plain = tmp_path / "plain"
    subprocess.run(["g++", "-std=c++17", "-o", plain, "main.cpp", "field.cpp"], cwd=application, check=True)
    right = subprocess.run([plain, "40"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert set(said.values()) == {right}, said


@pytest.mark.parametrize(
    ("change", "more", "code", "words"),
    [
        ({"field.cpp": "void broken( {"}, (), 2, "does not build"),
        ({"main.cpp": "int main() { return 3; }"}, (), 2, "ended with 3"),
        ({}, ("--profile", "nothing.txt"), 2, "perf report"),
        ({}, ("--least", "1"), 2, "--least"),
    ],
    ids=["no-build", "no-run", "no-profile", "nothing-hot"],
)
def test_bad_input_is_one_line_and_what_to_do(
    application: Path, tmp_path: Path, change: dict[str, str], more: tuple[str, ...], code: int, words: str
) -> None:
    for name, text in change.items():
        (application / name).write_text(text)
    told = ported(command(application, tmp_path / "out", *more), tmp_path, code=code)
    said = str(told.get("error", told))
    assert words in said and "Traceback" not in said


@pytest.mark.parametrize("out", ["mine", "."])
def test_a_result_folder_around_the_application_is_refused(application: Path, tmp_path: Path, out: str) -> None:
    before = contents(application)
    told = ported(command(application, tmp_path / out), tmp_path, code=2)
    assert "give another one" in str(told) and contents(application) == before


def test_strict_warnings_shared_memory_and_times_in_the_output(application: Path, tmp_path: Path) -> None:
    """Warnings that are errors stop no build; arrays in one memory are left; lines that change from run to run are told."""
    strict = "-O1 -Wall -Wextra -Wconversion -Wshadow -Wold-style-cast -Wsign-conversion -Wuseless-cast -Werror"
    (application / "Makefile").write_text(MAKE.replace("-O1", strict))
    (application / "field.hpp").write_text(
        HEADER.replace("now(n), next(n)", "now(std::size_t(n)), next(std::size_t(n))").replace(
            "for (int i = 0; i < n; ++i) now[i] = 1.0 + i % 5;", "for (double& v : now) v = 1.0;"
        )
    )
    (application / "field.cpp").write_text("""#include "field.hpp"
void Field::smooth(double rate) {
    for (std::size_t i = 1; i + 1 < now.size(); ++i) next[i] = now[i] + rate * (now[i - 1] - 2 * now[i] + now[i + 1]);
    for (std::size_t i = 1; i + 1 < now.size(); ++i) now[i] = next[i];
}
double Field::chain() const { return now[3]; }
""")
    (application / "main.cpp").write_text("""#include "field.hpp"
#include <cstdio>
static void moved(const double* from, double* to, int n) { for (int i = 0; i < n; ++i) to[i] = 0.5 * from[i] + i; }
int main() {
    Field field(40);
    for (int n = 0; n < 30; ++n) { field.smooth(0.25); moved(field.now.data(), field.now.data() + 1, 39); }
    std::printf("at %p\\n%.17g\\n", static_cast<void*>(&field), field.chain());
}
""")
    told = ported(command(application, tmp_path / "out", "--least", "0.0001"), tmp_path)
    rows = {row["name"]: row for row in told["functions"]}  # type: ignore[attr-defined]
    assert (
        rows["Field::smooth"]["taken"] and told["output"] == "exact; lines that are others in each run were left out: 1"
    )
    assert "'from' and 'to' in the same memory" in rows["moved"]["words"], rows
