"""What judging costs on a GPU, and how well its clocks tell programs apart. One JSON line a part, raw figures included.

    python benchmarks/judge.py warm|stages|power|queues|honest|builds [--out FILE] [--stop-after SECONDS]

warm     one more edit of a program at a judge that stays: wrong, right screened, right in full; medians by stage (--evaluator emulated)
stages   a right candidate in full, a wrong one, a screening: medians by stage, the time that the device was held alone, the parent's memory
power    a program against itself (SAME is right) and against a copy with 5 % more work (SLOW is right), 100 times each
queues   programs with all of the device's queues against themselves with one: their times must be the SAME
honest   thirty honest programs from about 5 us to 1 s: every refusal is a false alarm
builds   sixteen builds side by side
"""

import argparse
import json
import os
import resource
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from judge_warm import warm

from regrapht.evaluate.build.gpu_program import GpuProgram
from regrapht.evaluate.device.sharing import exclusive
from regrapht.evaluate.emulated import EmulatedEvaluator
from regrapht.evaluate.local_gpu import LocalGpuEvaluator
from regrapht.evaluate.timing.baselines import NAIVE
from regrapht.evaluate.timing.gpu_timer import PLANS
from regrapht.evaluate.timing.paired_timing import Measured, NoWatch, measure
from regrapht.evaluate.timing.partner_processes import Partner
from regrapht.evaluate.timing.ratios import is_launch_bound, paired_ratio, with_launch_noise
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.measurement import Ratio
from regrapht.records.task import Baseline, SourceFile, Task
from regrapht.records.verdict import Level, Verdict
from regrapht.sandbox.choose import choose_sandbox
from regrapht.source.program_hash import program_hash
from regrapht.tasks.load import load_task

ROOT = Path(__file__).parents[1]
PLAN = PLANS[Level.FULL]
SIGNATURE = 'extern "C" void affine(int n, float a, const float* x, const float* y, float* z)'
KERNEL = """__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z, int spins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float waste = threadIdx.x;
    for (int s = 0; s < spins; ++s) waste = waste * 1.0001f + 0.5f;
    if (i < n) z[i] = a * x[i] + y[i];
    if (waste == 12.5f && n < 0) z[0] = waste;
}
"""
WAYS = {
    "one launch": "affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z, SPINS);",
    "eight launches": "for (int k = 0; k < 8; ++k) affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z, SPINS / 8);",
    "scratch and two streams": """
    float* copy; cudaMalloc(&copy, sizeof(float) * (n ? n : 1));
    cudaMemcpyAsync(copy, x, sizeof(float) * n, cudaMemcpyDeviceToDevice);
    cudaStream_t one, two; cudaStreamCreate(&one); cudaStreamCreate(&two); cudaStreamSynchronize(0);
    int half = n / 2;
    affine_kernel<<<(half + 255) / 256 + 1, 256, 0, one>>>(half, a, copy, y, z, SPINS);
    affine_kernel<<<(n - half + 255) / 256 + 1, 256, 0, two>>>(n - half, a, copy + half, y + half, z + half, SPINS);
    cudaStreamSynchronize(one); cudaStreamSynchronize(two);
    cudaStreamDestroy(one); cudaStreamDestroy(two); cudaFree(copy);""",
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=["warm", "stages", "power", "queues", "honest", "builds"])
    parser.add_argument(
        "--only", nargs="*", default=[], help="of power and queues: measurements; of honest: numbers of spins"
    )
    parser.add_argument("--out", type=Path, help="append the result to this file")
    parser.add_argument(
        "--stop-after", type=float, default=480.0, help="seconds after which no further measurement is begun"
    )
    parser.add_argument("--evaluator", choices=["local_gpu", "emulated"], default="local_gpu", help="of warm")
    parser.add_argument("--turns", type=int, default=15, help="of warm: edits of each program")
    parser.add_argument("--tasks", type=int, default=3, help="of warm: tasks, z = a x + y and those of the corpus")
    chosen = parser.parse_args()
    if chosen.part != "warm" and chosen.evaluator != "local_gpu":
        parser.error(f"{chosen.part} needs a GPU")
    evaluator = LocalGpuEvaluator(choose_sandbox())
    judge = EmulatedEvaluator(choose_sandbox()) if chosen.evaluator == "emulated" else evaluator
    environment = judge.environment()
    deadline = time.monotonic() + chosen.stop_after
    parts = {"stages": stages, "power": power, "queues": queues, "honest": honest, "builds": builds}
    if chosen.part == "warm":
        programs = chain([(affine(), program("one launch", 0))], right_candidates())
        measured = warm(judge, islice(programs, chosen.tasks), candidate, turns=chosen.turns, deadline=deadline)
    else:
        measured = parts[chosen.part](evaluator, deadline, chosen.only)
    found = {
        "part": chosen.part,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "device": environment.device,
        "cpu": environment.cpu,
        "cores": len(os.sched_getaffinity(0)),
        "tools": dict(environment.tools),
        **measured,
    }
    line = json.dumps(found)
    if chosen.out:
        with chosen.out.open("a") as file:
            file.write(line + "\n")
    print(json.dumps({key: value for key, value in found.items() if not key.startswith("raw")}, indent=1))
    return 0


