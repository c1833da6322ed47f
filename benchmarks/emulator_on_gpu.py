"""The emulator held against a real GPU, nvcc, Nsight Compute and compute-sanitizer, in slices of a few minutes.

On a machine without a GPU (needs the tests' requirements; runs the emulator):

    python benchmarks/emulator_on_gpu.py prepare --folder .gpu-bundle/emulator

On the machine with the GPU (Python >= 3.11 alone; needs nvcc, for part 2 ncu and for part 3 compute-sanitizer):

    python3 benchmarks/emulator_on_gpu.py run --folder .gpu-bundle/emulator --part 1 --out OUT [--seconds 500]
    ... --part 2 ... --part 3

Part 1 runs every program of tests/emulate/valid and compares its outputs with the emulator's. Part 2 counts sectors and bank conflicts with
ncu, where nvcc has not vectorised. Part 3 runs every planted bug plainly and under the sanitizer's four tools. Each part appends one JSON
line for each program to OUT/part<N>.jsonl; what is there is not run again. Then, anywhere:

    python benchmarks/emulator_on_gpu.py merge --folder .gpu-bundle/emulator --out OUT --result benchmarks/results/emulator_on_gpu.json
"""

import argparse
import hashlib
import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from datetime import UTC, datetime
from pathlib import Path

from gpu_comparison import (
    CONFLICTS,
    METRICS,
    compare_counts,
    difference,
    markdown,
    ncu_command,
    read_ncu,
    read_sanitizer,
    standalone,
    vectorised,
)

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = ROOT / "tests" / "emulate"
TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
MAX_LAUNCHES, MAX_PROFILED = 8, 24
_AT_A_TIME = 4
"""Programs on the GPU at a time where nothing is counted or timed."""
_ORDERED_BY_SCHEDULE = {"ballot_compact"}
"""Outputs that are the same up to their order."""
_COMPUTED_IN = {"special_functions": "float32"}
"""Outputs of a wider type than what was computed in."""


def prepare(folder: Path, only: str | None) -> None:
    """Write each program with a main, its inputs, and what the emulator says of it, into a folder of its own."""
    from regrapht.emulate.emulator import EmulatedProgram, Emulator, Schedule
    from regrapht.sandbox.choose import choose_sandbox

    bench_module = _module(PROGRAMS / "conftest.py")
    bench = bench_module.Bench(Emulator(choose_sandbox()))
    for group in ("valid", "planted"):
        for path in sorted((PROGRAMS / group).glob("*.cu")):
            if only and not re.search(only, path.stem):
                continue
            source = path.read_text(encoding="utf-8")
            task = bench.task(source)
            program = bench.build(source, checked=True)
            if not isinstance(program, EmulatedProgram):
                print(f"{group}/{path.stem}: {program.message}")
                continue
            runs = [bench.run(source, program, schedule=order) for order in (Schedule.FORWARD, Schedule.REVERSE)]
            _store(folder / group / path.stem, source, task, runs)
            print(
                f"{group}/{path.stem}: {sorted({f.kind for run in runs for f in run.run.findings}) or 'clean'}",
                flush=True,
            )


def _store(place: Path, source: str, task: object, runs: list) -> None:
    sizes = task.check_sizes[0]
    arrays = [
        {
            "name": arg.name,
            "role": arg.role.value,
            "dtype": arg.dtype.name,
            "c_type": arg.dtype.c_name,
            "bytes": arg.size_bytes(sizes),
        }
        for arg in task.args
        if arg.role is not None
    ]
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    first = runs[0]
    for name, array in first.inputs.items():
        (place / f"{name}.in").write_bytes(array.tobytes())
    for name, array in first.outputs[0].items():
        (place / f"{name}.want").write_bytes(array.tobytes())
    (place / "program.cu").write_text(standalone(source, arrays, sizes["N"]), encoding="utf-8")
    evidence = first.run.evidence[0] if first.run.evidence else None
    known = {
        "sha256": hashlib.sha256(source.encode()).hexdigest(),
        "arrays": arrays,
        "wanted": _marked_kinds(source),
        "findings": sorted({f.kind for run in runs for f in run.run.findings}),
        "errors": sorted({f.kind for run in runs for f in run.run.findings if f.severity.value == "error"}),
        "launches": evidence.launches if evidence else 0,
        "sites": _sites(evidence) if evidence else {},
    }
    (place / "known.json").write_text(json.dumps(known, indent=1), encoding="utf-8")


