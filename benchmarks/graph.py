"""The reasoning graph at size: loading, one retrieval and memory at 100 000 exemplars; building from a corpus whose verdicts are on file.

    python benchmarks/graph.py [--exemplars 100000] [--corpus trajectories/written]

Prints one JSON line for each part; seconds are of one CPU, so that a busy machine does not count. Each part runs in a process of its own,
whose largest resident set is reported. The large graph is made up: trajectories of five steps over the vocabulary, programs of about 1000
characters that share most of their text, as real ones do.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from regrapht.graph.builder import GraphBuilder
from regrapht.graph.technique_graph import TechniqueGraph, TechniquePath, text_hash
from regrapht.graph.vocabulary import load_vocabulary
from regrapht.records.technique import INIT, Exemplar, Transition

STEPS = 5
SEED = 1
_KERNEL = """#include <cuda_runtime.h>

__global__ void {name}_kernel(int {size}, const float* __restrict__ {a}, const float* __restrict__ {b}, float* {c}) {{
    const int {i} = blockIdx.x * blockDim.x + threadIdx.x;
    if ({i} >= {size}) return;
    float {sum} = 0.0f;
    for (int {k} = 0; {k} < {number}; ++{k}) {{
        {sum} += {a}[({i} + {k} * {stride}) % {size}] * {b}[{k}];
    }}
    {c}[{i}] = {sum} / (1.0f + {sum} * {sum});
}}

extern "C" void {name}(int {size}, const float* {a}, const float* {b}, float* {c}) {{
    const int threads = {threads};
    {name}_kernel<<<({size} + threads - 1) / threads, threads>>>({size}, {a}, {b}, {c});
}}
"""
_WORDS = (
    *("alpha", "beta", "gamma", "delta", "row", "column", "price", "weight", "label", "bucket", "edge", "vertex"),
    *("pixel", "sample", "token", "level", "chunk", "tile", "probe", "cursor", "value", "index", "count", "limit"),
)


def made_up_program(chance: random.Random) -> str:
    """A kernel with names, numbers and a part of its loop drawn."""
    names = chance.sample(_WORDS, 8)
    keys = ("name", "size", "a", "b", "c", "i", "k", "sum")
    numbers = {
        "number": chance.randrange(2, 4096),
        "stride": chance.randrange(1, 97),
        "threads": 32 * chance.randrange(1, 33),
    }
    return _KERNEL.format(**dict(zip(keys, names, strict=True)), **numbers)


def made_up_graph(exemplars: int) -> TechniqueGraph:
    """A graph of so many exemplars, each with a program of its own."""
    chance = random.Random(SEED)
    vocabulary = load_vocabulary().techniques
    slugs, families = list(vocabulary), [f"family_{n}" for n in range(16)]
    builder = GraphBuilder(vocabulary.values())
    for number in range(exemplars // STEPS):
        task, family = f"task_{number}", chance.choice(families)
        taken = chance.choices(slugs, k=STEPS)
        programs = [made_up_program(chance) + f"// {number}.{step}\n" for step in range(STEPS + 1)]
        for step, edge in enumerate(Transition(a, b) for a, b in zip((INIT, *taken), taken, strict=False)):
            before, after = programs[step : step + 2]
            made = Exemplar(
                transition=edge,
                task_id=task,
                family=family,
                rationale="the loads of a warp are apart, so each brings in a whole sector for four bytes " * 4,
                detail="the loop is dealt out with the grid as its stride; bounds are checked once",
                before=text_hash(before),
                after=text_hash(after),
                before_status="PASSED",
                after_status="PASSED",
                speedup=chance.uniform(0.5, 4.0),
                device="NVIDIA H200 (sm_90)",
                source="hand",
                licence="Apache-2.0",
                provenance=f"{task}/only",
            )
            builder.add_transition(edge, exemplar=made, programs=(before, after))
        builder.add_path(
            TechniquePath(task_id=task, family=family, source="hand", slugs=tuple(taken), provenance=f"{task}/only")
        )
    return builder.graph()


def load(file: Path) -> dict[str, object]:
    """Seconds from the file to the graph, the best of three."""
    from regrapht.assemble import open_graph

    seconds = []
    for _ in range(3):
        started = time.process_time()
        graph = open_graph(file)
        seconds.append(time.process_time() - started)
        exemplars = sum(len(found) for found in graph.edges.values())
        del graph
    return {"part": "load", "exemplars": exemplars, "bytes": file.stat().st_size, "seconds": round(min(seconds), 3)}


def retrieval(file: Path) -> dict[str, object]:
    """Seconds of one retrieval by code, over 300 transitions: the first of each, which reads its programs, and then again."""
    from regrapht.assemble import open_graph
    from regrapht.graph.query import Viewer, retrieve

    graph = open_graph(file)
    chance = random.Random(SEED)
    viewer = Viewer(family="family_1", hide_tasks=frozenset({"task_1"}))
    edges = chance.sample(graph.transitions, 300)
    program = made_up_program(chance)
    times: dict[str, list[float]] = {"first": [], "again": []}
    for name, seconds in times.items():
        for edge in edges:
            started = time.process_time()
            found = retrieve(graph, edge, viewer, limit=3, program=program)
            seconds.append(time.process_time() - started)
            assert name and found
    of = {name: sorted(1000 * one for one in seconds) for name, seconds in times.items()}
    figures = {f"{name}_{what}_ms": round(ms[place], 2) for name, ms in of.items() for what, place in _PLACES.items()}
    return {"part": "retrieval", "exemplars": sum(len(e) for e in graph.edges.values()), **figures}


def build(corpus: Path) -> dict[str, object]:
    """Seconds from a corpus with its verdicts to the canonical text of its graph."""
    from regrapht.construct.build import build_graph

    started = time.process_time()
    graph, report = build_graph(corpus)
    text = graph.to_json()
    seconds = time.process_time() - started
    return {"part": "build", "steps": report.steps, "bytes": len(text), "seconds": round(seconds, 2)}


_PLACES = {"median": 150, "p95": 285}
PARTS = {"load": load, "retrieval": retrieval, "build": build}


def peak_mib() -> int:
    """The largest resident set of this process; `getrusage` would count its parent's before the program was started."""
    (line,) = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM:")]
    return int(line.split()[1]) // 1024


def alone(part: str, path: Path) -> None:
    """Run one part in a process of its own and print what it found."""
    done = subprocess.run(
        [sys.executable, __file__, "--part", part, "--path", str(path)], capture_output=True, text=True
    )
    if done.returncode:
        raise SystemExit(done.stderr)
    print(done.stdout.strip(), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--exemplars", type=int, default=100_000)
    parser.add_argument("--corpus", type=Path, default=Path("trajectories/written"))
    parser.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)
    parser.add_argument("--path", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.part:
        found = PARTS[chosen.part](chosen.path)
        print(json.dumps({**found, "peak_mib": peak_mib()}))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "large.json"
        file.write_text(made_up_graph(chosen.exemplars).to_json(), encoding="utf-8")
        alone("load", file)
        alone("retrieval", file)
    alone("build", chosen.corpus)
    return 0


if __name__ == "__main__":
    sys.exit(main())
