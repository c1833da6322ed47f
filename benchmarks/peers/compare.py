"""The transform engine beside pragma compilers on twenty tasks: the same references, inputs and sizes, data resident on the device.

    python benchmarks/peers/compare.py --out benchmarks/results/FILE.jsonl [TASK ...]      # on a machine with a GPU: all in one call
    python benchmarks/peers/compare.py --table FILE.jsonl
    python benchmarks/peers/compare.py --peers                                              # who is here, and why others are not

One JSON line a task, as it goes; tasks that the file has are not run again. Peers are what is found here: nvc++ (OpenACC, OpenMP), clang++
and g++ with offload (OpenMP target, OpenACC), and g++ -fopenmp on all cores; who is missing or does not reach the device is named with the
reason. A peer's time is the median of synchronous calls one after the other, which leaves caches warm; the engine's is the judge's, with
cold ones (`--budget` candidates are searched; 0, the default, takes the first program). Outputs are held against those of one core.
`--shape check` tries the script where there is no GPU: then the engine is not timed.
"""

import argparse
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from regrapht.assemble import open_evaluator, plain_version
from regrapht.bench.suite import open_suite
from regrapht.errors import RegraphtError
from regrapht.evaluate.inputs.drawing import Case, Inputs, draw
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
CALLS_S, MOST_CALLS = 2.0, 20
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Peer:
    """One way to compile pragmas."""

    name: str
    command: tuple[str, ...]
    style: str
    """`none`, `cores`, `target` or `acc`."""


PEERS = (
    Peer("one core, g++", ("g++", "-O3", "-march=native"), "none"),
    Peer("OpenMP on cores, g++", ("g++", "-O3", "-march=native", "-fopenmp"), "cores"),
    Peer("OpenMP target, g++", ("g++", "-O3", "-fopenmp", "-foffload=nvptx-none", "-foffload-options=-lm"), "target"),
    Peer("OpenACC, g++", ("g++", "-O3", "-fopenacc", "-foffload=nvptx-none", "-foffload-options=-lm"), "acc"),
    Peer("OpenMP target, clang++", ("clang++", "-O3", "-fopenmp", "-fopenmp-targets=nvptx64-nvidia-cuda"), "target"),
    Peer("OpenMP target, nvc++", ("nvc++", "-O3", "-mp=gpu"), "target"),
    Peer("OpenACC, nvc++", ("nvc++", "-O3", "-acc=gpu"), "acc"),
)
ONE_CORE = PEERS[0].name
PROBES = {
    "target": """#include <omp.h>
int main() {
    int host = 1;
#pragma omp target map(tofrom : host)
    host = omp_is_initial_device();
    return host;
}
""",
    "acc": """#include <openacc.h>
int main() {
    int host = 1;
#pragma acc parallel copy(host)
    host = acc_on_device(acc_device_host);
    return host;
}
""",
}
MEMORY = {
    "target": (
        "#include <omp.h>",
        "omp_target_alloc(bytes, omp_get_default_device())",
        "omp_target_memcpy(to, from, bytes, 0, 0, omp_get_default_device(), omp_get_initial_device())",
        "omp_target_memcpy(to, from, bytes, 0, 0, omp_get_initial_device(), omp_get_default_device())",
    ),
    "acc": (
        "#include <openacc.h>",
        "acc_malloc(bytes)",
        "acc_memcpy_to_device(to, (void*)from, bytes)",
        "acc_memcpy_from_device(to, (void*)from, bytes)",
    ),
}
ON_HOST = ("", "std::malloc(bytes)", "std::memcpy(to, from, bytes)", "std::memcpy(to, from, bytes)")
MAIN = """
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
{include}
static void* peer_make(std::size_t bytes) {{ return {make}; }}
static void peer_in(void* to, const void* from, std::size_t bytes) {{ {copy_in}; }}
static void peer_out(void* to, const void* from, std::size_t bytes) {{ {copy_out}; }}
struct PeerAny {{
    void* at;
    template <class T> operator T*() const {{ return (T*)at; }}
}};
static void peer_read(std::FILE* from, void* to, std::size_t bytes) {{
    if (std::fread(to, 1, bytes, from) != bytes) std::exit(3);
}}
int main() {{
    std::FILE* from = std::fopen("in.bin", "rb");
    if (from == nullptr) return 3;
{opened}
    double spent = 0;
    for (int k = 0; k <= {most} && (k < 4 || spent < {seconds}); ++k) {{
{fresh}
        const auto began = std::chrono::steady_clock::now();
        {call}
        const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        spent += took;
        if (k > 0) std::printf("%.9f\\n", took);
    }}
    std::FILE* to = std::fopen("out.bin", "wb");
{closed}
    return std::fclose(to);
}}
"""