def _sites(evidence: object) -> dict[str, list[int]]:
    """`global load` -> [transactions, requests] of the whole call."""
    sums: dict[str, list[int]] = {}
    for site in evidence.sites:
        counts = sums.setdefault(f"{site.space} {site.kind}", [0, 0])
        counts[0] += site.transactions
        counts[1] += site.requests
    return sums


def _marked_kinds(source: str) -> list[str]:
    return sorted({kind for line in re.findall(r"// finding: (.*)", source) for kind in line.split()})


def _module(path: Path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def run(part: int, folder: Path, out: Path, *, seconds: float, architecture: str, only: str | None) -> None:
    """One part, until it is done or the time is over."""
    deadline = time.monotonic() + seconds
    require_machine(part, architecture)
    out.mkdir(parents=True, exist_ok=True)
    (out / "environment.json").write_text(json.dumps(environment()) + "\n")
    journal = out / f"part{part}.jsonl"
    done = {row["name"] for row in read_rows(journal)}
    group = "planted" if part == 3 else "valid"
    places = [
        p for p in sorted((folder / group).iterdir()) if p.name not in done and (not only or re.search(only, p.name))
    ]
    if part == 2:
        places = _worth_profiling(places)[: max(0, MAX_PROFILED - len(done))]
    todo = iter(places)
    with (
        tempfile.TemporaryDirectory() as scratch,
        ThreadPoolExecutor(os.cpu_count() or 1) as builders,
        ThreadPoolExecutor(1 if part == 2 else _AT_A_TIME) as runners,
    ):
        building = [(place, builders.submit(build, place, Path(scratch), architecture, part == 2)) for place in todo]
        running = [runners.submit(one, part, place, built, deadline) for place, built in building]
        for done in as_completed(running):
            row = done.result()
            if row is None:
                builders.shutdown(wait=False, cancel_futures=True)
                runners.shutdown(wait=False, cancel_futures=True)
                print("no time left; run again to go on")
                return
            with journal.open("a") as file:
                file.write(json.dumps(row) + "\n")
            print(json.dumps(row)[:300], flush=True)


def one(part: int, place: Path, built: Future[tuple[Path, str]], deadline: float) -> dict | None:
    """The row of one program; None when no time is left for it."""
    left = deadline - time.monotonic()
    if left < 10:
        return None
    program, problem = built.result()
    known = json.loads((place / "known.json").read_text())
    step = {1: outputs_of, 2: counts_of, 3: sanitized}[part]
    return {"name": place.name} | ({"problem": problem} if problem else step(program, place, known, left))


def require_machine(part: int, architecture: str) -> None:
    """Exit unless nvcc, a GPU that runs a kernel and the part's own tool are here: their absence must not look like a result."""
    tool = {2: ["ncu", "--version"], 3: [_sanitizer(), "--version"]}.get(part)
    if tool is not None and (code := _called(tool, 60)[0]):
        raise SystemExit(f"{tool[0]} does not work here (exit {code})")
    with tempfile.TemporaryDirectory() as scratch:
        source, program = Path(scratch) / "trial.cu", Path(scratch) / "trial"
        source.write_text(
            "__global__ void k() {}\nint main() { k<<<1, 1>>>(); return cudaDeviceSynchronize() != cudaSuccess; }\n"
        )
        code, said = _called(["nvcc", f"-arch={architecture}", "-o", str(program), str(source)], 120)
        if code:
            raise SystemExit(f"nvcc does not work here: {said[-300:]}")
        if _called([str(program)], 60)[0]:
            raise SystemExit(f"no GPU runs {architecture} programs here")


def environment() -> dict:
    """What ran the programs, and when."""
    asked = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    release = re.search(r"V(\d+\.\d+\.\d+)", _called(["nvcc", "--version"], 60)[1])
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "gpu and driver": _called(asked, 60)[1].strip().splitlines()[:1],
        "nvcc": release[1] if release else "unknown",
    }


