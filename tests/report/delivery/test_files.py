"""What is delivered builds with g++ alone and computes what the user's function does; with nvcc and CMake it compiles."""

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from regrapht.assemble import plain_version
from regrapht.records.task import Task
from regrapht.records.user_code import BuildFlags
from regrapht.records.verdict import Verdict
from regrapht.report.delivery.files import delivered
from regrapht.report.delivery.interface import Interface
from regrapht.report.delivery.patch import hooked
from regrapht.report.delivery.sources import header
from regrapht.report.story import Story
from regrapht.tasks.infer import infer_task

HEADER = """\
#pragma once
#include <vector>
namespace heat {
struct Spot { float x, y; };
struct Mote { Spot at; double weight; Spot speed; char kind; };
class Rod {
public:
    explicit Rod(int n) : now_(n), next_(n) { for (int i = 0; i < n; ++i) now_[i] = 0.25 * (i % 7); }
    void step(double dt);
    std::vector<double> now_, next_;
};
void relax(const std::vector<double>& from, std::vector<double>& to, int n);
double warmth(const std::vector<double>& v, int n);
void drift(std::vector<Spot>& spots, float dt);
void sway(std::vector<Mote>& motes, float dt);
void rows(double** x, int n, int m);
void ease(double* from, double* to, int n);
}
"""
SOURCE = """\
#include "heat.hpp"
namespace heat {
void relax(const std::vector<double>& from, std::vector<double>& to, int n) {
    for (int i = 1; i < n - 1; ++i) to[i] = 0.5 * (from[i - 1] + from[i + 1]);
}
double warmth(const std::vector<double>& v, int n) { double s = 0; for (int i = 0; i < n; ++i) s += v[i]; return s; }
void drift(std::vector<Spot>& spots, float dt) { for (auto& s : spots) s.x += dt * s.y; }
void sway(std::vector<Mote>& motes, float dt) {
    for (std::size_t i = 0; i < motes.size(); ++i) {
        motes[i].at.x += dt * motes[i].speed.x;
        motes[i].weight += motes[i].at.y;
        motes[i].kind += 1;
    }
}
void rows(double** x, int n, int m) {
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j) x[i][j] = x[i][j] * 2 + i;
}
void ease(double* from, double* to, int n) { for (int i = 0; i < n; ++i) to[i] = 0.5 * (to[i] + from[i]); }
void Rod::step(double dt) {
    for (std::size_t i = 1; i + 1 < now_.size(); ++i) next_[i] = now_[i] + dt * (now_[i - 1] - 2 * now_[i] + now_[i + 1]);
}
}
"""
MAIN = """\
#include "heat.hpp"
#include <cstdio>
int main() {
    std::vector<double> a(50, 1.5), b(50, 0.5);
    a[7] = 3;
    heat::relax(a, b, 50);
    std::vector<heat::Spot> spots(20, heat::Spot{1, 2});
    heat::drift(spots, 0.5f);
    std::vector<heat::Mote> motes(20, heat::Mote{{1, 2}, 3, {4, 5}, 6});
    heat::sway(motes, 0.5f);
    double cells[12], *x[3];
    for (int i = 0; i < 12; ++i) cells[i] = i;
    for (int i = 0; i < 3; ++i) x[i] = cells + 4 * i;
    heat::rows(x, 3, 4);
    heat::ease(a.data(), b.data(), 50);
    heat::Rod rod(30);
    rod.step(0.125);
    double sum = heat::warmth(b, 50) + spots[3].x + motes[4].at.x * motes[5].weight + motes[6].kind;
    for (double c : cells) sum = sum * 1.25 + c;
    for (double c : rod.next_) sum = sum * 1.25 + c;
    std::printf("%.17g\\n", sum);
}
"""
ENTRIES = ("relax", "warmth", "drift", "sway", "rows", "ease", "Rod::step")