def pragma(kind: str, style: str, pointers: Sequence[str]) -> str | None:
    """One annotation as a compiler of that style reads it."""
    word, _, clauses = kind.partition(" ")
    if style == "none" or (word == "routine" and style != "acc"):
        return None
    if word == "routine":
        return "#pragma acc routine seq"
    if word == "atomic":
        return "#pragma acc atomic update" if style == "acc" else "#pragma omp atomic"
    given = {
        "cores": "#pragma omp parallel for",
        "target": f"#pragma omp target teams distribute parallel for is_device_ptr({', '.join(pointers)})",
        "acc": f"#pragma acc parallel loop deviceptr({', '.join(pointers)})",
    }
    return f"{given[style]} {clauses}".rstrip()


def annotated(task: Task, notes: Mapping[str, Any], style: str) -> str:
    """The task's reference with its pragmas."""
    pointers = [arg.name for arg in task.args if arg.kind is ArgKind.ARRAY] + list(notes.get("pointers", ()))
    waiting = [tuple(one) for one in notes["pragmas"]]
    lines = []
    for line in task.reference.source.text.splitlines():
        for one in [one for one in waiting if line.lstrip().startswith(one[0])][:1]:
            waiting.remove(one)
            lines += [text] if (text := pragma(one[1], style, pointers)) is not None else []
        lines.append(line)
    if waiting:
        raise SystemExit(f"{task.id}: no line begins with {waiting[0][0]!r}; mend {HERE / 'annotations.toml'}")
    text = "\n".join(lines)
    return f"#pragma omp declare target\n{text}\n#pragma omp end declare target" if style == "target" else text


def program(task: Task, sizes: Sizes, notes: Mapping[str, Any], style: str) -> str:
    """One source: the annotated reference, and a main that times it."""
    include, make, copy_in, copy_out = MEMORY.get(style, ON_HOST)
    opened, fresh, closed, given = [], [], [], []
    for arg in task.args:
        name = arg.name
        if arg.kind is not ArgKind.ARRAY:
            opened.append(f"    {arg.dtype.c_name} {name}; peer_read(from, &{name}, sizeof {name});")
            given.append(name)
            continue
        size = arg.size_bytes(sizes)
        opened.append(f"    std::vector<char> h_{name}({size}); void* d_{name} = peer_make({max(size, 1)});")
        if arg.role is not Role.OUT:
            opened.append(f"    peer_read(from, h_{name}.data(), {size}); peer_in(d_{name}, h_{name}.data(), {size});")
        if arg.role is not Role.IN:
            fresh.append(f"        peer_in(d_{name}, h_{name}.data(), {size});")
            closed.append(
                f"    peer_out(h_{name}.data(), d_{name}, {size}); std::fwrite(h_{name}.data(), 1, {size}, to);"
            )
        given.append(f"PeerAny{{d_{name}}}")
    call = f"{task.entry}({', '.join(given)});"
    if task.returns is not None:
        opened.append(f"    {task.returns.c_name} result{{}};")
        call = f"result = {call}"
        closed.append("    std::fwrite(&result, 1, sizeof result, to);")
    body = MAIN.format(
        include=include, make=make, copy_in=copy_in, copy_out=copy_out, most=MOST_CALLS, seconds=CALLS_S, call=call,
        opened="\n".join(opened), fresh="\n".join(fresh), closed="\n".join(closed),
    )  # fmt: skip
    return annotated(task, notes, style) + "\n" + body


def written_inputs(task: Task, inputs: Inputs) -> bytes:
    """What the program reads, argument by argument."""
    parts = []
    for arg in task.args:
        if arg.kind is not ArgKind.ARRAY:
            parts.append(inputs.values[arg.name])
        elif arg.role is not Role.OUT:
            parts.append(np.ascontiguousarray(inputs.arrays[arg.name]).tobytes())
    return b"".join(parts)


