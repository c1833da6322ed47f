"""The parts of `emulator_on_gpu.py` that need no GPU: a main around a candidate, and reading what nvcc, ncu and the sanitizer say."""

import csv
import io
import math
import re
import struct
from pathlib import Path

AGREED = 0.02
"""Largest relative difference of two ratios that agree."""
METRICS = {
    ("global", "load"): (
        "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
        "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    ),
    ("global", "store"): (
        "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
        "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    ),
    ("shared", "load"): (
        "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
        "smsp__inst_executed_op_shared_ld.sum",
    ),
    ("shared", "store"): (
        "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
        "smsp__inst_executed_op_shared_st.sum",
    ),
}
"""(transactions, requests) of each kind of access: sectors of global memory, wavefronts (passes) of shared memory."""
CONFLICTS = {
    "load": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "store": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
}


def standalone(source: str, arrays: list[dict], n: int) -> str:
    """The candidate with a `main` that reads its inputs from a folder, calls `run` once and writes its outputs there."""
    declared, given, taken, freed = [], [], ["n"], []
    for each in arrays:
        name, kind, size = each["name"], each["c_type"], each["bytes"]
        declared.append(f"    {kind}* {name} = nullptr;\n    gpu_must(cudaMalloc((void**)&{name}, {size}));")
        if each["role"] == "out":
            given.append(f"    if (fill) gpu_must(cudaMemset({name}, 255, {size}));")
        else:
            given.append(f'    gpu_read(folder + "/{name}.in", {name}, {size});')
        if each["role"] != "in":
            freed.append(f'    gpu_write(folder + "/{name}.out", {name}, {size});')
        taken.append(name)
    body = "\n".join((*declared, *given, f"    run({', '.join(taken)});", "    gpu_must(cudaGetLastError());"))
    ending = "\n".join(("    gpu_must(cudaDeviceSynchronize());", *freed))
    return f"""{source}
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
static void gpu_must(cudaError_t error) {{
    if (error == cudaSuccess) return;
    fprintf(stderr, "CUDA error %d: %s\\n", (int)error, cudaGetErrorString(error));
    exit(3);
}}
static void gpu_read(const std::string& path, void* to, size_t bytes) {{
    std::vector<char> data(bytes);
    FILE* file = fopen(path.c_str(), "rb");
    if (!file || fread(data.data(), 1, bytes, file) != bytes) exit(4);
    fclose(file);
    gpu_must(cudaMemcpy(to, data.data(), bytes, cudaMemcpyHostToDevice));
}}
static void gpu_write(const std::string& path, const void* from, size_t bytes) {{
    std::vector<char> data(bytes);
    gpu_must(cudaMemcpy(data.data(), from, bytes, cudaMemcpyDeviceToHost));
    FILE* file = fopen(path.c_str(), "wb");
    if (!file || fwrite(data.data(), 1, bytes, file) != bytes) exit(5);
    fclose(file);
}}
int main(int given, char** arguments) {{
    const std::string folder = given > 1 ? arguments[1] : ".";
    const bool fill = given > 2;  // poison the outputs; without it the sanitizer sees what is never written
    const int n = {n};
{body}
{ending}
    puts("ended");
    return 0;
}}
"""


def vectorised(ptx: str) -> str:
    """The first load or store of several words at once, which the source may not have; empty without any."""
    found = re.search(r"\b(ld|st)\.(?:global|shared)\.[\w.]*\.v[24]\.\w+", ptx)
    return found[0] if found else ""


def difference(got: bytes, want: bytes, dtype: str, *, unordered: bool = False, computed_in: str = "") -> float:
    """0 where two raw arrays are the same within what rounding explains, else the largest relative error (1 for integers).

    `computed_in` is the type of the arithmetic where that is a lower one than the array's.
    """
    codes = {"float32": "f", "float64": "d", "float16": "e", "int8": "b", "uint8": "B", "int16": "h", "uint16": "H"}
    codes |= {"int32": "i", "uint32": "I", "int64": "q", "uint64": "Q", "bfloat16": "H", "bool": "B"}
    code = codes[dtype]
    a, b = (list(struct.unpack(f"<{len(raw) // struct.calcsize(code)}{code}", raw)) for raw in (got, want))
    if dtype == "bfloat16":
        a, b = ([struct.unpack("<f", struct.pack("<I", x << 16))[0] for x in values] for values in (a, b))
    if unordered:
        a, b = sorted(a), sorted(b)
    if code in "bBhHiIqQ" and dtype != "bfloat16":
        return 0.0 if a == b else 1.0
    bar = {"float64": 1e-9, "float32": 2e-4, "float16": 4e-3, "bfloat16": 2e-2}[computed_in or dtype]
    scale = max((abs(x) for x in b if math.isfinite(x)), default=0.0) or 1.0
    worst = 0.0
    for x, y in zip(a, b, strict=True):
        if (math.isnan(x) and math.isnan(y)) or x == y:
            continue
        worst = max(worst, abs(x - y) / scale if math.isfinite(x - y) else math.inf)
    return worst if worst > bar else 0.0


def ncu_command(program: Path, folder: str, names: list[str]) -> list[str]:
    """ncu on one program: CSV, base units, no change of clocks."""
    options = ["--csv", "--print-units", "base", "--clock-control", "none", "--target-processes", "all"]
    return ["ncu", *options, "--metrics", ",".join(names), str(program), folder, "fill"]


def read_ncu(said: str) -> dict[str, float]:
    """Each metric, summed over all launches, from ncu's CSV among whatever else was printed."""
    lines = said.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        return {}
    sums: dict[str, float] = {}
    for row in csv.DictReader(io.StringIO("\n".join(line for line in lines[start:] if line.startswith('"')))):
        if "Metric Name" in row:  # one row a metric
            _count(sums, row["Metric Name"], row["Metric Value"])
        elif row["ID"]:  # one row a launch
            for name, value in row.items():
                if name and "__" in name:
                    _count(sums, name, value)
    return sums


def _count(sums: dict[str, float], name: str, value: str | None) -> None:
    text = (value or "").replace(",", "").strip()
    if re.fullmatch(r"[0-9.]+(e[+-]?\d+)?", text):
        sums[name] = sums.get(name, 0.0) + float(text)


def compare_counts(sums: dict[str, float], sites: dict[str, list[int]]) -> dict[str, dict]:
    """For each kind of access that both saw: transactions a request of both, and whether they agree."""
    compared = {}
    for (space, kind), (transactions, requests) in METRICS.items():
        ours = sites.get(f"{space} {kind}")
        if not ours or not ours[1] or not sums.get(requests) or transactions not in sums:
            continue
        measured, modelled = sums[transactions] / sums[requests], ours[0] / ours[1]
        entry = {"ncu": round(measured, 4), "emulator": round(modelled, 4), "agree": _agree(measured, modelled)}
        if space == "shared" and CONFLICTS[kind] in sums:
            entry["ncu_by_conflicts"] = round(1 + sums[CONFLICTS[kind]] / sums[requests], 4)
            entry["agree"] = entry["agree"] or _agree(entry["ncu_by_conflicts"], modelled)
        compared[f"{space} {kind}"] = entry
    return compared


def _agree(measured: float, modelled: float) -> bool:
    return abs(measured - modelled) <= AGREED * max(measured, modelled)


def read_sanitizer(said: str) -> dict:
    """The error count of a tool's summary and its first report. Racecheck's warnings are no errors, but are told."""
    summary = re.search(r"ERROR SUMMARY: (\d+) error", said)
    hazards = re.search(r"RACECHECK SUMMARY: \d+ hazards? displayed \((\d+) errors?, (\d+) warning", said)
    first = re.search(
        r"^========= (?!COMPUTE|Program hit cuda\w+ .* on CUDA API call|ERROR SUM|RACECHECK SUM|  )(.+)$", said, re.M
    )
    errors = int(hazards[1]) if hazards else int(summary[1]) if summary else 0
    return {
        "errors": errors,
        "warnings": int(hazards[2]) if hazards else 0,
        "first": first[1].strip()[:160] if first else "",
        "summary": bool(summary or hazards),
    }


def markdown(planted: list[dict]) -> str:
    """The table of planted bugs."""
    lines = ["| planted bug | plain GPU run | compute-sanitizer | emulator |", "|---|---|---|---|"]
    for row in sorted(planted, key=lambda row: row["name"]):
        plain = "error shown" if row["plain_noticed"] else "nothing shown"
        tools = ", ".join(row["sanitizer_caught"]) or "missed"
        warned = ", ".join(f"{kind} (a warning)" for kind in row["emulator_warns"])
        ours = ", ".join(row["emulator"]) if row["emulator_caught"] else warned or "missed"
        lines.append(f"| {row['name'].replace('_', ' ')} | {plain} | {tools} | {ours} |")
    return "\n".join(lines)
