"""The script that holds the emulator against a GPU: what of it needs none is tried here, with output as the tools print it."""

import importlib.util
import json
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from regrapht.evaluate.build.nvcc import find_nvcc

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
VALID = Path(__file__).parent / "valid"


def load(name):
    spec = importlib.util.spec_from_file_location(name, BENCHMARKS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


comparison = load("gpu_comparison")
script = load("emulator_on_gpu")

SECTORS, REQUESTS = comparison.METRICS["global", "load"]
WAVES, LOADS = comparison.METRICS["shared", "load"]
CONFLICTS = comparison.CONFLICTS["load"]
DETAILS = f"""==PROF== Connected to process 71
ended
==PROF== Disconnected
"ID","Process ID","Kernel Name","Block Size","Grid Size","Section Name","Metric Name","Metric Unit","Metric Value"
"0","71","twice(const float *, float *)","(128, 1, 1)","(4, 1, 1)","Command line","{SECTORS}","sector","1,024"
"0","71","twice(const float *, float *)","(128, 1, 1)","(4, 1, 1)","Command line","{REQUESTS}","","64"
"1","71","twice(const float *, float *)","(128, 1, 1)","(4, 1, 1)","Command line","{SECTORS}","sector","512"
"1","71","twice(const float *, float *)","(128, 1, 1)","(4, 1, 1)","Command line","{REQUESTS}","","32"
"1","71","twice(const float *, float *)","(128, 1, 1)","(4, 1, 1)","Command line","{WAVES}","","n/a"
"""
RAW = f""""ID","Kernel Name","{WAVES}","{LOADS}","{CONFLICTS}"
"","","","inst",""
"0","tile(int)","3,200","100","3100"
"""


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (DETAILS, {SECTORS: 1536.0, REQUESTS: 96.0}),
        (RAW, {WAVES: 3200.0, LOADS: 100.0, CONFLICTS: 3100.0}),
        ("==ERROR== no permission\n", {}),
    ],
)
def test_ncu_is_summed_over_launches(said, expected):
    assert comparison.read_ncu(said) == expected


def test_ratios_are_compared_within_two_per_cent():
    sums = {SECTORS: 1536.0, REQUESTS: 96.0, WAVES: 3200.0, LOADS: 100.0, CONFLICTS: 3100.0}
    found = comparison.compare_counts(
        sums, {"global load": [400, 25], "shared load": [1600, 100], "shared store": [3, 3]}
    )
    assert found["global load"] == {"ncu": 16.0, "emulator": 16.0, "agree": True}
    assert found["shared load"] == {"ncu": 32.0, "emulator": 16.0, "agree": False, "ncu_by_conflicts": 32.0}
    assert set(found) == {"global load", "shared load"}


def test_the_sanitizer_summaries():
    clean = "========= COMPUTE-SANITIZER\nended\n========= ERROR SUMMARY: 0 errors\n"
    assert comparison.read_sanitizer(clean) == {"errors": 0, "warnings": 0, "first": "", "summary": True}
    bad = (
        "========= COMPUTE-SANITIZER\n========= Invalid __global__ read of size 4 bytes\n=========     at k(int)+0x40\n"
        "========= ERROR SUMMARY: 3 errors\n"
    )
    found = comparison.read_sanitizer(bad)
    assert found["errors"] == 3 and found["first"] == "Invalid __global__ read of size 4 bytes"
    races = "========= RACECHECK SUMMARY: 2 hazards displayed (1 error, 1 warning)\n"
    assert comparison.read_sanitizer(races) == {"errors": 1, "warnings": 1, "first": "", "summary": True}
    assert not comparison.read_sanitizer("killed")["summary"]


@pytest.mark.parametrize(
    ("dtype", "code", "got", "want", "same"),
    [
        ("float32", "f", [1.0, 2.0], [1.0, 2.0001], True),
        ("float32", "f", [1.0, 2.0], [1.0, 2.1], False),
        ("float32", "f", [float("nan")], [1.0], False),
        ("int32", "i", [1, -2], [1, -2], True),
        ("uint8", "B", [1, 2], [2, 1], False),
        ("bfloat16", "H", [0x3F80], [0x3F81], True),
        ("float16", "e", [1.0], [1.5], False),
    ],
)
def test_outputs_are_compared_by_type(dtype, code, got, want, same):
    raw = [struct.pack(f"<{len(values)}{code}", *values) for values in (got, want)]
    assert (comparison.difference(*raw, dtype) == 0) is same