def build(place: Path, scratch: Path, architecture: str, look: bool) -> tuple[Path, str]:
    """nvcc's program for one prepared folder, and why there is none. With `look` programs that nvcc vectorised are left out."""
    target = scratch / place.name
    command = ["nvcc", "-std=c++20", "-O3", f"-arch={architecture}", "-w", "-lineinfo"]
    if look:
        ptx = _called([*command[:-1], "-ptx", "-o", f"{target}.ptx", str(place / "program.cu")], 120)
        if ptx[0] == 0 and (wide := vectorised(Path(f"{target}.ptx").read_text())):
            return target, f"vectorised by nvcc: {wide}"
    code, said = _called([*command, "-o", str(target), str(place / "program.cu")], 120)
    return target, "" if code == 0 else f"does not build: {said.replace(f'{place.parents[1]}/', '')[-500:]}"


def outputs_of(program: Path, place: Path, known: dict, left: float) -> dict:
    """Part 1: whether the GPU leaves what the emulator leaves."""
    with tempfile.TemporaryDirectory() as scratch:
        _inputs(place, Path(scratch))
        code, said = _called([str(program), scratch, "fill"], min(left, 60))
        if code:
            return {"same": False, "said": said[-300:], "code": code}
        differing = []
        for each in known["arrays"]:
            if each["role"] == "in":
                continue
            got = (Path(scratch) / f"{each['name']}.out").read_bytes()
            want = (place / f"{each['name']}.want").read_bytes()
            error = difference(
                got,
                want,
                each["dtype"],
                unordered=place.name in _ORDERED_BY_SCHEDULE,
                computed_in=_COMPUTED_IN.get(place.name, ""),
            )
            if error > 0:
                differing.append({"array": each["name"], "error": error})
    return {"same": not differing, "differing": differing}


def counts_of(program: Path, place: Path, known: dict, left: float) -> dict:
    """Part 2: ncu's sectors and passes a request beside the emulator's."""
    with tempfile.TemporaryDirectory() as scratch:
        _inputs(place, Path(scratch))
        names = [name for pair in METRICS.values() for name in pair] + list(CONFLICTS.values())
        for _ in range(3):
            code, said = _called(ncu_command(program, scratch, names), min(left, 120))
            missing = [
                name for name in names if f"Failed to find metric {name}" in said or f"metric {name} not" in said
            ]
            if not missing:
                break
            names = [name for name in names if name not in missing]
    sums = read_ncu(said)
    if code or not sums:
        return {"problem": f"ncu ended with {code}: {said[-300:]}"}
    return {"ncu": sums, "emulator": known["sites"], "compared": compare_counts(sums, known["sites"])}


def sanitized(program: Path, place: Path, known: dict, left: float) -> dict:
    """Part 3: what a plain run and the sanitizer's tools show of a planted bug."""
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(len(TOOLS)) as pool:
        _inputs(place, Path(scratch))
        code, said = _called([str(program), scratch], 12)
        shown = "time limit" if code == 124 else "ended, nothing shown" if code == 0 else f"exit {code}: {said[-120:]}"
        tools = dict(zip(TOOLS, pool.map(lambda tool: sanitizer_says(program, scratch, tool), TOOLS), strict=True))
    silent = [tool for tool, found in tools.items() if not found["ran"]]
    if silent:
        return {"problem": f"{', '.join(silent)} did not start: {tools[silent[0]]['said']}"}
    caught = [tool for tool, found in tools.items() if found["errors"]]
    return {
        "plain": shown,
        "plain_noticed": code != 0,
        "sanitizer": tools,
        "sanitizer_caught": caught,
    }


def emulator_says(known: dict) -> dict:
    """What the emulator found of a planted bug when the folder was prepared."""
    return {
        "emulator": known["errors"],
        "emulator_warns": sorted(set(known["findings"]) & set(known["wanted"]) - set(known["errors"])),
        "emulator_caught": bool(set(known["errors"]) & set(known["wanted"])),
    }


def sanitizer_says(program: Path, folder: str, tool: str) -> dict:
    """How many errors one tool counts, and its first words."""
    command = [_sanitizer(), "--tool", tool, "--print-limit", "5", "--error-exitcode", "86"]
    command += ["--racecheck-report", "analysis"] if tool == "racecheck" else []
    code, said = _called([*command, str(program), folder], 20)
    ran = "COMPUTE-SANITIZER" in said or code == 124
    return {**read_sanitizer(said), "ran": ran, "finished": code != 124, "said": "" if ran else said[-200:]}


