"""Try `regrapht emulate` on programs that nobody here wrote: the samples of a public CUDA collection, read from a checkout elsewhere.

    python benchmarks/emulator_samples.py PATH --include PATH/Common --out benchmarks/results/emulator_samples_2026-01-01.json

A sample is taken when its .cu file is the only source in its folder, has a `main` and a `__global__`, and includes nothing but the C and
C++ libraries, the CUDA runtime's own headers and headers of the folders named with --include. Of those, the 40 smallest files are run. The
table holds names and outcomes only; nothing of the samples is kept.
"""

import argparse
import json
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

_SOURCES = (".cu", ".cpp", ".c", ".cc", ".cuh", ".h", ".hpp")
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)
_CUDA = {
    "cooperative_groups.h",
    "cooperative_groups/reduce.h",
    "cooperative_groups/scan.h",
    "cuda.h",
    "cuda_bf16.h",
    "cuda_fp16.h",
    "cuda_profiler_api.h",
    "cuda_runtime.h",
    "cuda_runtime_api.h",
    "device_launch_parameters.h",
    "math_constants.h",
    "vector_functions.h",
    "vector_types.h",
}
_SYSTEM = {"windows.h", "omp.h", "unistd.h", "sys/mman.h", "sys/time.h", "sys/types.h", "sys/utsname.h"}
_C = re.compile(
    r"(assert|ctype|errno|float|limits|math|memory|signal|stdarg|stdbool|stddef|stdint|stdio|stdlib|string|time)\.h$"
)


def is_plain(header: str, helpers: set[str]) -> bool:
    """Whether a header belongs to C, C++, the system, the CUDA runtime or the named folders."""
    if header in _CUDA or header in _SYSTEM or header in helpers:
        return True
    return bool(_C.match(header)) or re.fullmatch(r"[a-z_]+", header) is not None


def choose(root: Path, include: list[Path], count: int) -> list[Path]:
    """The `count` smallest samples that fit, by name."""
    helpers = {path.name for folder in include for path in folder.iterdir()}
    found = []
    for path in sorted(root.rglob("*.cu")):
        text = path.read_text(encoding="utf-8", errors="replace")
        if "__global__" not in text or not re.search(r"\bmain\s*\(", text):
            continue
        if any(other != path and other.suffix in _SOURCES for other in path.parent.iterdir()):
            continue
        if all(is_plain(header, helpers) for header in _INCLUDE.findall(text)):
            found.append(path)
    smallest = sorted(found, key=lambda path: (path.stat().st_size, path.name))[:count]
    return sorted(smallest, key=lambda path: path.name)


def outcome(path: Path, include: list[Path], seconds: float, memory_gib: float) -> dict[str, object]:
    """Run one sample and put what came of it in a row: `evidence`, `unsupported`, `nothing launched`, or what else happened."""
    command = [sys.executable, "-m", "regrapht", "emulate", str(path), "--json", "--schedule", "forward"]
    command += [
        "--seconds",
        str(seconds),
        "--memory",
        str(memory_gib),
        *(word for folder in include for word in ("--include", str(folder))),
    ]
    begun = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, timeout=20 * seconds + 120, check=False)
    row: dict[str, object] = {"sample": path.stem, "seconds": round(time.monotonic() - begun, 1)}
    if not done.stdout.startswith("{"):
        said = done.stderr.strip().splitlines()
        return {**row, "outcome": "failed", "status": f"exit code {done.returncode}: {said[-1][:200] if said else ''}"}
    found = json.loads(done.stdout)
    row["status"] = found["status"]
    row["findings"] = sorted({each["kind"] for each in found["findings"]})
    if found["status"] == "UNSUPPORTED":
        named = re.sub(r"^the emulator cannot run ", "", found["reason"])
        return {**row, "outcome": "unsupported", "features": re.sub(r"\s*\(line \d+\)", "", named)[:300]}
    if found["evidence"] is not None and found["evidence"]["instructions"]:
        return {**row, "outcome": "evidence"}
    if found["status"] == "PASSED" or found["runs"]:
        return {**row, "outcome": "nothing launched" if found["status"] == "PASSED" else "ended without evidence"}
    return {**row, "outcome": "failed"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument(
        "--include", type=Path, action="append", default=[], help="a folder with the collection's helpers"
    )
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=20.0, help="wall time of one sample's run")
    parser.add_argument("--memory", type=float, default=8.0, help="GiB of one sample's run")
    parser.add_argument("--only", help="samples whose name matches this pattern")
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    rows = []
    for path in choose(chosen.checkout, chosen.include, chosen.count):
        if chosen.only and not re.search(chosen.only, path.stem):
            continue
        row = outcome(path, chosen.include, chosen.seconds, chosen.memory)
        rows.append(row)
        print(json.dumps(row), flush=True)
    counts = Counter(str(row["outcome"]) for row in rows)
    print(json.dumps(counts))
    if chosen.out is not None:
        chosen.out.parent.mkdir(parents=True, exist_ok=True)
        table = {"samples": len(rows), "outcomes": dict(counts), "rows": rows}
        chosen.out.write_text(json.dumps(table, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