def run_peer(peer: Peer, source: str, inputs: bytes, *, limit_s: float = 300.0) -> tuple[Row, bytes]:
    """Times of one peer, or why there are none; and its outputs."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "peer.cpp").write_text(source)
        (folder / "in.bin").write_bytes(inputs)
        try:
            built = subprocess.run(
                [*peer.command, "-std=c++17", "-w", "peer.cpp", "-o", "peer"], cwd=folder, capture_output=True, text=True, timeout=limit_s
            )  # fmt: skip
            if built.returncode:
                return {"status": "does not build", "said": _first(built.stderr)}, b""
            ran = subprocess.run(["./peer"], cwd=folder, capture_output=True, text=True, timeout=limit_s)
        except subprocess.TimeoutExpired:
            return {"status": "too slow", "said": f"over {limit_s:g} s"}, b""
        if ran.returncode:
            return {"status": "does not run", "said": _first(ran.stderr) or f"exit code {ran.returncode}"}, b""
        times = [float(line) * 1e6 for line in ran.stdout.split()]
        return {"status": "ran", "us": statistics.median(times), "samples_us": times}, (folder / "out.bin").read_bytes()


def _first(text: str) -> str:
    return next((line for line in text.splitlines() if "error" in line), text.splitlines()[0] if text else "")[:200]


def here() -> dict[str, str | None]:
    """Peer -> why it is not here; None where it is."""
    found: dict[str, str | None] = {}
    for peer in PEERS:
        if shutil.which(peer.command[0]) is None:
            found[peer.name] = f"{peer.command[0]} is not installed"
            continue
        probe = PROBES.get(peer.style)
        if probe is None:
            found[peer.name] = None
            continue
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "probe.cpp").write_text(probe)
            built = subprocess.run(
                [*peer.command, "probe.cpp", "-o", "probe"], cwd=folder, capture_output=True, text=True
            )
            if built.returncode:
                found[peer.name] = f"it cannot build for a GPU: {_first(built.stderr)}"
                continue
            ran = subprocess.run(["./probe"], cwd=folder, capture_output=True, text=True, timeout=60)
            found[peer.name] = None if ran.returncode == 0 else f"its regions run on the host: {_first(ran.stderr)}"
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


def compared(
    folder: Path, task: Task, notes: Mapping[str, Any], given: argparse.Namespace, absent: Mapping[str, str | None]
) -> Row:
    """One task's line."""
    sizes = task.bench_sizes[-1] if given.shape == "bench" and task.bench_sizes else task.check_sizes[-1]
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
        found, outputs = run_peer(peer, program(task, sizes, notes, peer.style), inputs)
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tasks", nargs="*", metavar="TASK")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--table", type=Path, metavar="FILE")
    parser.add_argument("--peers", action="store_true", help="say who is here, and run nothing")
    parser.add_argument("--shape", choices=("bench", "check"), default="bench")
    parser.add_argument(
        "--budget", type=int, default=0, help="candidates that the engine's search judges; 0 takes its first program"
    )
    parser.add_argument("--evaluator", default="local_gpu", choices=("local_gpu", "emulated"))
    given = parser.parse_args()
    if given.table is not None:
        print(table([json.loads(line) for line in given.table.read_text().splitlines()]))
        return 0
    absent = here()
    for name, why in absent.items():
        print(f"{name}: {'here' if why is None else why}", file=sys.stderr)
    if given.peers:
        return 0
    if given.out is None:
        parser.error("give --out FILE, --table FILE or --peers")
    if absent[ONE_CORE] is not None:
        raise SystemExit("without g++ nothing says what is right: install it")
    done = {json.loads(line)["task"] for line in given.out.read_text().splitlines()} if given.out.is_file() else set()
    for folder, task, notes in tasks(given.tasks):
        if task.id in done:
            continue
        row = compared(folder, task, notes, given, absent) | {
            "absent": {n: why for n, why in absent.items() if why is not None}
        }
        with given.out.open("a") as file:
            file.write(json.dumps(row) + "\n")
        print(
            f"{task.id}: " + ", ".join(f"{n} {_cell(f)}" for n, f in row["peers"].items()), file=sys.stderr, flush=True
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