def test_what_was_computed_in_a_lower_type_is_measured_by_it():
    raw = struct.pack("<d", 1.0), struct.pack("<d", 1.0 + 1e-6)
    assert comparison.difference(*raw, "float64") > 0
    assert comparison.difference(*raw, "float64", computed_in="float32") == 0


def test_vectorised_accesses_are_seen_in_ptx():
    assert comparison.vectorised("ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];") == "ld.global.nc.v4.f32"
    assert comparison.vectorised("ld.global.f32 %f1, [%rd1];\nst.shared.f32 [%r1], %f1;") == ""


@pytest.mark.slow
def test_prepared_programs_build_with_nvcc_and_read_their_inputs(bench, tmp_path):
    nvcc = find_nvcc()
    if nvcc is None:
        pytest.skip("no nvcc")
    source = (VALID / "vector_add.cu").read_text()
    program = bench.build(source, checked=True)
    place = tmp_path / "vector_add"
    script._store(place, source, bench.task(source), [bench.run(source, program)])
    known = json.loads((place / "known.json").read_text())
    assert known["sites"]["global load"][0] > 0 and known["errors"] == [] and known["launches"] == 1
    assert {path.suffix for path in place.iterdir()} == {".in", ".want", ".cu", ".json"}
    built = subprocess.run(
        [nvcc.path, "-std=c++20", "-arch=sm_90", "-w", "-o", tmp_path / "p", place / "program.cu"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr


def test_a_machine_without_a_gpu_or_its_tools_is_no_result(tmp_path, monkeypatch):
    monkeypatch.setattr(script, "_called", lambda command, seconds: (127, "not there"))
    for part, said in ((1, "nvcc does not work"), (2, "ncu does not work"), (3, "compute-sanitizer does not work")):
        with pytest.raises(SystemExit, match=said):
            script.run(part, tmp_path, tmp_path / "out", seconds=60, architecture="sm_90", only=None)
    assert not (tmp_path / "out").exists()


def test_the_table_in_the_documentation_is_the_newest_results():
    newest = max((BENCHMARKS / "results").glob("emulator_on_gpu_*.json"))
    planted = [row for row in json.loads(newest.read_text())["part3"] if "plain" in row]
    page = (BENCHMARKS.parent / "docs" / "planted-bugs.md").read_text()
    assert newest.name in page and comparison.markdown(planted) in page


def test_merge_counts_what_matters(tmp_path, capsys):
    rows = {
        1: [{"name": "a", "same": True}, {"name": "b", "same": False}],
        2: [{"name": "a", "compared": {"global load": {"agree": True}}}, {"name": "b", "problem": "vectorised"}],
        3: [
            {
                "name": "missing_guard",
                "plain": "ended, nothing shown",
                "plain_noticed": False,
                "sanitizer_caught": ["memcheck"],
            },
            {
                "name": "leak",
                "plain": "ended, nothing shown",
                "plain_noticed": False,
                "sanitizer_caught": [],
            },
        ],
    }
    for name, errors, wanted in (("missing_guard", ["global_oob"], "global_oob"), ("leak", [], "leak")):
        place = tmp_path / "planted" / name
        place.mkdir(parents=True)
        (place / "known.json").write_text(json.dumps({"errors": errors, "findings": [wanted], "wanted": [wanted]}))
    for part, lines in rows.items():
        (tmp_path / f"part{part}.jsonl").write_text("\n".join(map(json.dumps, lines)) + '\n{"cut')
    (tmp_path / "environment.json").write_text('{"date": "2026-01-02"}')
    summary = script.merge(tmp_path, tmp_path, tmp_path / "result.json")["summary"]
    assert summary["same outputs"] == 1 and summary["all ratios within 2 %"] == 1
    assert summary["caught by compute-sanitizer"] == summary["caught by the emulator"] == 1
    assert summary["warned of by the emulator"] == 1
    said = capsys.readouterr().out
    assert "| missing guard | nothing shown | memcheck | global_oob |" in said
    assert "| leak | nothing shown | missed | leak (a warning) |" in said
    assert json.loads((tmp_path / "result.json").read_text())["environment"] == {"date": "2026-01-02"}