def affine(bench: int = 2**22) -> Task:
    """z = a x + y at one bench shape, its plain version the baseline."""
    task = load_task(ROOT / "tests" / "cheats" / "tasks" / "affine")
    naive = Baseline(name=NAIVE, source=SourceFile(name="naive.cu", text=program("one launch", 0)))
    return replace(task, bench_sizes=({"n": bench},), baselines=(naive,))


def program(way: str, spins: int, *, except_checks: bool = False) -> str:
    """With `except_checks` the many calls at check shapes take a thousandth of the time."""
    wanted = f"(n > 4096 ? {spins} : {spins // 1000})" if except_checks else str(spins)
    return KERNEL + SIGNATURE + " {\n" + WAYS[way].replace("SPINS", wanted) + "\n}\n"


def candidate(source: str) -> Candidate:
    return Candidate(source=source, program_hash=program_hash(source), origin=Origin(proposer="hand", seconds=0.0))


def stages(evaluator: LocalGpuEvaluator, deadline: float, only: Sequence[str]) -> dict[str, Any]:
    """Full, wrong and screened judgements of one candidate of every corpus task; the first judgement of a task warms its caches."""
    rows: list[dict[str, Any]] = []
    for task, source in right_candidates():
        if time.monotonic() > deadline:
            break
        evaluator.prepare(task, None)
        evaluator.evaluate(task, candidate(source), level=Level.FULL)
        wrong = source.replace("blockIdx.x", "(blockIdx.x + 1)", 1)
        for kind, text, level in (
            ("right", source, Level.FULL),
            ("wrong", wrong, Level.FULL),
            ("screen", source, Level.SCREEN),
        ):
            begun = time.monotonic()
            verdict = evaluator.evaluate(task, candidate(text), level=level)
            rows.append({"task": task.id, "kind": kind, "seconds": time.monotonic() - begun, **_summary(verdict)})
            print(json.dumps(rows[-1]), flush=True)
    found: dict[str, Any] = {"raw": rows, "parent_rss_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}
    for kind in ("right", "wrong", "screen"):
        wanted = [r for r in rows if r["kind"] == kind and (r["status"] == "PASSED") == (kind != "wrong")]
        found[f"{kind}_count"] = len(wanted)
        found[f"{kind}_median_s"] = _median(r["seconds"] for r in wanted)
        for name in ("build", "check", "memory", "time"):
            found[f"{kind}_{name}_median_s"] = _median(r["stages"][name] for r in wanted if name in r["stages"])
        found[f"{kind}_exclusive_median_s"] = _median(r["exclusive_s"] for r in wanted if r["exclusive_s"] is not None)
    return found


def right_candidates() -> Iterator[tuple[Task, str]]:
    """The second step (or the first) of one trajectory of every corpus task; one task of each family, then the next of each."""
    families = [
        sorted(folder.glob("*/task.toml"))
        for folder in sorted((ROOT / "trajectories" / "written").iterdir())
        if folder.is_dir()
    ]
    for file in filter(None, chain.from_iterable(zip_longest(*families))):
        steps = sorted(next(iter(sorted(p for p in file.parent.iterdir() if p.is_dir()))).glob("*.cu"))
        yield load_task(file.parent), steps[min(1, len(steps) - 1)].read_text()


def _summary(verdict: Verdict) -> dict[str, Any]:
    seconds = {stage.name.value: stage.seconds for stage in verdict.stages}
    detail = next((stage.detail for stage in verdict.stages if stage.name.value == "time"), "")
    words = detail.split()
    return {
        "status": verdict.status.value,
        "reason": verdict.reason,
        "stages": seconds,
        "exclusive_s": float(words[-2]) if detail.startswith("device held") else None,
        "labels": list(verdict.labels),
    }


def power(evaluator: LocalGpuEvaluator, deadline: float, only: Sequence[str]) -> dict[str, Any]:
    """How often a program is SAME as itself, and a copy with 5 % more work SLOW: twenty pairs of processes, five measurements each."""
    machine, found = evaluator._machine(), dict[str, Any]()
    task = affine()
    base = machine.build(program("one launch", 20000), task)
    for name, spins in (("against_itself", 20000), ("five_percent_slower", 21000)):
        if only and name not in only:
            continue
        other = machine.build(program("one launch", spins), task)
        found |= in_pairs(evaluator, task, name, base, other, queues=other.queues, pairs=20, each=5, deadline=deadline)
    return found


def queues(evaluator: LocalGpuEvaluator, deadline: float, only: Sequence[str]) -> dict[str, Any]:
    """Two programs without streams, one of them mostly launches: ten pairs of processes each, three measurements a pair."""
    machine, found = evaluator._machine(), dict[str, Any]()
    task = affine(bench=2**16)
    for way, spins in (("one launch", 20000), ("eight launches", 0)):
        name = way.replace(" ", "_")
        if only and name not in only:
            continue
        built = machine.build(program(way, spins), task)
        found |= in_pairs(evaluator, task, name, built, built, queues=None, pairs=10, each=3, deadline=deadline)
        found[f"{name}_queues"] = built.queues
    return found


def in_pairs(
    evaluator: LocalGpuEvaluator,
    task: Task,
    name: str,
    base: GpuProgram,
    other: GpuProgram,
    *,
    queues: int | None,
    pairs: int,
    each: int,
    deadline: float,
) -> dict[str, Any]:
    """`other`, with so many of the device's queues, timed in turn with `base` in new pairs of processes, several measurements a pair."""
    machine = evaluator._machine()
    oracle = evaluator.oracle(task)
    oracle.prepare()
    sets = [trial.inputs for trial in oracle.bench.trials(task.bench_sizes[0])]
    partner = Partner(program=base, baseline=NAIVE)
    outcomes, ratios = Counter[str](), []
    for _ in range(pairs):
        if time.monotonic() > deadline:
            break
        session = evaluator._timer().open(task, [sets], partner, queues=queues, anew=True)
        try:
            session.deliver(other)
            (shape,) = session.shapes
            with exclusive(machine.gpu.uuid):
                session.candidate.wait_loaded(limit_s=10)
                for _ in range(each):
                    measured = measure(shape.candidate, shape.partner, PLAN, watch=NoWatch())
                    ratio = told_ratio(measured)
                    outcomes[ratio.comparison.value] += 1
                    ratios.append([ratio.value, ratio.low, ratio.high])
        finally:
            session.close()
    print(name, dict(outcomes), flush=True)
    return {name: dict(outcomes), f"{name}_median": _median(r[0] for r in ratios), f"raw_{name}": ratios}


def told_ratio(measured: Measured) -> Ratio:
    """The ratio with the interval that a verdict would have."""
    found = paired_ratio(NAIVE, measured.rounds)
    bound = is_launch_bound(measured.samples, measured.kernel_us)
    return with_launch_noise(found) if bound else found


def honest(evaluator: LocalGpuEvaluator, deadline: float, only: Sequence[str]) -> dict[str, Any]:
    """Ten durations, three ways each; the smallest at a small shape, where launches are most of the time."""
    rows: list[dict[str, Any]] = []
    spins = [0, 1_000, 4_000, 16_000, 64_000, 250_000, 1_000_000, 4_000_000, 16_000_000, 400_000_000]
    for count in map(int, only) if only else spins:
        if time.monotonic() > deadline:
            break
        task = affine(bench=2**16 if count < 2**23 else 2**13)
        with ThreadPoolExecutor(len(WAYS)) as pool:  # as in a search, judged beside each other
            judge = partial(evaluator.evaluate, task, level=Level.FULL)
            verdicts = pool.map(judge, [candidate(program(way, count, except_checks=count > 2**23)) for way in WAYS])
            for way, verdict in zip(WAYS, verdicts, strict=True):
                rows.append({"way": way, "spins": count, "time_us": verdict.time_us, **_summary(verdict)})
                print(json.dumps(rows[-1]), flush=True)
    refused = [row for row in rows if row["status"] != "PASSED"]
    return {"raw": rows, "programs": len(rows), "false_alarms": len(refused), "refused": refused}


def builds(evaluator: LocalGpuEvaluator, deadline: float, only: Sequence[str]) -> dict[str, Any]:
    """Wall time of one build and of sixteen different ones side by side, three times."""
    task, machine = affine(), evaluator._machine()
    alone, together = [], []
    for turn in range(3):
        begun = time.monotonic()
        machine.build(program("one launch", 100 + turn), task)
        alone.append(time.monotonic() - begun)
        begun = time.monotonic()
        with ThreadPoolExecutor(16) as pool:
            list(
                pool.map(
                    lambda k: machine.build(program("one launch", k), task),
                    range(1000 * (turn + 1), 1000 * (turn + 1) + 16),
                )
            )
        together.append(time.monotonic() - begun)
    return {"raw_alone_s": alone, "raw_sixteen_s": together, "alone_s": _median(alone), "sixteen_s": _median(together)}


def _median(values: Any) -> float | None:
    listed = list(values)
    return statistics.median(listed) if listed else None


if __name__ == "__main__":
    sys.exit(main())
