"""Port the applications of `examples/apps`, then time each whole program before and after, alone.

    python benchmarks/port_apps.py --out FILE.jsonl --folder DIR [--only a,b] [--jobs 10] [--gpus 0,1] [--seconds 420]

A GPU machine ports with `medium.in` and times with `large.in`; without a GPU `small.in` is ported and nothing is timed. FILE has a line an
application and is written again after each step, so that a machine that is taken away early has left what was done; the same command goes
on. Ports begin with no function after 0.7 of `--seconds` and are stopped after all of it (0: nothing more is ported); what is timed comes
after, for `--timed-seconds`. With several GPUs the applications are dealt out in turn, and one at a time is timed on each.
"""

import argparse
import itertools
import json
import os
import platform
import queue
import shutil
import signal
import statistics
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from regrapht.session.port.copies import Likeness, Ran, compare, run

APPS = Path(__file__).resolve().parents[1] / "examples" / "apps"
ROUNDS = 5
ENOUGH_S = 60.0
"""After so long no further round is begun: these programs take twenty seconds on one core."""
SOURCES = (".cpp", ".cc", ".cxx")
HAS_GPU = shutil.which("nvidia-smi") is not None
Row = dict[str, object]


def commands(app: Path) -> tuple[str, str]:
    """How an application is built, and its program; where CMake is missing, by a plain call of the compiler."""
    if not (app / "CMakeLists.txt").is_file():
        return "make -j 4" if HAS_GPU else "REGRAPHT_NVCC=none make -j 4", f"./{app.name}"
    if shutil.which("cmake"):
        without = "" if HAS_GPU else " -DREGRAPHT_CUDA=OFF"
        return f"cmake -S . -B build{without} && cmake --build build -j 4", f"./build/{app.name}"
    sources = " ".join(sorted(str(path.relative_to(app)) for path in app.rglob("*") if path.suffix in SOURCES))
    folders = " ".join(f"-I{folder.name}" for folder in app.iterdir() if folder.is_dir())
    return f"g++ -O3 -std=c++20 -DNDEBUG -o {app.name} {folders} {sources}", f"./{app.name}"


def environment(gpu: str | None) -> dict[str, str]:
    """This process's own, seeing one GPU."""
    return {**os.environ, **({"CUDA_VISIBLE_DEVICES": gpu} if gpu else {})}