def run(*command: object, at: Path) -> str:
    done = subprocess.run([str(word) for word in command], cwd=at, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


@pytest.fixture
def judged(story: Story) -> Verdict:
    assert story.best is not None
    return story.best.verdict


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("clang.cindex", reason="needs Clang's library: pip install libclang-ng")
    folder = tmp_path_factory.mktemp("project")
    for name, text in (("heat.hpp", HEADER), ("heat.cpp", SOURCE), ("main.cpp", MAIN)):
        (folder / name).write_text(text)
    run("git", "init", "-q", ".", at=folder)
    return folder


def deliver(project: Path, entry: str, judged: Verdict, *, residency: str | None = None) -> tuple[Path, Task]:
    task = infer_task(project / "heat.cpp", entry=entry, flags=BuildFlags(include=(project,))).task
    program = plain_version(task)
    assert program is not None and program.source is not None
    files = delivered(
        task, program.source, judged, headline="As told.", architecture="sm_80", residency=residency
    )  # fmt: skip
    out = project / f"out-{task.entry}-{residency}"
    out.mkdir(exist_ok=True)
    for name, text in files.items():
        (out / name).write_text(text)
    return out, task


def test_plain_gpp_builds_each_and_the_patched_project_prints_the_same(project: Path, judged: Verdict) -> None:
    before = run("g++", "-std=c++17", "-o", "before", "main.cpp", "heat.cpp", at=project) + run("./before", at=project)
    flags, sources = [], []
    for entry in ENTRIES:
        out, task = deliver(project, entry, judged)
        name = task.entry
        assert {f"{name}.cu", f"{name}.h", f"{name}_host.cu", f"{name}_cpu.cpp", f"{name}.patch", "README.md"} <= {
            path.name for path in out.iterdir()
        }
        run("g++", "-std=c++17", "-Wall", "-o", "t", f"test_{name}.cpp", f"{name}_cpu.cpp", at=out)
        assert "right, without a device" in run("./t", at=out)
        run("gcc", "-fsyntax-only", "-x", "c", f"{name}.h", at=out)
        run("git", "apply", out / f"{name}.patch", at=project)
        flags += [f"-DREGRAPHT_{name.upper()}=1", f"-I{out}"]
        sources.append(out / f"{name}_cpu.cpp")
    run("g++", "-std=c++17", *flags, "-o", "after", "main.cpp", "heat.cpp", *sources, at=project)
    assert run("./after", at=project) == before
    run("g++", "-std=c++17", "-o", "without", "main.cpp", "heat.cpp", at=project)
    assert run("./without", at=project) == before


WIDTHS = (
    "char",
    "signed char",
    "unsigned char",
    "bool",
    "long",
    "long long",
    "unsigned long",
    "int64_t",
    "std::size_t",
    "uint8_t",
)


def test_arrays_of_every_type_of_a_width_reach_the_sequential_function(tmp_path: Path, judged: Verdict) -> None:
    """C++ has several types of one byte, and of eight: the header declares one of them."""
    given = ", ".join(f"const {kind}* a{k}, {kind}* b{k}" for k, kind in enumerate(WIDTHS))
    body = " ".join(f"b{k}[i] = a{k}[i];" for k in range(len(WIDTHS)))
    text = f"void copies({given}, bool twice, int n) {{ for (int i = 0; i < n; i++) {{ {body} b3[i] ^= twice; }} }}\n"
    (tmp_path / "copies.cpp").write_text(f"#include <cstddef>\n#include <cstdint>\n{text}")
    task = infer_task(tmp_path / "copies.cpp").task
    source = plain_version(task)
    assert source is not None
    files = delivered(task, source.source or "", judged, headline="As told.", architecture="sm_80", residency="host")
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    run("g++", "-std=c++17", "-Wall", "-o", "t", "test_copies.cpp", "copies_cpu.cpp", at=tmp_path)
    assert "right, without a device" in run("./t", at=tmp_path)


@pytest.mark.skipif(shutil.which("cmake") is None, reason="needs CMake")
def test_ctest_of_the_users_project_runs_the_test_of_the_program(
    project: Path, judged: Verdict, tmp_path: Path
) -> None:
    (project / "heat.cpp").write_text(SOURCE)
    out, _ = deliver(project, "drift", judged)
    (tmp_path / "main.cpp").write_text("int main() {}\n")
    (tmp_path / "CMakeLists.txt").write_text(f"""\
cmake_minimum_required(VERSION 3.24)
project(hers LANGUAGES CXX)
add_executable(test_drift main.cpp)
set(REGRAPHT_CUDA OFF)
enable_testing()
add_test(NAME drift COMMAND test_drift)
add_subdirectory({out} drift)
""")
    for words in (["-S", ".", "-B", "build"], ["--build", "build"]):
        run("cmake", *words, at=tmp_path)
    said = run("ctest", "--test-dir", "build", "-V", at=tmp_path)
    assert "drift: right, without a device" in said and "100% tests passed, 0 tests failed out of 2" in said


def test_the_users_own_signature_is_in_the_header(project: Path, judged: Verdict) -> None:
    (project / "heat.cpp").write_text(SOURCE)
    out, _ = deliver(project, "relax", judged)
    header = (out / "relax.h").read_text()
    assert "namespace heat {" in header
    assert "inline void relax_gpu(const std::vector<double>& from, std::vector<double>& to, int n)" in header
    (out / "own.cpp").write_text(
        '#include "relax.h"\nint main() { std::vector<double> a(9, 2.0), b(9);\n'
        " heat::relax_gpu(a, b, 9); if (b[4] != 2) return 1; b.resize(2);\n"
        " try { heat::relax_gpu(a, b, 9); } catch (const std::length_error&) { return 0; } return 2; }\n"
    )
    run("g++", "-std=c++17", "-o", "own", "own.cpp", "relax_cpu.cpp", at=out)
    run("./own", at=out)


DECLARED = {
    "a macro as an extent": ("#define WIDE 4", "double (*to)[WIDE], const double* from, int n"),
    "a constant as an extent": ("constexpr int WIDE = 4;", "double (*to)[WIDE], const double* from, int n"),
    "a macro as a type": ("#define REAL double\n#define WIDE 4", "REAL (*to)[4], const REAL* from, int n"),
    "an alias": ("using Real = double;\nenum { WIDE = 4 };", "Real (*to)[4], const Real* from, int n"),
}


@pytest.mark.parametrize(("before", "parameters"), DECLARED.values(), ids=DECLARED)
def test_a_header_names_nothing_that_the_users_files_define(
    tmp_path: Path, judged: Verdict, before: str, parameters: str
) -> None:
    body = "for (int i = 0; i < n; ++i) for (int k = 0; k < 4; ++k) to[i][k] = 2 * from[4 * i + k];"
    (tmp_path / "heat.cpp").write_text(f"{before}\nvoid scaled({parameters}) {{ {body} }}\n")
    out, _ = deliver(tmp_path, "scaled", judged)
    (out / "own.cpp").write_text('#include "scaled.h"\nint main() {}\n')
    run("g++", "-std=c++17", "-o", "own", "own.cpp", "scaled_cpu.cpp", at=out)


LENGTHS = """\
#include <algorithm>
#include <vector>
void both(const std::vector<double>& from, std::vector<double>& to, int n, int m) {
    for (int i = 0; i < n; ++i) to[i] = 2 * from[i];
    for (int i = 0; i < m; ++i) to[i] = to[i] + 1;
}
void half(const std::vector<double>& from, std::vector<double>& to, int n) {
    for (int i = 0; i < n / 2; ++i) to[i] = from[2 * i] + from[2 * i + 1];
}
void fewer(const std::vector<double>& from, std::vector<double>& to, int n, int m) {
    for (int i = 0; i < std::min(n, m); ++i) to[i] = 3 * from[i];
}
void blocks(const std::vector<double>& from, std::vector<double>& to, int n) {
    for (int b = 0; b < (n + 3) / 4; ++b) to[b] = b < n ? 2 * from[b] : 0;
}
"""


@pytest.mark.parametrize(
    ("entry", "call", "length"),
    [
        ("both", "both_gpu(from, to, 3, 7)", 7),
        ("half", "half_gpu(from, to, 9)", 4),
        ("fewer", "fewer_gpu(from, to, 9, 6)", 6),
        ("blocks", "blocks_gpu(from, to, 9)", 3),
        ("blocks", "blocks_gpu(from, to, 0)", 0),
    ],
)
def test_a_vector_that_is_too_short_is_told_before_anything_is_written(
    tmp_path: Path, judged: Verdict, entry: str, call: str, length: int
) -> None:
    """However the length is written: with the larger or smaller of two, or a quotient."""
    (tmp_path / "heat.cpp").write_text(LENGTHS)
    out, task = deliver(tmp_path, entry, judged)
    assert any(re.search("max|min|//", e.text) for arg in task.parameters for e in arg.shape), "a length of the kind"
    (out / "own.cpp").write_text(
        f'#include "{entry}.h"\nint main() {{ std::vector<double> from(20, 2.0), to({length});\n'
        f" {call};\n if ({length} == 0) return 0;\n to.resize({length} - 1); to[0] = 5;\n"
        f" try {{ {call}; }} catch (const std::length_error&) {{ return to[0] == 5 ? 0 : 1; }} return 2; }}\n"
    )
    run("g++", "-std=c++17", "-Wall", "-fsanitize=address", "-o", "own", "own.cpp", f"{entry}_cpu.cpp", at=out)
    run("./own", at=out)


def test_a_call_whose_arrays_share_memory_is_left_to_the_users_code(tmp_path: Path) -> None:
    """A stub in the place of the program shows which calls come to it."""
    source = """#include <vector>
void moved(const double* from, double* to, int n) { for (int i = 0; i < n; ++i) to[i] = from[i] + 1; }
void summed(const std::vector<double>& v, double& sum) { for (double x : v) sum += x; }
"""
    (tmp_path / "heat.cpp").write_text(source)
    flags = BuildFlags(include=(tmp_path,))
    tasks = [infer_task(tmp_path / "heat.cpp", entry=entry, flags=flags).task for entry in ("moved", "summed")]
    interfaces = [Interface(task, "device") for task in tasks]
    after = hooked(source, interfaces)
    assert after is not None
    for one in interfaces:
        (tmp_path / f"{one.name}.h").write_text(header(one))
    stubs = "".join(
        f'extern "C" int {one.name}_host({one.declared()}) {{ ++called; return 0; }}\n'
        f'extern "C" const char* {one.name}_message(int) {{ return ""; }}\n'
        for one in interfaces
    )
    (tmp_path / "own.cpp").write_text(
        f"{after}\nstatic int called = 0;\n{stubs}"
        """int main() {
    std::vector<double> a(6, 1.0), b(6, 1.0);
    double sum = 0;
    moved(a.data(), b.data(), 6); moved(a.data(), a.data() + 3, 3); summed(a, sum);
    if (called != 3 || a[3] != 1) return 1;
    moved(a.data(), a.data() + 1, 5); moved(a.data(), a.data(), 6); summed(b, b[2]);
    return called == 3 && a[5] == 7 && b[2] > 1 ? 0 : 2; }
"""
    )
    macros = [f"-D{one.macro}=1" for one in interfaces]
    run(
        "g++",
        "-std=c++17",
        "-Wall",
        "-Wconversion",
        "-Wold-style-cast",
        "-Werror",
        *macros,
        "-o",
        "own",
        "own.cpp",
        at=tmp_path,
    )
    run("./own", at=tmp_path)


@pytest.mark.skipif(shutil.which("nvcc") is None or shutil.which("cmake") is None, reason="needs nvcc and CMake")
@pytest.mark.parametrize("residency", ["device", "managed", "host"])
def test_nvcc_and_cmake_build_it(project: Path, judged: Verdict, residency: str) -> None:
    (project / "heat.cpp").write_text(SOURCE)
    out, _ = deliver(project, "drift", judged, residency=residency)
    newer = "-DCMAKE_CXX_STANDARD=20"  # as her project may say: not every CMake knows how nvcc is told of it
    run("cmake", "-S", ".", "-B", "build", newer, at=out)
    run("cmake", "--build", "build", at=out)
    assert "right" in run("./build/test_drift", at=out)


def test_a_file_that_changed_since_gets_no_patch_and_says_so(project: Path, judged: Verdict) -> None:
    (project / "heat.cpp").write_text(SOURCE)
    task = infer_task(project / "heat.cpp", entry="warmth", flags=BuildFlags(include=(project,))).task
    program = plain_version(task)
    assert program is not None and program.source is not None
    (project / "heat.cpp").write_text("// a line more\n\n\n" + SOURCE)
    files = delivered(task, program.source, judged, headline="", architecture="sm_80", residency=None)
    assert "warmth.patch" not in files and "has changed since" in files["README.md"]
    hidden = replace(task.home, places=(replace(task.home.places[0], hidden="Rod::n is not public"),))
    files = delivered(
        replace(task, home=hidden), program.source, judged, headline="", architecture="sm_80", residency=None
    )
    assert "warmth.patch" not in files and "Rod::n is not public" in files["README.md"]