def _sanitizer() -> str:
    found = shutil.which("compute-sanitizer")
    return found or "/usr/local/cuda/bin/compute-sanitizer"


def _inputs(place: Path, scratch: Path) -> None:
    for path in place.glob("*.in"):
        shutil.copyfile(path, scratch / path.name)


def _worth_profiling(places: list[Path]) -> list[Path]:
    """Programs with few launches that access memory: ncu runs each launch several times."""
    found = []
    for place in places:
        known = json.loads((place / "known.json").read_text())
        if 0 < known["launches"] <= MAX_LAUNCHES and known["sites"]:
            found.append(place)
    return found


def _called(command: list[str], seconds: float) -> tuple[int, str]:
    """Exit status and all that was printed; 124 when it ran out of time."""
    try:
        started = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            text=True,
            errors="replace",
        )
    except OSError as error:
        return 127, str(error)
    with started:
        try:
            said = started.communicate(timeout=max(1.0, seconds))[0]
        except subprocess.TimeoutExpired:
            os.killpg(
                started.pid, signal.SIGKILL
            )  # a tool's own children too: an endless kernel would keep the device busy
            return 124, started.communicate()[0]
    return started.returncode, said


def read_rows(journal: Path) -> Iterator[dict]:
    """The rows of a journal; a last line that was cut short is left out."""
    for line in journal.read_text().splitlines() if journal.exists() else ():
        try:
            yield json.loads(line)
        except ValueError:
            continue


def merge(folder: Path, out: Path, result: Path) -> dict:
    """One file of all parts, with the counts that matter, and the table as Markdown on standard output."""
    parts = {f"part{n}": list(read_rows(out / f"part{n}.jsonl")) for n in (1, 2, 3)}
    for row in parts["part3"]:
        row |= emulator_says(json.loads((folder / "planted" / row["name"] / "known.json").read_text()))
    counts = [row for row in parts["part2"] if row.get("compared")]
    agreeing = [row for row in counts if all(each["agree"] for each in row["compared"].values())]
    planted = [row for row in parts["part3"] if "plain" in row]
    summary = {
        "valid programs": len(parts["part1"]),
        "same outputs": sum(bool(row.get("same")) for row in parts["part1"]),
        "profiled programs": len(counts),
        "all ratios within 2 %": len(agreeing),
        "planted bugs": len(planted),
        "noticed by a plain run": sum(row["plain_noticed"] for row in planted),
        "caught by compute-sanitizer": sum(bool(row["sanitizer_caught"]) for row in planted),
        "caught by the emulator": sum(row["emulator_caught"] for row in planted),
        "warned of by the emulator": sum(bool(row["emulator_warns"]) and not row["emulator_caught"] for row in planted),
    }
    ran_on = json.loads((out / "environment.json").read_text())
    merged = {"environment": ran_on, "summary": summary, **parts}
    result.parent.mkdir(parents=True, exist_ok=True)
    result.write_text(json.dumps(merged, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(markdown(planted))
    print(json.dumps(summary, indent=1))
    return merged


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("step", choices=("prepare", "run", "merge"))
    parser.add_argument("--folder", type=Path, default=ROOT / ".gpu-bundle" / "emulator")
    parser.add_argument("--out", type=Path, default=Path("emulator-on-gpu"))
    parser.add_argument("--result", type=Path, default=Path("emulator_on_gpu.json"))
    parser.add_argument("--part", type=int, choices=(1, 2, 3), default=1)
    parser.add_argument("--seconds", type=float, default=500.0)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--only", help="programs whose name matches this pattern")
    chosen = parser.parse_args()
    if chosen.step == "prepare":
        prepare(chosen.folder, chosen.only)
    elif chosen.step == "run":
        run(chosen.part, chosen.folder, chosen.out, seconds=chosen.seconds, architecture=chosen.arch, only=chosen.only)
    else:
        merge(chosen.folder, chosen.out, chosen.result)
    return 0


if __name__ == "__main__":
    sys.exit(main())
