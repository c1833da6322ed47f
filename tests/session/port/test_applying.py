"""Patches, and the rules that programs are made with."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from regrapht.session.port.applying import FOLDER, _make_rules, patch_of


@pytest.mark.parametrize("below", [".", "apps/my sölver", None], ids=["the repository", "a folder of it", "none"])
def test_new_changed_and_equal_files_make_one_patch(tmp_path: Path, below: str | None) -> None:
    """For `git apply` in the application's folder, wherever the repository begins, or where there is none."""
    before, after = tmp_path / "a" / (below or "."), tmp_path / "b"
    for folder in (before, after):
        (folder / "src").mkdir(parents=True)
        (folder / "same.txt").write_text("x\n")
        (folder / "src" / "main.cpp").write_text("int main() {\n}")
    (after / "src" / "main.cpp").write_text("int main() {\n    return 0;\n}")
    (after / "new.txt").write_text("one\ntwo\n")
    text = patch_of(before, after)
    assert "same.txt" not in text and "/dev/null" in text and "+    return 0;" in text
    (tmp_path / "p.patch").write_text(text)
    if below is not None:
        subprocess.run(["git", "init", "-q", "."], cwd=tmp_path / "a", check=True)
    subprocess.run(["git", "apply", tmp_path / "p.patch"], cwd=before, check=True)
    kept = {path.relative_to(before): path.read_bytes() for path in before.rglob("*.*") if ".git" not in path.parts}
    assert kept == {path.relative_to(after): path.read_bytes() for path in after.rglob("*.*")}


def test_a_plain_call_of_the_compiler_is_given_what_the_rules_print(tmp_path: Path) -> None:
    folder = tmp_path / FOLDER / "twice"
    folder.mkdir(parents=True)
    (folder.parent / "regrapht.mk").write_text(_make_rules(["twice"], ["REGRAPHT_TWICE"], shares=True))
    (folder / "twice.h").write_text("int twice_cpu(int);\n")
    (folder / "twice_cpu.cpp").write_text('#include "twice.h"\nint twice_cpu(int x) { return 2 * x; }\n')
    (tmp_path / "main.cpp").write_text(
        '#ifdef REGRAPHT_TWICE\n#include "twice.h"\n#endif\nint main() { return twice_cpu(21) - 42; }\n'
    )
    kept = [part for part in os.environ["PATH"].split(os.pathsep) if shutil.which("nvcc", path=part) is None]
    environment = {**os.environ, "PATH": os.pathsep.join(kept)}
    words = ["make", "-s", "-f", f"{FOLDER}/regrapht.mk", "regrapht-words"]
    said = subprocess.run(words, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True).stdout
    assert "CUDA" not in said
    subprocess.run(f"g++ main.cpp -o app {said.strip()}", shell=True, cwd=tmp_path, check=True)
    subprocess.run(["./app"], cwd=tmp_path, check=True)


NVCC = """\
#!/bin/sh
case "$1" in -dryrun) echo '#$ TOP=/nowhere/bin/..' >&2; echo '#$ LIBRARIES=  "-L{libraries}/stubs" "-L{libraries}"' >&2; exit;; esac
for word in "$@"; do case "$word" in *.cu|*.cpp) source=$word;; *.o) object=$word;; esac; done
exec g++ -x c++ -c "$source" -o "$object"
"""


def test_a_compiler_behind_a_script_says_where_its_libraries_are(tmp_path: Path) -> None:
    """`nvcc` in a folder of programs, which calls the real one: beside it there are no libraries."""
    folder, programs, libraries = tmp_path / FOLDER / "twice", tmp_path / "programs", tmp_path / "toolkit" / "lib"
    for one in (folder, programs, libraries):
        one.mkdir(parents=True)
    (folder.parent / "regrapht.mk").write_text(_make_rules(["twice"], ["REGRAPHT_TWICE"], shares=False))
    sources = {"_cpu.cpp": "int twice_cpu(int x) { return x; }", ".cu": "int on_device;", "_host.cu": "int host;"}
    for ending, text in sources.items():
        (folder / f"twice{ending}").write_text(text + "\n")
    (tmp_path / "runtime.cpp").write_text('extern "C" int of_the_runtime() { return 5; }\n')
    (tmp_path / "main.cpp").write_text('extern "C" int of_the_runtime(); int main() { return of_the_runtime() - 5; }\n')
    subprocess.run(["g++", "-c", "runtime.cpp"], cwd=tmp_path, check=True)
    subprocess.run(["ar", "rcs", libraries / "libcudart_static.a", "runtime.o"], cwd=tmp_path, check=True)
    (programs / "nvcc").write_text(NVCC.format(libraries=libraries))
    (programs / "nvcc").chmod(0o755)
    environment = {**os.environ, "REGRAPHT_NVCC": str(programs / "nvcc")}  # around the tests it may say: none
    words = ["make", "-s", "-f", f"{FOLDER}/regrapht.mk", "regrapht-words"]
    said = subprocess.run(words, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True).stdout
    assert "-DREGRAPHT_TWICE_CUDA=1" in said
    subprocess.run(f"g++ main.cpp -o app {said.strip()}", shell=True, cwd=tmp_path, check=True)
    subprocess.run(["./app"], cwd=tmp_path, check=True)


def test_products_and_sums_are_rounded_as_the_application_did(tmp_path: Path) -> None:
    """nvcc joins them otherwise, and an output that shows last bits differs."""
    rules = tmp_path / "regrapht.mk"
    rules.write_text(_make_rules(["f"], ["REGRAPHT_F"], shares=False), encoding="utf-8")
    (tmp_path / "f").mkdir()
    (tmp_path / "f" / "f.cu").touch()
    said = {}
    for exact in ("1", "0"):
        words = [
            "make",
            "-n",
            "-f",
            "regrapht.mk",
            f"REGRAPHT_EXACT={exact}",
            "REGRAPHT_NVCC=nvcc",
            f"{tmp_path}/f/f_on_device.o",
        ]
        said[exact] = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert "-fmad=false" in said["1"] and "-fmad" not in said["0"]
