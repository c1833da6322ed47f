"""The transform engine beside pragma compilers on twenty tasks: the same references, inputs and sizes, data resident on the device.

    python benchmarks/peers/compare.py --out benchmarks/results/FILE.jsonl [--stop-after 560] [--part 1/2] [TASK ...]
    python benchmarks/peers/compare.py --table FILE.jsonl ...
    python benchmarks/peers/compare.py --peers                            # who is here, and why others are not
    python benchmarks/peers/compare.py --prebuild FOLDER                  # where a compiler with offload is: programs to carry along
    python benchmarks/peers/compare.py --prebuilt FOLDER --out FILE.jsonl # where none is, but a GPU

One JSON line a task, as it goes; tasks that the file has are not run again, so a job cut short goes on where it stopped. A folder that
`--prebuild` made has the programs of each peer with offload under a name that their source gives, so none is taken for another, and the
libraries that they load; it needs no GPU. Peers are what is found here: nvc++ (OpenACC, OpenMP), clang++
and g++ with offload (OpenMP target, OpenACC), and g++ -fopenmp on all cores; who is missing or does not reach the device is named with the
reason. A peer's time is the median of synchronous calls one after the other, which leaves caches warm; the engine's is the judge's, with
cold ones (`--budget` candidates are searched; 0, the default, takes the first program). Outputs are held against those of one core.
`--shape check` tries the script where there is no GPU: then the engine is not timed.
"""

import argparse
import hashlib
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from programs import PROBES, program, written_inputs

from regrapht.assemble import open_evaluator, plain_version
from regrapht.bench.suite import open_suite
from regrapht.errors import RegraphtError
from regrapht.evaluate.inputs.drawing import Case, draw
from regrapht.evaluate.inputs.families import Family
from regrapht.records.run import Budget, RunOptions
from regrapht.records.task import ArgKind, Role, Sizes, Task
from regrapht.records.verdict import Level, Verdict
from regrapht.session.finish import finish
from regrapht.session.launch import launch

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
MOST_OFF = 1e-3
"""Of the largest magnitude of an output: how far a peer's floats may be from those of one core."""
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Peer:
    """One way to compile pragmas."""

    name: str
    command: tuple[str, ...]
    style: str
    """`none`, `cores`, `target` or `acc`."""

    def ready(self, folder: Path, source: str) -> Path:
        """Where a folder of prebuilt programs has the one of a source."""
        words = "-".join(self.name.replace(",", "").split())
        return folder / words / hashlib.sha256(source.encode()).hexdigest()[:16]


_TO_NVPTX = "-foffload-options=-lm -misa=sm_80"
"""The ptxas of CUDA 13 takes no code for what GCC 12 would choose."""
PEERS = (
    Peer("one core, g++", ("g++", "-O3", "-march=native"), "none"),
    Peer("OpenMP on cores, g++", ("g++", "-O3", "-march=native", "-fopenmp"), "cores"),
    Peer(
        "OpenMP target, g++",
        ("g++", "-O3", "-fopenmp", "-foffload=nvptx-none", _TO_NVPTX, "-fno-pie", "-no-pie"),
        "target",
    ),
    Peer("OpenACC, g++", ("g++", "-O3", "-fopenacc", "-foffload=nvptx-none", _TO_NVPTX, "-fno-pie", "-no-pie"), "acc"),
    Peer("OpenMP target, clang++", ("clang++", "-O3", "-fopenmp", "-fopenmp-targets=nvptx64-nvidia-cuda"), "target"),
    Peer("OpenMP target, nvc++", ("nvc++", "-O3", "-mp=gpu"), "target"),
    Peer("OpenACC, nvc++", ("nvc++", "-O3", "-acc=gpu"), "acc"),
)
ONE_CORE = PEERS[0].name


