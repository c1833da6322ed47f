"""The small applications that ship: they print what is kept beside them, and their loops pass the door as they stand."""

import subprocess
from pathlib import Path

import pytest

from regrapht.records.user_code import BuildFlags
from regrapht.tasks.listing import list_functions

APPS = Path(__file__).resolve().parents[3] / "examples" / "apps"
LOOPS = {
    "shallow_water": ("src/solver.cpp", {"walls", "fluxes_x", "fluxes_y", "update", "friction", "volume"}, 9, 9),
    "kmeans": ("kmeans.cpp", {"assign", "move", "inertia", "normalise"}, 4, 5),
    "nbody": ("source/forces.cpp", {"forces"}, 1, 1),
    "lattice_boltzmann": ("collide.cc", {"collide", "stream"}, 2, 2),
    "monte_carlo": ("src/paths.cpp", {"run"}, 1, 1),
    "image_pipeline": ("edges.cxx", {"sobel", "thin_edges", "count_edges", "brightest"}, 4, 4),
    "csr_solver": ("src/csr.cpp", {"multiply", "inverse_diagonal"}, 2, 3),
    "ray_marcher": ("lib/shade.cpp", {"shade", "occlude", "tone", "brightness"}, 4, 4),
    "spectral_filter": ("Filter.cpp", {"bandPass", "apply", "power", "scale", "rms"}, 5, 5),
    "smith_waterman": ("align.cpp", {"align_pairs"}, 1, 1),
}
"""Application -> its file of loops, functions that pass among others, how many pass, and of how many with a loop."""
LEFT = {
    "csr_solver": {"poisson", "solve"},
    "image_pipeline": {"gauss"},
    "kmeans": {"sums"},
    "nbody": {"sort_into_cells"},
    "ray_marcher": {"drawn"},
    "smith_waterman": {"count_words"},
    "spectral_filter": {"butterflies", "transform"},
}
"""Functions with a loop that are left where only their file is read: `port` takes some of them, whose lengths the run shows."""
SUFFIXES = (".cpp", ".cc", ".cxx")


def headers(name: str) -> tuple[Path, ...]:
    return tuple(
        folder for folder in (APPS / name / "include", APPS / name / "inc", APPS / name / "lib") if folder.is_dir()
    )


def test_every_application_is_here():
    assert {path.name for path in APPS.iterdir() if path.is_dir()} == set(LOOPS)
    assert all((APPS / name / "large.in").is_file() and (APPS / name / "medium.in").is_file() for name in LOOPS)


@pytest.mark.parametrize("name", LOOPS)
def test_it_prints_what_is_kept(name, tmp_path):
    sources = sorted(path for path in (APPS / name).rglob("*") if path.suffix in SUFFIXES)
    words = [f"-I{folder}" for folder in headers(name)]
    subprocess.run(
        ["g++", "-std=c++20", "-O1", "-Wall", "-Werror", *words, "-o", tmp_path / "app", *sources], check=True
    )
    said = subprocess.run([tmp_path / "app", APPS / name / "small.in"], capture_output=True, text=True, check=True)
    assert said.stdout == (APPS / name / "small.out").read_text()


@pytest.mark.parametrize("name", LOOPS)
def test_its_loops_pass_as_they_stand(name):
    pytest.importorskip("clang.cindex", reason="needs Clang's library: pip install libclang-ng")
    file, some, passing, count = LOOPS[name]
    listed = [
        one
        for one in list_functions(APPS / name / file, BuildFlags(include=headers(name), standard="c++20"))
        if one.why_not != "has no loop"
    ]
    passed = {one.name.rpartition("::")[2] for one in listed if one.signature is not None}
    assert passed >= some and (len(passed), len(listed)) == (passing, count)


@pytest.mark.slow
@pytest.mark.parametrize("name", LOOPS)
def test_all_loops_of_all_files_pass_but_those_that_are_known(name):
    pytest.importorskip("clang.cindex", reason="needs Clang's library: pip install libclang-ng")
    flags = BuildFlags(include=headers(name), standard="c++20")
    files = sorted(path for path in (APPS / name).rglob("*") if path.suffix in SUFFIXES)
    listed = [one for file in files for one in list_functions(file, flags) if one.why_not != "has no loop"]
    left = {one.name.rpartition("::")[2] for one in listed if one.signature is None}
    assert left == LEFT.get(name, set()), [one.why_not for one in listed if one.signature is None]