def ported(app: Path, gpu: str | None, options: argparse.Namespace, until: float) -> Row:
    """`regrapht port` of one application; stopped in time it says how far it came."""
    build, program = commands(app)
    run_words = f"{program} {'medium' if HAS_GPU else 'small'}.in"
    left = max(until - time.monotonic(), 1)
    words = [sys.executable, "-m", "regrapht", "port", str(app), "--build", build, "--run", run_words]
    words += ["--out", str(options.folder / app.name), "--budget", options.budget, "--json", "--allow-root"]
    words += ["--seconds", str(max(0.7 * left, 1))]
    words += ["--tolerance", str(options.tolerance)] if options.tolerance else []
    log = options.folder / f"{app.name}.log"
    began = time.monotonic()
    with log.open("a", encoding="utf-8") as errors:
        own = {**environment(gpu), "REGRAPHT_HOME": str(options.folder / "homes" / app.name)}
        process = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True, env=own
        )
        try:
            printed, _ = process.communicate(timeout=left)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            try:
                printed, _ = process.communicate(timeout=20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                printed, _ = process.communicate()
    row: Row = {"app": app.name, "run": run_words, "port_seconds": round(time.monotonic() - began, 1)}
    told = json.loads(printed.replace(f"{APPS}/", "").replace(f"{options.folder.resolve()}/", "")) if printed else {}
    row |= {
        "exit_code": process.returncode,
        "done": process.returncode in (0, 1) and bool(told) and "error" not in told,
    }
    if row["done"]:
        return row | told
    return row | {"said": log.read_text(encoding="utf-8")[-2000:]}


def timed(app: Path, gpu: str | None, options: argparse.Namespace, until: float) -> Row:
    """Seconds of the whole programs on `large.in`, in turn, and whether they print the same."""
    run_words = f"{commands(app)[1]} large.in"
    work = options.folder / app.name / "work"
    samples: dict[str, list[float]] = {"original": [], "ported": []}
    ran: dict[str, Ran] = {}
    likeness: Likeness | None = None
    enough = min(until, time.monotonic() + ENOUGH_S)
    for _ in range(ROUNDS):
        for name, kept in samples.items():
            ran[name] = run(run_words, work / name, environment=environment(gpu))
            kept.append(round(ran[name].seconds, 4))
        likeness = likeness or compare(ran["original"], ran["ported"], options.tolerance)
        if time.monotonic() > enough or not likeness.equal:
            break
    assert likeness is not None, "there is at least one round"
    told: Row = {"large_run": run_words, "large_equal": likeness.equal, "large_output": likeness.words}
    if not likeness.equal:
        return told
    medians = {name: statistics.median(kept) for name, kept in samples.items()}
    gain = round(medians["original"] / medians["ported"], 3)
    return {**told, "seconds": samples, "program_gain": gain}


def machine() -> dict[str, str]:
    asked = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        gpu = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip().splitlines()[0]
    except (OSError, subprocess.CalledProcessError):
        gpu = "none"
    models = (line for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line)
    processor = next((line.partition(":")[2].strip() for line in models), platform.machine())
    return {"gpu": gpu, "processor": processor, "cores": str(os.cpu_count()), "date": time.strftime("%Y-%m-%d")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True, help="where the ports go; the same one goes on")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=10)
    parser.add_argument("--gpus", help="as in 0,1; default: as the environment has it")
    parser.add_argument("--seconds", type=float, default=420)
    parser.add_argument("--timed-seconds", type=float, default=600)
    parser.add_argument("--budget", default="candidates=8,seconds=60")
    parser.add_argument("--tolerance", type=float, default=1e-6)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    apps = [path for path in sorted(APPS.iterdir()) if (path / "small.in").is_file()]
    apps = [path for path in apps if not options.only or path.name in options.only.split(",")]
    rows: dict[str, Row] = {}
    if options.out.is_file():
        rows = {row["app"]: row for row in map(json.loads, options.out.read_text(encoding="utf-8").splitlines())}
    here, lock = machine(), threading.Lock()

    def keep(row: Row) -> None:
        asked = {"machine": here, "budget": options.budget, "tolerance": options.tolerance}
        with lock:
            rows[str(row["app"])] = asked | row
            options.out.parent.mkdir(parents=True, exist_ok=True)
            text = "".join(json.dumps(rows[name]) + "\n" for name in sorted(rows))
            new = options.out.with_name(options.out.name + ".new")
            new.write_text(text, encoding="utf-8")
            new.replace(options.out)

    gpus: list[str | None] = options.gpus.split(",") if options.gpus else [None]
    ports_end = time.monotonic() + options.seconds

    def port(app: Path, gpu: str | None) -> None:
        row = ported(app, gpu, options, ports_end)
        keep(row)
        print(app.name, "done" if row["done"] else "not done", row["port_seconds"], "s", flush=True)

    waiting = [app for app in apps if not rows.get(app.name, {}).get("done")]
    if options.seconds > 0:
        with ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(port, waiting, itertools.cycle(gpus)))

    free: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    for gpu in gpus:
        free.put(gpu)
    timing_ends = time.monotonic() + options.timed_seconds

    def time_whole(app: Path) -> None:
        gpu = free.get()
        try:
            if time.monotonic() < timing_ends:
                row = rows[app.name] | timed(app, gpu, options, timing_ends)
                keep(row)
                print(app.name, row.get("program_gain", "output differs"), flush=True)
        finally:
            free.put(gpu)

    done = [app for app in apps if rows.get(app.name, {}).get("measured") and rows[app.name].get("output_equal")]
    with ThreadPoolExecutor(len(gpus)) as pool:
        list(pool.map(time_whole, [app for app in done if "large_run" not in rows[app.name]]))


if __name__ == "__main__":
    main()