def build_peer(peer: Peer, source: str, folder: Path, limit_s: float) -> Row | None:
    """The program `peer` in a folder; else why there is none."""
    (folder / "peer.cpp").write_text(source)
    try:
        built = subprocess.run(
            [*peer.command, "-std=c++17", "-w", "peer.cpp", "-o", "peer"], cwd=folder, capture_output=True, text=True, timeout=limit_s
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return {"status": "too slow", "said": f"its compiler took over {limit_s:g} s"}
    return {"status": "does not build", "said": _first(built.stderr)} if built.returncode else None


def run_peer(
    peer: Peer, source: str, inputs: bytes, *, limit_s: float = 300.0, prebuilt: Path | None = None
) -> tuple[Row, bytes]:
    """Times of one peer, or why there are none; and its outputs."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "in.bin").write_bytes(inputs)
        ready = peer.ready(prebuilt, source) if prebuilt is not None else None
        if ready is not None and ready.is_file():
            shutil.copy(ready, folder / "peer")
        elif (failed := build_peer(peer, source, folder, limit_s)) is not None:
            return failed, b""
        try:
            ran = subprocess.run(
                ["./peer"], cwd=folder, env=_environment(prebuilt), capture_output=True, text=True, timeout=limit_s
            )
        except subprocess.TimeoutExpired:
            return {"status": "too slow", "said": f"over {limit_s:g} s"}, b""
        if ran.returncode:
            return {"status": "does not run", "said": _first(ran.stderr) or f"exit code {ran.returncode}"}, b""
        times = [float(line) * 1e6 for line in ran.stdout.split()]
        return {"status": "ran", "us": statistics.median(times), "samples_us": times}, (folder / "out.bin").read_bytes()


def _environment(prebuilt: Path | None) -> dict[str, str]:
    """Where prebuilt programs find the libraries that were carried along with them."""
    if prebuilt is None:
        return dict(os.environ)
    places = [str((prebuilt / "lib").resolve()), os.environ.get("LD_LIBRARY_PATH", "")]
    return os.environ | {"LD_LIBRARY_PATH": ":".join(filter(None, places))}


def prebuild(folder: Path, given: argparse.Namespace) -> None:
    """Programs of all peers with offload that this machine can build, for one that has a GPU and none of their compilers."""
    found = tasks(given.tasks)
    for peer in (peer for peer in PEERS if peer.style in PROBES):
        if shutil.which(peer.command[0]) is None:
            print(f"{peer.name}: {peer.command[0]} is not installed", file=sys.stderr)
            continue
        sources = [(peer.name, PROBES[peer.style])]
        sources += [
            (task.id, program(task, sizes_of(task, given.shape), notes, peer.style)) for _, task, notes in found
        ]
        for name, source in sources:
            ready = peer.ready(folder, source)
            if ready.is_file():
                continue
            with tempfile.TemporaryDirectory() as place:
                failed = build_peer(peer, source, Path(place), 300.0)
                if failed is None:
                    ready.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(Path(place) / "peer", ready)
            print(f"{peer.name}: {name}: {'built' if failed is None else failed['said']}", file=sys.stderr, flush=True)
            if failed is not None and name == peer.name:
                break
    (folder / "lib").mkdir(parents=True, exist_ok=True)
    for name in ("libgomp.so.1", "libgomp-plugin-nvptx.so.1"):
        asked = subprocess.run(["g++", f"-print-file-name={name}"], capture_output=True, text=True).stdout.strip()
        places = [Path(place) / name for place in os.environ.get("LD_LIBRARY_PATH", "").split(":") if place]
        library = next((path for path in (*places, Path(asked)) if path.is_file()), None)
        if library is None:
            print(f"{name} is not here: name its folder in LD_LIBRARY_PATH", file=sys.stderr)
        else:
            shutil.copy(library, folder / "lib" / name)


def _first(text: str) -> str:
    return next((line for line in text.splitlines() if "error" in line), text.splitlines()[0] if text else "")[:200]


def here(prebuilt: Path | None = None) -> dict[str, str | None]:
    """Peer -> why it is not here; None where it is."""
    found: dict[str, str | None] = {}
    for peer in PEERS:
        probe = PROBES.get(peer.style, "")
        ready = peer.ready(prebuilt, probe) if prebuilt is not None and probe else None
        carried = ready is not None and ready.is_file()
        if shutil.which(peer.command[0]) is None and not carried:
            found[peer.name] = f"{peer.command[0]} is not installed"
            continue
        found[peer.name] = None
        if not probe:
            continue
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            if ready is not None and carried:
                shutil.copy(ready, folder / "peer")
            elif (failed := build_peer(peer, probe, folder, 120.0)) is not None:
                found[peer.name] = f"it cannot build for a GPU: {failed['said']}"
                continue
            ran = subprocess.run(
                ["./peer"], cwd=folder, env=_environment(prebuilt), capture_output=True, text=True, timeout=60
            )
            if ran.returncode:
                found[peer.name] = f"its regions run on the host: {_first(ran.stderr)}"
    return found


def farthest(task: Task, sizes: Sizes, right: bytes, other: bytes) -> float:
    """How far outputs are from those of one core: of floats as a share of the largest magnitude, of others 0 or infinity."""
    if len(right) != len(other):
        return math.inf
    at, worst = 0, 0.0
    parts = [
        (arg.dtype, arg.size_bytes(sizes)) for arg in task.args if arg.kind is ArgKind.ARRAY and arg.role is not Role.IN
    ]
    parts += [(task.returns, task.returns.size_bytes)] if task.returns is not None else []
    for kind, size in parts:
        if kind.name in ("float32", "float64"):
            one, two = (np.frombuffer(data[at : at + size], kind.name).astype(np.float64) for data in (right, other))
            most = float(np.max(np.abs(one), initial=0.0)) or 1.0
            worst = max(worst, float(np.max(np.abs(one - two), initial=0.0)) / most)
        elif right[at : at + size] != other[at : at + size]:
            worst = math.inf
        at += size
    return worst


def engine_row(folder: Path, task: Task, sizes: Sizes, budget: int, evaluator: str) -> Row:
    """The engine's program on the same sizes, by the judge."""
    try:
        if budget:
            options = RunOptions(proposer="transform", evaluator=evaluator, budget=Budget(candidates=budget))
            result = finish(launch(folder, options), out=None, observer=lambda event: None, stop=threading.Event())
            best = result.outcome.best
            verdict: Verdict | None = best.verdict if best is not None else None
        else:
            judge, plain = open_evaluator(evaluator), plain_version(task)
            if plain is not None:
                judge.prepare(task, plain)
            verdict = judge.evaluate(task, plain, level=Level.FULL) if plain is not None else None
    except RegraphtError as error:
        return {"status": "refused", "said": str(error).splitlines()[0]}
    if verdict is None:
        return {"status": "no program"}
    shape = next((one for one in verdict.timing or () if dict(one.sizes) == dict(sizes)), None)
    row: Row = {"status": verdict.status.value, "said": verdict.reason, "labels": list(verdict.labels)}
    return row if shape is None else row | {"us": shape.candidate.median_us}


def sizes_of(task: Task, shape: str) -> Sizes:
    """The sizes that peers are compared at."""
    return task.bench_sizes[-1] if shape == "bench" and task.bench_sizes else task.check_sizes[-1]


def compared(
    folder: Path, task: Task, notes: Mapping[str, Any], given: argparse.Namespace, absent: Mapping[str, str | None]
) -> Row:
    """One task's line."""
    sizes = sizes_of(task, given.shape)
    inputs = written_inputs(task, draw(task, Case(sizes=sizes, family=Family.DECLARED), secret=1, index=0))
    row: Row = {
        "task": task.id,
        "sizes": dict(sizes),
        "cores": os.cpu_count(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    row["peers"], right = {}, b""
    for peer in PEERS:
        if absent[peer.name] is not None:
            continue
        source = program(task, sizes, notes, peer.style)
        found, outputs = run_peer(peer, source, inputs, limit_s=given.limit, prebuilt=given.prebuilt)
        if peer.name == ONE_CORE:
            right = outputs
        elif found["status"] == "ran":
            found["off"] = farthest(task, sizes, right, outputs)
            found["status"] = "right" if found["off"] <= MOST_OFF else "wrong"
        row["peers"][peer.name] = found
    if given.shape == "bench":
        row["engine"] = engine_row(folder, task, sizes, given.budget, given.evaluator)
    return row


def table(rows: Sequence[Row]) -> str:
    """Times in microseconds, and the engine's gain over the best peer on the device."""
    names = [peer.name for peer in PEERS if any(peer.name in row["peers"] for row in rows)]
    lines = ["| task | " + " | ".join(names) + " | engine | over the best peer |", "|---" * (len(names) + 3) + "|"]
    gains = []
    for row in rows:
        cells = [_cell(row["peers"].get(name)) for name in names]
        others = [p["us"] for n, p in row["peers"].items() if p["status"] == "right"]
        own = row.get("engine", {}).get("us")
        gain = min(others) / own if others and own else None
        gains += [gain] if gain else []
        lines.append(
            f"| {row['task']} | {' | '.join(cells)} | {_cell(row.get('engine'))} | {f'{gain:.2f}' if gain else '-'} |"
        )
    if gains:
        mean, faster = statistics.geometric_mean(gains), sum(gain > 1 for gain in gains)
        lines += [
            "",
            f"The engine is faster than the best peer at {faster} of {len(gains)} tasks, {mean:.2f} times in the geometric mean.",
        ]
    return "\n".join(lines)


def _cell(found: Row | None) -> str:
    if found is None:
        return "-"
    return f"{found['us']:,.0f}".replace(",", " ") if "us" in found and found["status"] != "wrong" else found["status"]


def tasks(names: Sequence[str]) -> list[tuple[Path, Task, Mapping[str, Any]]]:
    """(folder, task, annotations) of the tasks that are annotated."""
    notes = tomllib.loads((HERE / "annotations.toml").read_text(encoding="utf-8"))
    if unknown := set(names) - notes.keys():
        raise SystemExit(f"no annotations of {sorted(unknown)[0]!r}; there are: {', '.join(notes)}")
    found = {one.task.id: one for suite in (str(EXAMPLES), "cudaeval") for one in open_suite(suite).tasks}
    return [(found[name].folder, found[name].task, note) for name, note in notes.items() if not names or name in names]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tasks", nargs="*", metavar="TASK")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--table", type=Path, nargs="+", metavar="FILE")
    parser.add_argument("--peers", action="store_true", help="say who is here, and run nothing")
    parser.add_argument(
        "--prebuild", type=Path, metavar="FOLDER", help="build programs to carry along, and run nothing"
    )
    parser.add_argument("--prebuilt", type=Path, metavar="FOLDER", help="what --prebuild made elsewhere")
    parser.add_argument("--shape", choices=("bench", "check"), default="bench")
    parser.add_argument(
        "--budget", type=int, default=0, help="candidates that the engine's search judges; 0 takes its first program"
    )
    parser.add_argument("--evaluator", default="local_gpu", choices=("local_gpu", "emulated"))
    parser.add_argument("--part", default="1/1", metavar="I/N", help="every Nth task, from the Ith on")
    parser.add_argument("--stop-after", type=float, default=math.inf, help="begin no task after so many seconds")
    parser.add_argument(
        "--limit", type=float, default=120.0, help="seconds that one peer may take to build, and to run"
    )
    return parser


def main() -> int:
    parser, began = _parser(), time.monotonic()
    given = parser.parse_args()
    if given.table is not None:
        print(table([json.loads(line) for file in given.table for line in file.read_text().splitlines()]))
        return 0
    if given.prebuild is not None:
        prebuild(given.prebuild, given)
        return 0
    absent = here(given.prebuilt)
    for name, why in absent.items():
        print(f"{name}: {'here' if why is None else why}", file=sys.stderr)
    if given.peers:
        return 0
    if given.out is None:
        parser.error("give --out FILE, --table FILE, --prebuild FOLDER or --peers")
    if absent[ONE_CORE] is not None:
        raise SystemExit("without g++ nothing says what is right: install it")
    done = {json.loads(line)["task"] for line in given.out.read_text().splitlines()} if given.out.is_file() else set()
    part, parts = map(int, given.part.split("/"))
    for folder, task, notes in tasks(given.tasks)[part - 1 :: parts]:
        if task.id in done:
            continue
        if time.monotonic() - began > given.stop_after:
            print("out of time: the same command goes on", file=sys.stderr)
            break
        row = compared(folder, task, notes, given, absent) | {
            "absent": {n: why for n, why in absent.items() if why is not None}
        }
        with given.out.open("a") as file:
            file.write(json.dumps(row) + "\n")
        said = [f"{n} {_cell(f)}" for n, f in (row["peers"] | {"engine": row.get("engine")}).items()]
        print(f"{task.id} ({time.monotonic() - began:.0f} s): {', '.join(said)}", file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
