"""What is built once for all: by several processes at once, found again, and complete in the wheel."""

import subprocess
import sys
import tempfile
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from regrapht import settings
from regrapht.emulate import toolchain
from regrapht.emulate.emulator import Emulator
from regrapht.emulate.program import WholeProgram, build_whole, run_whole
from regrapht.emulate.toolchain import prepare
from regrapht.errors import EvaluatorUnavailable
from regrapht.sandbox.choose import choose_sandbox
from regrapht.sandbox.sandbox import Limits
from regrapht.tasks.load import load_task

ROOT = Path(__file__).parents[2]
PREPARE = """
import sys
from pathlib import Path
from regrapht.emulate.toolchain import prepare
tools = prepare(Path(sys.argv[1]), checked=False)
print(tools.folder.name, (tools.folder / "everything.h.gch").stat().st_ino, tools.harness.stat().st_ino)
"""


@pytest.mark.slow
def test_several_processes_build_the_cache_once(emulator):
    with tempfile.TemporaryDirectory(prefix="emulate-") as folder:
        command = [sys.executable, "-c", PREPARE, folder]
        processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
        said = {process.communicate(timeout=300)[0] for process in processes}
        assert all(process.returncode == 0 for process in processes)
        assert len(said) == 1 and said != {""}, "each process sees the same files, none of them replaced"
        left = {path.name for path in Path(folder).rglob("*") if path.is_file() and path.suffix != ".h"}
        assert not [name for name in left if "-" in name], f"nothing half done is left: {left}"


@pytest.mark.slow
@pytest.mark.parametrize("how", ["cut", "zeros", "no manifest"])
def test_a_damaged_cache_is_built_again_and_its_words_are_no_verdict(tmp_path, how, caplog):
    tools = prepare(tmp_path, checked=False)
    raw = tools.precompiled.read_bytes()
    if how == "no manifest":
        (tools.folder / "contents.json").unlink()
        (tools.folder / "harness").write_bytes(b"")
    else:
        tools.precompiled.write_bytes({"cut": raw[:1000], "zeros": raw[:9000] + bytes(len(raw) - 9000)}[how])
    again = prepare(tmp_path, checked=False)
    assert again.precompiled.stat().st_size > 10**6 and again.harness.stat().st_size > 10**5
    assert how == "no manifest" or "built again" in caplog.text


@pytest.mark.slow
@pytest.mark.parametrize("checked", [True, False])
def test_a_compiler_that_fortifies_by_itself_builds_our_headers(tmp_path, monkeypatch, checked):
    """As Ubuntu's does: the C library's memory functions are then defined inline, and not ours."""
    wrapper = tmp_path / "g++"
    wrapper.write_text('#!/bin/sh\nexec /usr/bin/g++ -D_FORTIFY_SOURCE=2 "$@"\n')
    wrapper.chmod(0o755)
    monkeypatch.setenv("CXX", str(wrapper))
    tools = prepare(tmp_path / "emulate", checked=checked)
    assert tools.compiler == str(wrapper) and tools.precompiled.stat().st_size > 10**6


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("as: cannot write: No space left on device\n", "No space left on device; make room"),
        ("g++: internal compiler error: File size limit exceeded signal terminated\nPlease report", "REGRAPHT_CACHE"),
        (
            "In file included from a.h:\na.h:3:1: error: no such thing\n",
            "do not compile: a.h:3:1: error: no such thing",
        ),
        ("", "said nothing"),
    ],
)
def test_what_a_compiler_says_of_our_own_sources_is_one_line(tmp_path, said, words):
    compiler = tmp_path / "g++"
    compiler.write_text("#!/bin/sh\nprintf '%s' \"$SAID\" >&2\nexit 1\n")
    compiler.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SAID", said)
        with pytest.raises(EvaluatorUnavailable) as told:
            toolchain._compile((str(compiler),), tmp_path / "made", 0o644)
    assert words in str(told.value) and "\n" not in str(told.value)
    assert not (tmp_path / "made").exists()


