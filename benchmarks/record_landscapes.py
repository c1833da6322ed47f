"""Record the twelve landscapes of the search study, several tasks at a time, in slices.

    python benchmarks/record_landscapes.py --out landscapes --evaluator local_gpu --jobs 8 --stop-after 540

A task whose file is complete is skipped, and an incomplete one goes on from the `.part` file beside it, so the same command is given again
until it exits with 0. Each task is recorded by a process of its own, because the transform engine works on one thread. Needs what judging
needs: numpy, islpy, tree-sitter, clang-format and, for `local_gpu`, nvcc. The `.part` files hold many programs that are nearly alike: to go
on elsewhere, pack them (`tar cJf recording.tar.xz -C landscapes .`), which makes them some forty times smaller.
"""

import argparse
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TASKS = {
    "matrix_product": "examples/matrix_product",
    "image_blur": "examples/image_blur",
    "histogram": "examples/histogram",
    "sum_of_squares": "examples/sum_of_squares",
    "option_pricing": "examples/option_pricing",
    "heat_step": "examples/heat_step",
    "inclusive_scan": "trajectories/written/scan/inclusive_scan",
    "transpose": "trajectories/written/layout/transpose",
    "pairwise_distance": "trajectories/written/geometry/pairwise_distance",
    "row_softmax": "trajectories/written/deep_learning/row_softmax",
    "coulomb_slice": "trajectories/written/physics/coulomb_slice",
    "csr_spmv": "trajectories/written/sparse/csr_spmv",
}
"""One a family. Studies take every second one by name for tuning and make their claims on the others."""
SPARES = {
    "wave1d": "trajectories/written/stencil/wave1d",
    "american_put": "trajectories/written/finance/american_put",
    "dft": "trajectories/written/fft/dft",
    "depthwise_conv": "trajectories/written/deep_learning/depthwise_conv",
    "matvec": "trajectories/written/dense_la/matvec",
    "max_abs": "trajectories/written/reduction/max_abs",
    "lower_bound": "trajectories/written/sort_search/lower_bound",
    "edit_distance": "trajectories/written/bio_text/edit_distance",
}
"""For `--only`: in the place of tasks whose landscape is flat, so that it tells no search from another."""


def record(name: str, chosen: argparse.Namespace, seconds: float) -> tuple[int, str]:
    """Go on with one task's recording; the exit code and the last line."""
    command = [sys.executable, "-m", "regrapht", "landscape", "record", str(ROOT / (TASKS | SPARES)[name])]
    command += ["--out", str(chosen.out / f"{name}.json.gz"), "--stop-after", f"{seconds:.0f}"]
    command += ["--depth", str(chosen.depth), "--limit", str(chosen.limit), "--attempts", str(chosen.attempts)]
    command += ["--full", str(chosen.full), "--workers", str(chosen.workers), "--evaluator", chosen.evaluator]
    command += ["--allow-root"] if chosen.allow_root else []
    environment = dict(os.environ)
    if chosen.gpus:
        gpus = chosen.gpus.split(",")
        environment["CUDA_VISIBLE_DEVICES"] = gpus[chosen.only.index(name) % len(gpus)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    lines = done.stdout.strip().splitlines()
    progress = [line for line in lines if " programs, " in line]
    code = done.returncode
    if code == 1 and not done.stdout.rstrip().endswith("run this again"):
        code = 70  # it ended by an exception, which another slice would only repeat
    return code, (progress if code <= 1 and progress else lines or [""])[-1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", nargs="*", choices=sorted(TASKS | SPARES), default=list(TASKS))
    parser.add_argument("--evaluator", default="local_gpu")
    parser.add_argument("--depth", type=int, default=4)
    parser.add_argument("--limit", type=int, default=400)
    parser.add_argument("--attempts", type=int, default=3)
    parser.add_argument("--full", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=4, help="tasks at a time")
    parser.add_argument("--workers", type=int, default=2, help="programs judged at a time, a task")
    parser.add_argument("--gpus", help="use these GPUs in turn, as in 0,1; default: as the environment has it")
    parser.add_argument("--stop-after", type=float, default=3600.0, help="seconds")
    parser.add_argument("--slice", type=float, default=300.0, help="seconds before the next task has its turn")
    parser.add_argument("--allow-root", action="store_true")
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    deadline = time.monotonic() + chosen.stop_after
    waiting = [name for name in chosen.only if not (chosen.out / f"{name}.json.gz").exists()]
    failed: list[str] = []

    def turn(name: str) -> str | None:
        """One slice of one task; its name when it is to go on."""
        left = min(chosen.slice, deadline - time.monotonic())
        if left < 10:
            return name
        code, said = record(name, chosen, left)
        print(f"{name:18} exit {code}: {said}", flush=True)
        if code > 1:
            failed.append(name)
        return name if code == 1 else None

    with ThreadPoolExecutor(chosen.jobs) as pool:
        while waiting and time.monotonic() < deadline - 10:
            waiting = [name for name in pool.map(turn, waiting) if name is not None]
    print(
        f"complete: {len(chosen.only) - len(waiting) - len(failed)} of {len(chosen.only)}; failed: {failed or 'none'}"
    )
    return 1 if waiting or failed else 0


if __name__ == "__main__":
    sys.exit(main())
