"""Port the applications of `examples/apps`, then time each whole program before and after, alone.

    python benchmarks/port_apps.py --out FILE.json [--only a,b] [--jobs 5] [--seconds 420] [--budget candidates=3,seconds=30] [--small]

A GPU machine ports with `large.in` where an application has one, `--small` takes `small.in`. All ports together get `--seconds`; what is
not done by then is in the file as not done. One file is written, also when it is stopped.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

APPS = Path(__file__).resolve().parents[1] / "examples" / "apps"
RUNS = 3
SOURCES = (".cpp", ".cc", ".cxx")


def commands(app: Path, *, small: bool) -> tuple[str, str]:
    """How an application is built and run; where CMake is missing, by a plain call of the compiler."""
    program = f"./{app.name}"
    if not (app / "CMakeLists.txt").is_file():
        build = "make -j 4"
    elif shutil.which("cmake"):
        build, program = "cmake -S . -B build && cmake --build build -j 4", f"./build/{app.name}"
    else:
        sources = " ".join(sorted(str(path.relative_to(app)) for path in app.rglob("*") if path.suffix in SOURCES))
        folders = " ".join(f"-I{folder.name}" for folder in app.iterdir() if folder.is_dir())
        build = f"g++ -O3 -std=c++20 -DNDEBUG -o {app.name} {folders} {sources}"
    name = "small.in" if small or not (app / "large.in").is_file() else "large.in"
    return build, f"{program} {name}"


def ported(app: Path, folder: Path, options: argparse.Namespace, until: float) -> dict[str, object]:
    build, run = commands(app, small=options.small)
    out = folder / app.name
    words = [sys.executable, "-m", "regrapht", "port", str(app), "--build", build, "--run", run, "--out", str(out)]
    words += [
        "--budget",
        options.budget,
        "--json",
        "--allow-root",
        *(["--tolerance", str(options.tolerance)] if options.tolerance else []),
    ]
    began = time.monotonic()
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=max(until - began, 1), check=False)
    except subprocess.TimeoutExpired as error:
        said = error.stderr.decode() if isinstance(error.stderr, bytes) else error.stderr or ""
        return {"app": app.name, "done": False, "why": "time was up", "said": said[-2000:]}
    spent = round(time.monotonic() - began, 1)
    told = json.loads(done.stdout) if done.stdout.startswith("{") else {}
    return {
        "app": app.name, "done": bool(told), "run": run, "port_seconds": spent, "exit_code": done.returncode, **told,
        **({} if told else {"said": done.stderr[-2000:]}),
    }  # fmt: skip


def timed(app: Path, folder: Path, *, small: bool) -> dict[str, object]:
    """Seconds of the whole programs, in turn."""
    _, run = commands(app, small=small)
    samples: dict[str, list[float]] = {"original": [], "ported": []}
    for _ in range(RUNS):
        for name, kept in samples.items():
            began = time.perf_counter()
            subprocess.run(
                run, shell=True, cwd=folder / app.name / "work" / name, check=True, stdout=subprocess.DEVNULL
            )
            kept.append(round(time.perf_counter() - began, 4))
    best = {name: min(kept) for name, kept in samples.items()}
    return {"seconds": samples, "program_gain": round(best["original"] / best["ported"], 3)}


def machine() -> dict[str, str]:
    asked = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        gpu = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip().splitlines()[0]
    except (OSError, subprocess.CalledProcessError):
        gpu = "none"
    processor = next(
        (
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if "model name" in line
        ),
        platform.machine(),
    )
    return {"gpu": gpu, "processor": processor, "cores": str(os.cpu_count()), "date": time.strftime("%Y-%m-%d")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=420)
    parser.add_argument("--budget", default="candidates=3,seconds=30")
    parser.add_argument("--tolerance", type=float, default=1e-6)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--folder", type=Path, help="where the ports go, to go on with; default: a new one")
    options = parser.parse_args()
    apps = [path for path in sorted(APPS.iterdir()) if (path / "small.in").is_file()]
    apps = [path for path in apps if not options.only or path.name in options.only.split(",")]
    folder = options.folder or Path(tempfile.mkdtemp(prefix="port-"))
    until = time.monotonic() + options.seconds
    found: dict[str, object] = {
        "machine": machine(),
        "budget": options.budget,
        "tolerance": options.tolerance,
        "apps": [],
    }
    rows: list[dict[str, object]] = []
    found["apps"] = rows

    def write() -> None:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")

    with ThreadPoolExecutor(options.jobs) as pool:
        for row in pool.map(lambda app: ported(app, folder, options, until), apps):
            rows.append(row)
            write()
            print(row["app"], "done" if row["done"] else row.get("why", "failed"), flush=True)
    for app, row in zip(apps, rows, strict=True):
        if row.get("measured") and row.get("output_equal"):
            row |= timed(app, folder, small=options.small)
            print(row["app"], row["program_gain"], flush=True)
            write()


if __name__ == "__main__":
    main()