def test_a_compiler_that_builds_nothing_is_the_machines_fault(monkeypatch):
    """What it says of a candidate is then no verdict, whatever it is."""
    emulator = Emulator(choose_sandbox())
    tools = prepare(settings.cache() / "emulate", checked=True)
    broken = replace(tools, flags=(*tools.flags, "-fno-such-option"))
    monkeypatch.setattr(toolchain, "prepare", lambda cache, checked, stacks=False: broken)
    with pytest.raises(EvaluatorUnavailable, match="builds nothing here"):
        emulator.build("int a;", load_task(ROOT / "tests" / "cheats" / "tasks" / "affine"), checked=True)


@pytest.mark.slow
def test_the_wheel_has_every_source_of_the_runtime(tmp_path):
    """Needs a package index, as every build of a wheel in isolation does."""
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(tmp_path), str(ROOT)],
        check=True,
        timeout=600,
    )
    (wheel,) = tmp_path.glob("*.whl")
    inside = set(zipfile.ZipFile(wheel).namelist())
    package = ROOT / "src"
    sources = [*(package / "regrapht" / "emulate" / "runtime").rglob("*"), package / "regrapht" / "sandbox" / "wire.h"]
    wanted = {str(path.relative_to(package)) for path in sources if path.is_file()}
    assert len(wanted) > 80 and wanted <= inside, sorted(wanted - inside)


USES_THE_LIBRARY = """#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <vector>
__global__ void twice(int n, const float* x, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * x[i];
}
int main(int arguments, char** words) {
    int* made = new int[arguments + 3];  // too many would be thrown
    auto begun = std::chrono::steady_clock::now();
    try {
        if (arguments > 0) throw std::runtime_error("thrown");
    } catch (const std::exception& error) {
        std::puts(error.what());
    }
    delete[] made;
    return begun.time_since_epoch().count() == 0;
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("how", ["told to link it statically", "has an archive alone", "keeps what is needed alone"])
def test_a_candidate_finds_all_of_the_cpp_library_whatever_the_compiler_links(monkeypatch, how):
    archive = subprocess.run(
        ["/usr/bin/g++", "-print-file-name=libstdc++.a"], capture_output=True, text=True, check=True
    )
    if not Path(archive.stdout.strip()).is_absolute():
        pytest.skip("this machine has no libstdc++.a")
    with tempfile.TemporaryDirectory(
        prefix="compiler-", dir="/var/tmp"
    ) as name:  # which the user of sandboxed programs can read
        folder = Path(name)
        folder.chmod(0o755)
        for part in ("bin", "alone"):
            (folder / part).mkdir(mode=0o755)
        (folder / "alone" / "libstdc++.a").symlink_to(archive.stdout.strip())
        flags = {
            "told to link it statically": "-static-libstdc++",
            "has an archive alone": f"-static-libstdc++ -L{folder / 'alone'}",
            "keeps what is needed alone": "-Wl,--as-needed",
        }[how]
        compiler = folder / "bin" / "g++"
        compiler.write_text(
            '#!/bin/sh\nfor word in "$@"; do case $word in -c|-E|-S|-fsyntax-only|c++-header) exec /usr/bin/g++ "$@";; esac; done\n'
            f'exec /usr/bin/g++ {flags} "$@"\n'
        )
        compiler.chmod(0o755)
        monkeypatch.setenv("CXX", str(compiler))
        sandbox = type(choose_sandbox())()  # one that shows this compiler
        program = build_whole(USES_THE_LIBRARY, folder / "a.cu", sandbox=sandbox, checked=False, cache=folder / "cache")
        assert isinstance(program, WholeProgram), program
        done = run_whole(program, (), sandbox=sandbox, limits=Limits(wall_s=20, memory_bytes=2**31))
        assert (done.completed.exit_code, done.completed.stdout) == (0, "thrown\n"), done.completed
