"""A port that is killed or interrupted at each of its stages, one after another: the same command goes on and comes to the same."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

FILES = {
    "main.cpp": """\
#include "field.hpp"
#include <cstdio>
int main() {
    Field field{};
    for (int i = 0; i < 64; ++i) field.now[i] = 1.0 + i % 5;
    for (int n = 0; n < 20; ++n) { smooth(field, 0.25); sharpen(field, 0.125); }
    for (double v : field.now) std::printf("%.17g\\n", v);
}
""",
    "field.hpp": """\
struct Field { double now[64], next[64]; };
void smooth(Field& field, double rate);
void sharpen(Field& field, double rate);
""",
    "field.cpp": """\
#include "field.hpp"
void smooth(Field& field, double rate) {
    for (int i = 1; i < 63; ++i) field.next[i] = field.now[i] + rate * (field.now[i - 1] - 2 * field.now[i] + field.now[i + 1]);
    for (int i = 1; i < 63; ++i) field.now[i] = field.next[i];
}
void sharpen(Field& field, double rate) {
    for (int i = 0; i < 64; ++i) field.now[i] += rate * (field.now[i] - 1) * (3 - field.now[i]);
}
""",
    "Makefile": "app: main.o field.o\n\tg++ -o $@ main.o field.o $(LDLIBS)\n%.o: %.cpp field.hpp\n\tg++ -O1 $(CXXFLAGS) -c $< -o $@\n",
}
DRIVER = """\
\"\"\"`regrapht`, ended by a signal at the first stage that no earlier call was ended at: `stages` names those.\"\"\"
import os, runpy, sys
from pathlib import Path
from regrapht.session.port import applying, copies, kept

number, stages = int(sys.argv.pop(1)), Path(sys.argv.pop(1))
seen = {}

def stage(name):
    seen[name] = seen.get(name, 0) + 1
    if name.startswith("the user's") and seen[name] > 3:
        return False  # one file after another: there are some twenty
    name = f"{name} {seen[name]}"
    known = stages.read_text().splitlines()
    if name in known:
        return False
    stages.write_text("\\n".join([*known, name]) + "\\n")
    return True

def here(function, name):
    def wrapped(*given, **more):
        if stage(name):
            os.kill(os.getpid(), number)
        return function(*given, **more)
    return wrapped

def within(command, folder, *given, **more):
    if stage(f"in {folder.name}"):
        command = f"kill -{number} {os.getpid()}; sleep 0.1; {command}"
    return shell(command, folder, *given, **more)

shell, copies._shell = copies._shell, within
copies.shutil.copytree = here(copies.shutil.copytree, "a copy is made")
kept.write_atomically = here(kept.write_atomically, "before a note")
applying._write = here(applying._write, "the user's folder is written to")
runpy.run_module("regrapht", run_name="__main__", alter_sys=True)
"""


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def told(data: bytes, folder: Path) -> bytes:
    """What is the same in two ports: the folders have two names, and the sequential function was timed in each."""
    data = data.replace(bytes(folder / "other"), bytes(folder / "mine"))
    return re.sub(rb"takes [\d.]+ us", b"takes so long", data)


def come_to(said: str) -> list[tuple[object, ...]]:
    rows = json.loads(said)["functions"]
    return [(row["name"], row["taken"], row["words"]) for row in sorted(rows, key=lambda row: row["name"])]


@pytest.mark.parametrize("name", ["KILL", "INT"])
def test_it_goes_on_from_each_stage(tmp_path: Path, name: str) -> None:
    pytest.importorskip("clang.cindex", reason="needs Clang's library: pip install libclang-ng")
    import signal

    number = int(signal.Signals[f"SIG{name}"])
    kept = [folder for folder in os.environ["PATH"].split(os.pathsep) if shutil.which("nvcc", path=folder) is None]
    own = {**os.environ, "REGRAPHT_HOME": str(tmp_path / "home"), "PATH": os.pathsep.join(kept)}
    driver, stages = tmp_path / "driver.py", tmp_path / "stages"
    driver.write_text(DRIVER)
    for folder in ("mine", "other"):
        (tmp_path / folder).mkdir()
        for file, text in FILES.items():
            (tmp_path / folder / file).write_text(text)
    before = contents(tmp_path / "mine")
    asked = [
        "--build",
        "make",
        "--run",
        "./app",
        "--evaluator",
        "emulated",
        "--budget",
        "1",
        "--least",
        "0",
        "--json",
        "--apply",
    ]

    def call(*words: object) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, *map(str, words)], cwd=tmp_path, env=own, capture_output=True, text=True, check=False
        )

    right = call("-m", "regrapht", "port", "other", "--out", "once", *asked)
    assert right.returncode == 0, right.stderr[-3000:]
    stages.write_text("")
    while True:
        at = stages.read_text().splitlines()
        done = call(driver, number, stages, "port", "mine", "--out", "often", *asked)
        if stages.read_text().splitlines() == at:
            break
        now = stages.read_text().splitlines()[-1]
        expected = (-number,) if name == "KILL" else (130,)
        assert done.returncode in expected and "Traceback" not in done.stderr, (
            now,
            done.returncode,
            done.stderr[-2000:],
        )
        if not now.startswith("the user's folder"):
            assert contents(tmp_path / "mine") == before, now
    assert done.returncode == 0, done.stderr[-3000:]
    assert len(at) >= 15, at  # one call may be interrupted at two stages: on the way out it comes to the next
    assert come_to(done.stdout) == come_to(right.stdout)
    patches = [(tmp_path / out / "port.patch").read_bytes() for out in ("often", "once")]
    assert told(patches[0], tmp_path) == told(patches[1], tmp_path)
    mine, other = contents(tmp_path / "mine"), contents(tmp_path / "other")
    assert mine.keys() == other.keys()
    assert all(told(mine[file], tmp_path) == told(other[file], tmp_path) for file in mine)
