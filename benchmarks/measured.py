"""Write docs/measured.md, docs/leaderboard.md and the tables of other pages from the result files that are committed.

    make measured                                  # that is: python benchmarks/measured.py
    python benchmarks/measured.py --check          # write nothing; exit code 1 where a page is not what the files say

Nothing is measured here and no clock is read, so that the same files give the same bytes. A figure that no file holds samples of stands in
`results/recorded_figures.json` with its date and machine. To change a figure, change a file; to add one, add a function to SECTIONS.
"""

import argparse
import json
import re
import runpy
import statistics
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent / "peers"))
import leaderboard
import rule_worth
from compare import table
from measured_tables import BLOCKS, engine_figures, engine_rows, markdown, part, span, tables_of, time_text, times_text
from transform_inputs import INPUTS

from regrapht.bench.experiment.results import of_methods, read_results
from regrapht.bench.experiment.verification import PUBLISHED as published_name
from regrapht.bench.suite import TIERS, TIERS_FILE
from regrapht.bench.summary.comparable import Comparable
from regrapht.bench.summary.conclusions import compare_all
from regrapht.construct.verdict_file import read_verdicts
from regrapht.records.encoding import to_plain

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
PAGE, LEADERBOARD = ROOT / "docs" / "measured.md", ROOT / "docs" / "leaderboard.md"
WRITTEN, HOPPER, SOLUTIONS = (ROOT / "trajectories" / name for name in ("written", "hopper", "cudaeval"))
SUITES = ROOT / "src" / "regrapht" / "bench" / "suites"
PUBLISHED = ROOT / "src" / "regrapht" / "bench" / published_name
PAGES_WITH_BLOCKS = tuple(
    ROOT / "docs" / name for name in ("experiments.md", "transform.md", "cudaeval.md", "ported-applications.md")
)
BLOCK = re.compile(r"<!-- measured: (?P<name>[\w ]+) -->\n.*?<!-- end of measured -->", re.DOTALL)
FOUR_GPUS = "Four NVIDIA H100 80 GB, the model on one, judges on three; driver 580, nvcc 13.0.88"
HEAD = """# What was measured

Written by `make measured` from the files of results in the repository, not by hand: a figure here is wrong only if its file is. Above
each table stand the machine, the date, the file and the command that makes the file again. Times vary between machines of one kind. What
is modelled is called so and has no unit. Intervals are 95 %. *Plain* is a task's own plain CUDA version, or the one that the transform
engine writes: a thread an output element. *Sequential* is the reference as it was given, `g++ -O3`, on one core. The *speed of light* is
the least time that the declared bytes and operations take on the device.
"""


def read(name: str) -> Any:
    """One file of results: an object of JSON, or a list of a `.jsonl` file's lines."""
    text = (RESULTS / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()] if name.endswith(".jsonl") else json.loads(text)


def source(machine: str, date: str, command: str, *names: str) -> list[str]:
    """What stands above a table: on what, when, in which file, by which command."""
    files = ", ".join(f"[{name}](../benchmarks/results/{name})" for name in names)
    return [f"{machine}; {date}; {files}.", "", "```sh", command, "```", ""]


def dated(rows: Sequence[dict[str, Any]]) -> str:
    """The days of some rows, from first to last."""
    days = sorted({row["date"][:10] for row in rows})
    return days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"


def device_of(environment: dict[str, Any]) -> str:
    """A device with the compiler that its programs were built with."""
    tools = environment["tools"]
    return f"{environment['device']}, nvcc {tools['nvcc']}" if "nvcc" in tools else environment["device"]


def inventory() -> list[str]:
    """What there is, counted: no machine and no clock."""
    steps = list(WRITTEN.glob("*/*/*/[0-9][0-9]_*.cu"))
    vocabulary = tomllib.loads((ROOT / "src/regrapht/graph/vocabulary.toml").read_text(encoding="utf-8"))
    cheats = runpy.run_path(str(ROOT / "tests/cheats/catalogue.py"))["CHEATS"]
    tiers = {suite: Counter(_tiers(suite)) for suite in ("cudaeval", "cuda-llm-20")}
    rows = [
        ("techniques in the vocabulary", len(vocabulary["technique"])),
        ("of these in the written trajectories that the shipped graph is made from", len({f.stem[3:] for f in steps})),
        (
            "written trajectories; their tasks; their steps",
            _joined(len({f.parent for f in steps}), len({f.parents[1] for f in steps}), len(steps)),
        ),
        *(
            (f"tasks of `{suite}`; easy; medium; hard", _joined(count.total(), *(count[tier] for tier in TIERS)))
            for suite, count in tiers.items()
        ),
        (
            "candidates in the catalogue of cheats; of these honest controls",
            _joined(len(cheats), sum(cheat.honest for cheat in cheats)),
        ),
    ]
    return [
        "Counted in the repository; no machine is needed.",
        "",
        *markdown(("what", "how many"), [(what, str(n)) for what, n in rows]),
    ]


def _tiers(suite: str) -> list[str]:
    """Of each task of a shipped suite."""
    tiers = json.loads((SUITES / suite / TIERS_FILE).read_text(encoding="utf-8"))
    return [task["tier"] for task in tiers["tasks"].values()]


def _joined(*numbers: int) -> str:
    return "; ".join(str(number) for number in numbers)


def examples() -> list[str]:
    name = "examples_h200_2026-11-20.jsonl"
    rows, lines = read(name), []
    for row in sorted(rows, key=lambda row: row["example"]):
        shape = row["shapes"][0]
        ratios = {ratio["against"]: ratio for ratio in shape["ratios"]}
        plain, light = ratios["naive"], shape["fraction_of_speed_of_light"]
        sizes = ", ".join(f"{size} = {value}" for size, value in shape["sizes"].items())
        share = f"{light:.0%}".replace("%", " %") if light >= 0.001 else "its operations are not declared"
        over = f"{plain['value']:.2f} {span(plain['low'], plain['high'])}"
        cells = (
            f"{shape['median_us']:.1f}",
            over,
            f"{ratios['sequential']['value']:.0f}",
            share,
            ", ".join(row["techniques"]),
        )
        lines.append((f"{row['example']}, {sizes}", *cells))
    command = "python benchmarks/examples_on_gpu.py --out FILE      # 12 judged candidates, seed 1, no language model"
    head = ("example", "median, µs", "times plain CUDA", "times sequential", "of the speed of light", "techniques")
    return [*source(device_of(rows[0]["environment"]), dated(rows), command, name), *markdown(head, lines)]


def a_run() -> list[str]:
    """The run of the picture on the front page."""
    kept = read("recorded_run.json")
    lines = [line for run in kept["runs"] for line in ("$ " + run["command"], *run["words"])]
    above = source(
        f"{kept['environment']['device']}, {kept['environment']['cpu']}",
        kept["date"],
        kept["command"],
        "recorded_run.json",
    )
    return [*above, "Gains are of modelled costs.", "", "```text", *lines, "```"]


def gpu_tests() -> list[str]:
    days = ("h100_2026-11-28", "h100_2026-11-26_rooms", "h100_2026-11-26", "h200_2026-11-24")
    names = tuple(f"gpu_tests_{day}.json" for day in days)
    rows = []
    for name in names:
        for run in read(name)["runs"]:
            counts = Counter(run["outcomes"].values())
            passed, skipped = counts["PASSED"], counts["SKIPPED"]
            words = (
                f"{passed} of {counts.total()} passed, {skipped} skipped, {counts.total() - passed - skipped} failed"
            )
            rows.append((run["device"], words, run["command"]))
    above = source("As the table says", "2026-11-24 to 2026-11-28", "make test-gpu", *names)
    return [
        *above,
        "The GPU judge's own tests: cheats and faults are refused, honest controls accepted.",
        "",
        *markdown(("machine", "outcome", "how it was run"), rows),
    ]


def judged_again() -> list[str]:
    name = "rejudge_h100_2026-11-28.jsonl"
    head, *rows = read(name)
    counts = Counter((row["corpus"], row["status"]) for row in rows)
    fallen = [
        f"`{row['step']}`: {row['status']}, {row['reason'].partition(':')[0]}"
        for row in rows
        if row["status"] != "PASSED"
    ]
    return [
        *source(
            f"{head['device']}, {head['cpu']}, nvcc {head['tools']['nvcc']}, beside other work; at commit 7984ffc7",
            head["date"][:10],
            "python benchmarks/rejudge.py --out FILE --workers 5 --gpus 0,1,2,3",
            name,
        ),
        "The last step of each trajectory, screened without bench shapes by the judge as it was then; stopped by the clock.",
        "",
        *markdown(("corpus", "outcome", "programs"), [(*key, str(count)) for key, count in sorted(counts.items())]),
        "",
        f"Not passed: {'; '.join(fallen)}.",
    ]


def judge() -> list[str]:
    names = tuple(f"judge_h200_2026-11-{day}.jsonl" for day in (21, 22, 23))
    rows = [row for name in names for row in read(name)]
    by_part: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_part.setdefault(row["part"], []).append(row)
    told = []
    for kind, words in (
        ("against_itself", "a program timed against itself, 20 pairs of processes, 5 times each"),
        ("five_percent_slower", "against a copy with 5 % more work"),
    ):
        for row in by_part["power"]:
            if counts := row.get(kind):
                most = max(counts, key=counts.get)
                told.append((words, row["date"][:10], f"{most} in {counts[most]} of {sum(counts.values())}"))
    for row in by_part["honest"]:
        times = [program["time_us"] for program in row["raw"]]
        what = f"honest programs of {time_text(min(times))} to {time_text(max(times))} µs judged in full: refused"
        told.append((what, row["date"][:10], f"{row['false_alarms']} of {row['programs']}"))
    for row in by_part["builds"]:
        told.append(
            (
                "one build; sixteen side by side on 16 cores",
                row["date"][:10],
                f"{row['alone_s']:.2f} s; {row['sixteen_s']:.2f} s",
            )
        )
    for row in by_part["stages"]:
        what = f"a right program judged in full; a wrong one; a screening's hold on the GPU: medians of {row['right_count']} tasks"
        took = (row["right_median_s"], row["wrong_median_s"], row["screen_exclusive_median_s"])
        told.append((what, row["date"][:10], "; ".join(f"{value:.2f} s" for value in took)))
    command = "python benchmarks/judge.py power --out FILE      # also honest, stages, builds; its head says more"
    return [*source(rows[0]["device"], dated(rows), command, *names), *markdown(("what", "date", "measured"), told)]


def crowd() -> list[str]:
    names = ("judge_crowd_h200_2026-11-22.jsonl", "judge_crowd_h200_2026-11-23.jsonl")
    rows = [row for name in names for row in read(name)]
    lines = [
        (
            row["date"][:10],
            str(row["processes"]),
            str(row["gpus"]),
            row["level"],
            f"{row['a second']:.2f}",
            f"{row['passed']} of {row['judgements']}",
        )
        for row in rows
    ]
    head = ("date", "processes", "GPUs", "level", "judgements a second", "passed")
    return [
        *source(rows[0]["device"], dated(rows), "python benchmarks/judge_crowd.py --out FILE", *names),
        *markdown(head, lines),
    ]


def emulator() -> list[str]:
    name, speed = "emulator_on_gpu_h200_2026-11-22.json", "emulator_2026-11-22.json"
    beside, alone = read(name), read(speed)
    said, runs = beside["summary"], alone["runs"]
    bugs = said["planted bugs"]
    shown = said["caught by the emulator"] + said["warned of by the emulator"]
    caught = f"{shown} of {bugs}, {said['warned of by the emulator']} of them as warnings"
    rows = [
        (
            "valid programs that leave the same outputs on the GPU",
            f"{said['same outputs']} of {said['valid programs']}",
        ),
        (
            "programs whose sectors a request and bank conflicts are within 2 % of Nsight Compute's",
            f"{said['all ratios within 2 %']} of {said['profiled programs']}",
        ),
        ("planted bugs that a plain run on the GPU shows", f"{said['noticed by a plain run']} of {bugs}"),
        ("planted bugs that compute-sanitizer's four tools find", f"{said['caught by compute-sanitizer']} of {bugs}"),
        ("planted bugs that the emulator finds", caught),
    ]
    device = beside["environment"]["gpu and driver"][0] + ", nvcc " + beside["environment"]["nvcc"]
    costs = [
        ("a candidate's checked build", f"{alone['build_median_s']:.2f} s"),
        *(
            (f"a checked run of {run} over a plain one", f"{each['ratio']:.1f} times")
            for run, each in sorted(runs.items())
        ),
    ]
    return [
        *source(
            device,
            beside["environment"]["date"],
            "python benchmarks/emulator_on_gpu.py prepare FOLDER      # its head has the other steps",
            name,
        ),
        *markdown(("what", "measured"), rows),
        "",
        *source(
            f"{alone['machine']}, 2 cores, one used, no GPU",
            alone["date"],
            "python benchmarks/emulator.py --out FILE",
            speed,
        ),
        *markdown(("what", "median"), costs),
    ]


def samples() -> list[str]:
    name = "emulator_samples_2026-11-22.json"
    found = read(name)
    stopped = sum(row["outcome"] == "evidence" and row["status"] == "TIMED_OUT" for row in found["rows"])
    rows = [
        (
            "run to evidence",
            f"{found['outcomes']['evidence']} of {found['samples']}, {stopped} of them up to the limit of time",
        ),
        ("named UNSUPPORTED", f"{found['outcomes']['unsupported']} of {found['samples']}"),
    ]
    above = source("2 cores, no GPU", "2026-11-22", "python benchmarks/emulator_samples.py CHECKOUT --out FILE", name)
    return [*above, *markdown(("public CUDA samples under `regrapht emulate`", "how many"), rows)]


def engine() -> list[str]:
    found = engine_rows()
    figures = {name: engine_figures(row) for name, row in found.items() if not name.startswith("vendor:")}
    times = [plain / best for plain, best, _ in figures.values()]
    bound = [light for name, (_, _, light) in figures.items() if found[name]["memory_bound"] and light]
    inputs = {
        "cublas_sgemm": "the matrix product, of cuBLAS without tensor cores",
        "cub_sum": "the sum of floats, of CUB",
        "copy": "the transposition, of a copy",
    }
    of_vendor = {one.vendor: one.name for one in INPUTS if one.vendor}
    rows = [
        (
            f"times the plain version, geometric mean of {len(times)}; from; to",
            f"{statistics.geometric_mean(times):.1f}; {min(times):.2f}; {times_text(max(times))}",
        ),
        (
            "inputs bound by memory at 0.8 of the speed of light or more",
            f"{sum(light >= 0.8 for light in bound)} of {len(bound)}",
        ),
        *(
            (f"speed of {words}", f"{found[f'vendor:{vendor}']['median_us'] / figures[of_vendor[vendor]][1]:.2f}")
            for vendor, words in inputs.items()
        ),
    ]
    first = next(row for name, row in found.items() if name in figures)
    command = "python benchmarks/transform_on_gpu.py --out FILE --tune 12      # 40 judged candidates, then 12 tuned"
    name = "transform_h200_2026-11-23.jsonl"
    return [
        *source(
            f"{device_of(first['plain']['environment'])}, beside other judges",
            dated(list(found.values())),
            command,
            name,
        ),
        *markdown(("twenty of the engine's inputs", "measured"), rows),
        "",
        "[Each of them](transform.md#what-it-reaches-on-an-h200).",
    ]


def first_programs_on_a_gpu() -> list[str]:
    name, mended = "engine_reach_h100_2026-11-28.jsonl", "engine_reach_h100_2026-11-28_mended.jsonl"
    later = "engine_reach_h200_2026-11-28.jsonl"
    rows = [row for row in read(name) if row["reached"] != "refused"]
    threads = [row for row in rows if row["reached"] != "serial"]
    passed = [row for row in threads if row["status"] == "PASSED"]
    timed = sorted(max(row["times_one_core"]) for row in passed if row["times_one_core"])
    slower = sum(ratio < 1 for ratio in timed)
    failed = sorted((row["status"], row["task"]) for row in threads if row["status"] != "PASSED")
    again = [f"`{row['task']}`" for row in read(mended) if row["status"] == "PASSED"]
    further = [row for row in read(later) if row["reached"] not in ("refused", "serial")]
    right = sum(row["status"] == "PASSED" for row in further)
    return [
        *source(
            "Four NVIDIA H100 80 GB, nvcc 13.0.88, beside other work on the same cores; at commit 7984ffc7",
            "2026-11-28",
            "python benchmarks/engine_reach.py cudaeval --slice K/8 --evaluator local_gpu --level full --out FILE",
            name,
            mended,
        ),
        f"The first program of each of {len(rows)} tasks of CUDAEval, before any search (a sample that was drawn; "
        f"{len(read(name)) - len(rows)} more are refused). {len(threads)} have threads, and {len(passed)} of those passed in full. "
        f"Over one core, at each task's best shape: "
        f"{times_text(statistics.geometric_mean(timed))} in the geometric mean, {times_text(statistics.median(timed))} in the median; "
        f"{slower} are slower than one core.",
        "",
        f"Not passed: {', '.join(f'`{task}` ({status})' for status, task in failed)}. "
        f"Mended and passed on commit b2fbe1ce: {', '.join(again)}.",
        "",
        f"Of {len(read(later))} further tasks (one H200, driver 580, nvcc 13.0.88; [{later}](../benchmarks/results/{later})) "
        f"{len(further)} have threads, and {right} of those passed in full. They were judged beside busy tests, the last 15 fourteen at a "
        "time, so that no times are told of them.",
    ]


def rules() -> list[str]:
    """What each rule of the engine is worth."""
    name = "rule_worth_h100_2026-11-27.jsonl"
    rows, cases = read(name), rule_worth.cases()
    in_order = list(dict.fromkeys(row["rule"] for row in rows))
    known = {(row["rule"], row["task"], row["before"], row["last"], row["instead"]) for row in rows}
    cases_done = sum((one.rule, one.task, one.before, one.last, one.instead) in known for one in cases)
    lines = rule_worth.table(sorted(rows, key=lambda row: in_order.index(row["rule"]))).splitlines()
    end = lines.index("")
    return [
        *source(
            "Four NVIDIA H100 80 GB, one of them for this, other judges and a model's server on the others; driver 580, nvcc 13.0.88",
            "2026-11-27",
            "python benchmarks/rule_worth.py --out FILE --seconds 600 --workers 8 --rounds 3",
            name,
        ),
        f"Two programs of the engine, with the rule and without, timed in turn as a search screens them; {cases_done} of {len(cases)} "
        "cases were reached before the clock ended the run. *for* names the rule in whose place it is. *Hand* is the quickest step of the "
        "task's reference trajectory. Below 1 the rule makes the program slower; a search measures that and goes another way.",
        "",
        *lines[:end],
        "",
        "Geometric means over tasks, without those in another rule's place: " + "; ".join(lines[end + 1 :]) + ".",
    ]


def peers() -> list[str]:
    """The engine's first programs beside what pragma compilers make of the same references."""
    name = "peers_h100_2026-11-26.jsonl"
    above = source(
        "NVIDIA H100 80 GB, 64 cores that other work kept busy, driver 580, nvcc 13.0.88, GCC 12.2 with offload to nvptx",
        "2026-11-26",
        "python benchmarks/peers/compare.py --prebuilt FOLDER --out FILE",
        name,
    )
    return [
        *above,
        "Median microseconds of a call, data resident, no search: the first four of twenty tasks, for which the machine's time sufficed.",
        "",
        *table(read(name)).splitlines(),
    ]


def trajectories() -> list[str]:
    """Steps as they are now: a verdict of another text of a step does not count."""
    lines = []
    places = (("written", WRITTEN, "*/*/*"), ("for Hopper alone", HOPPER, "*/*/*"), ("of the suites", SOLUTIONS, "*"))
    days = []
    for name, root, depth in places:
        steps, counts = 0, Counter()
        for folder in sorted(root.glob(depth)):
            hashes = {file.name: sha256(file.read_bytes()).hexdigest() for file in folder.glob("[0-9][0-9]_*.cu")}
            steps += len(hashes)
            for verdict in read_verdicts(folder):
                if verdict.passed and verdict.source_hash == hashes.get(verdict.file):
                    device = verdict.environment.device if verdict.environment else verdict.evaluator
                    counts[device, verdict.level.value] += 1
                    days.append({"date": verdict.date})
        for (device, level), count in sorted(counts.items()):
            lines.append((name, str(steps), device, "in full" if level == "full" else "screened", str(count)))
    command = (
        "python benchmarks/verify_corpus.py FOLDER --evaluator local_gpu      # or judge_trajectory.py, for a suite's"
    )
    above = f"As the table says; {dated(days)}; `verdicts.json` beside each trajectory."
    return [
        above,
        "",
        "```sh",
        command,
        "```",
        "",
        *markdown(("trajectories", "steps", "judge", "level", "accepted"), lines),
    ]


def compared(name: str, about: str) -> Callable[[], list[str]]:
    """One experiment: what its report concludes, and its main tables."""

    def section() -> list[str]:
        tables = tables_of(name)
        described = tables.experiment
        by_name = {table.name: table for table in tables.with_rows}
        statuses: Counter[str] = Counter()
        for row in read(name)[1:]:
            statuses.update(row["statuses"])
        told = ", ".join(f"{count} {status}" for status, count in statuses.most_common())
        kept = [each for each in ("methods", "speed", "budgets") if each in by_name]
        parts = [line for each in kept for line in ("", *part(name, each))]
        return [
            *source(device_of(to_plain(described.environment)), described.created[:10], described.command, name),
            about,
            "",
            *(f"* {sentence}" for sentence in tables.conclusion),
            f"* Verdicts and skipped proposals of all cells together: {told}.",
            *parts,
            "",
            f"All tables: `regrapht bench report benchmarks/results/{name}`.",
        ]

    return section


def suite_building() -> list[str]:
    name = "cudaeval_build_2026-11-22.json"
    found = read(name)
    kept = {stage["stage"]: stage["kept"] for stage in found["stages"]}
    rows = [
        ("files", found["files"]),
        ("kernels found", found["kernels"]),
        ("made sequential", kept["sequential"]),
        ("admitted as tasks", found["admitted"]),
    ]
    above = source(
        f"{found['collection']}, commit {found['commit'][:7]}; {found['judge']}", found["date"], found["command"], name
    )
    return [*above, *markdown(("public CUDA files", "how many"), [(what, str(n)) for what, n in rows])]


def small_model() -> list[str]:
    """What became of a small model's replies, as they are and with their form mended."""
    arms = (
        ("as they are (`--no-mend`)", "small_model_1.5b_h100_2026-11-26_plain.jsonl"),
        ("form mended", "small_model_1.5b_h100_2026-11-26_mended.jsonl"),
    )
    rows = []
    for words, name in arms:
        experiment, *cells = read(name)
        counts = sum((Counter(cell["statuses"]) for cell in cells), Counter[str]())
        mended = sum(cell.get("mended", {}).get("any", 0) for cell in cells)
        solved = len({cell["task_id"] for cell in cells if cell["passed"]})
        total = counts.total()
        shares = [f"{counts[status] / total:.1%}" for status in ("PASSED", "UNPARSABLE", "BUILD_FAILED")]
        cells_of = f"{len(cells)} of {len(experiment['tasks']) * len(experiment['methods'])}"
        rows.append(
            (words, cells_of, str(total), f"{mended / total:.0%}", *shares, f"{solved} of {len(experiment['tasks'])}")
        )
    columns = ("replies", "cells finished", "judged", "mended", "passed", "no program", "not built", "tasks solved")
    above = source(
        "Two NVIDIA H100 80 GB, the model on one and the judge on the other, driver 580, nvcc 13.0.88",
        "2026-11-26",
        "benchmarks/with_model.sh MODEL.gguf 8000 python3 -m regrapht bench run cudaeval ...      # whole: small-models.md",
        *(name for _, name in arms),
    )
    return [
        *above,
        "Qwen2.5-Coder-1.5B-Instruct, Q4_K_M (1 117 320 768 bytes, sha256 cc324af0...), sixteen tasks, `best-of-n`, `fsr`, `mcgs`, "
        "budget 8, one seed. Both ran side by side and were stopped after 225 s, so neither is complete and they finished different cells.",
        "",
        *markdown(columns, rows),
    ]


SMALL_MODEL_RUNS = (
    ("first", "", "Two NVIDIA H100 80 GB, the model on one and the judge on the other"),
    (
        "mended",
        "mended_",
        "Four NVIDIA H100 80 GB, the model on one, a training beside it for five minutes, judges on two",
    ),
)


def hybrid() -> list[str]:
    """What a small model solves alone, and together with the engine, on the sixty tasks."""
    columns = (
        "run",
        "proposer",
        "method",
        "tasks finished",
        "solved",
        "of those outside the engine",
        "delivered was written last by",
        "tokens a task",
    )
    rows, names, said = [], [], []
    for run, infix, _ in SMALL_MODEL_RUNS:
        solved_by: dict[str, dict[str, bool]] = {}
        for proposer in ("language_model", "hybrid"):
            name = f"small_model_60_1.5b_h100_2026-11-26_{infix}{proposer}.jsonl"
            names.append(name)
            experiment, *cells = read(name)
            for method in experiment["methods"]:
                own = [cell for cell in cells if cell["method"] == method]
                solved_by[f"{proposer} {method}"] = {cell["task_id"]: cell["passed"] for cell in own}
                rows.append((run, proposer, method, *arm_of(own, experiment["tasks"])))
        alone, together = solved_by["language_model mcgs"], solved_by["hybrid mcgs"]
        both = sorted(alone.keys() & together.keys())
        said.append(
            f"On the {len(both)} tasks that `mcgs` finished both ways in the {run} run it solved {sum(alone[id] for id in both)} with the "
            f"model alone and {sum(together[id] for id in both)} with `hybrid`."
        )
    above = source(
        "; ".join(f"{run}: {hardware}" for run, _, hardware in SMALL_MODEL_RUNS) + "; driver 580, nvcc 13.0.88",
        "2026-11-26",
        "benchmarks/gpu_slice.sh STATE SECONDS model      # whole: small-models.md",
        *names,
    )
    return [
        *above,
        "Qwen2.5-Coder-1.5B-Instruct, Q4_K_M, sixty tasks, budget 10, one seed; the second run with what the first one showed mended, and "
        "so not with tasks that nobody had looked at. Both were stopped when the machine's time was up: each row has the tasks that it had "
        "finished, and quick ones finish first.",
        "",
        *markdown(columns, rows),
        "",
        *said,
    ]


def hybrid_at_twenty() -> list[str]:
    """One reply and `hybrid` on the sixty tasks, budget 20."""
    name = "small_model_60_1.5b_h100_2026-11-27.jsonl"
    return [
        *source(
            FOUR_GPUS,
            "2026-11-27",
            "benchmarks/gpu_slice.sh STATE 800 model      # BUDGET=20 WORKERS=2 SEARCHES=60",
            name,
        ),
        "The same model and tasks, budget 20, one seed, with programs of kept bodies still as templates. Stopped after 800 s.",
        "",
        *arms(name),
        "",
        *paired(name, "hybrid", ("standard",)),
    ]


def searches_at_twenty() -> list[str]:
    """The searches that a model writes alone in, on the sixty tasks, budget 20."""
    name = "small_model_60_1.5b_h100_2026-11-27_searches.jsonl"
    return [
        *source(
            FOUR_GPUS,
            "2026-11-27",
            "benchmarks/gpu_slice.sh STATE 1220 model      # BUDGET=20 WORKERS=3 SEARCHES=60",
            name,
        ),
        "The same model and tasks, budget 20, one seed; the model writes every program. Stopped after 1 200 s: cells in which programs "
        "pass take longer, so what is finished holds fewer of them than all would.",
        "",
        *arms(name),
        "",
        *paired(name, "alone", ("standard", "no-graph", "best-of-n", "rag", "shuffled")),
    ]


def arms(name: str) -> list[str]:
    """A row an arm of an experiment, with the tasks that it finished."""
    experiment, *cells = read(name)
    columns = (
        "method",
        "search, proposer",
        "tasks finished",
        "solved",
        "outside the engine",
        "written last by",
        "tokens a task",
    )
    rows = []
    for arm in experiment["parts"]:
        own = [cell for cell in cells if cell["method"] == arm["name"]]
        if any(cell["judged"] for cell in own):
            rows.append((arm["name"], f"`{arm['search']}`, {arm['proposer']}", *arm_of(own, experiment["tasks"])))
    return markdown(columns, rows)


def paired(name: str, one: str, others: Sequence[str]) -> list[str]:
    """One arm against each of others, on the tasks that both finished: solved, and how far the measured reward is apart."""
    rows = []
    for other in others:
        view = Comparable(*of_methods(*read_results(RESULTS / name), (one, other)))
        solved = [sum(cells[0].passed for cells in view.of[arm].values()) for arm in (one, other)]
        (found,) = compare_all({arm: view.rewards(arm) for arm in (one, other)})
        apart = found.paired.difference
        signed = [value if found.higher == one else -value for value in (apart.value, apart.low, apart.high)]
        low, high = sorted(signed[1:])
        rows.append(
            (
                f"`{one}` against `{other}`",
                str(found.tasks),
                f"{solved[0]} and {solved[1]}",
                f"{signed[0]:+.3f} [{low:+.3f}, {high:+.3f}]",
                f"{found.paired.p_value:.2g}",
            )
        )
    return markdown(
        ("arms", "tasks that both finished", "solved", "measured reward, difference", "p, not corrected"), rows
    )


def arm_of(cells: Sequence[dict], tasks: Sequence[dict]) -> tuple[str, ...]:
    """What one method came to: tasks finished, solved, solved of those outside the engine, who wrote last, tokens a task."""
    inside = {task["id"]: task["inside_engine"] for task in tasks}
    outside = [cell["passed"] for cell in cells if not inside[cell["task_id"]]]
    last = Counter(cell["written_by"][-1] for cell in cells if cell["passed"])
    return (
        f"{len(cells)} of {len(inside)}",
        str(sum(cell["passed"] for cell in cells)),
        f"{sum(outside)} of {len(outside)}",
        ", ".join(f"{writer} {count}" for writer, count in last.most_common()),
        str(round(sum(cell["tokens"] for cell in cells) / len(cells))),
    )


def recorded() -> list[str]:
    name = "recorded_figures.json"
    kept = read(name)
    rows = [
        (row["what"], row["measured"], f"{row['date']}, {row['machine']}", f"`{row['command']}`")
        for row in kept["figures"]
    ]
    note = f"{kept['note']} File: [{name}](../benchmarks/results/{name})."
    return [note, "", *markdown(("what", "measured", "when and where", "command"), rows)]


def applications() -> list[str]:
    """Whole programs before and after `port`."""
    names = ("port_apps_h100_2026-11-27.jsonl", "port_apps_h100_2026-11-28.jsonl")
    rows = list({row["app"]: row for name in names for row in read(name)}.values())
    gains = sorted((row["program_gain"], row["app"]) for row in rows if "program_gain" in row)
    quick = [f"{times_text(gain)} (`{app}`)" for gain, app in gains if gain >= 10]
    others = [f"{times_text(gain)} (`{app}`)" for gain, app in gains if gain < 10]
    return [
        *source(
            "Four NVIDIA H100 80 GB, ports beside other judgements, timing with nothing else on the machine; driver 580, nvcc 13.0.88",
            "2026-11-27 and 2026-11-28",
            "python benchmarks/port_apps.py --out FILE --folder DIR      # whole: ported-applications.md",
            *names,
        ),
        f"Of {len(rows)} applications {len(quick)} are ten times as fast as one core or more, start-up and copies included: "
        f"{', '.join(quick)}. {len(others)} are not: {', '.join(others)}. In {len(rows) - len(gains)} nothing was taken. "
        "All outputs that were compared are equal.",
    ]


SIXTY_WORDS = "Sixty tasks of CUDAEval that were listed before the first run, the transform engine, no language model."
SECTIONS: tuple[tuple[str, Callable[[], list[str]]], ...] = (
    ("What there is", inventory),
    ("The examples on a GPU", examples),
    ("The run on the front page", a_run),
    ("The judge's own tests on a GPU", gpu_tests),
    ("Programs of the corpora judged again", judged_again),
    ("How well the judge tells times apart, and what it takes", judge),
    ("Many judges side by side", crowd),
    ("The emulator", emulator),
    ("Public samples under the emulator", samples),
    ("The transform engine", engine),
    ("First programs of the transform engine on a GPU", first_programs_on_a_gpu),
    ("What a rule of the transform engine is worth", rules),
    ("The transform engine beside pragma compilers", peers),
    ("Steps of the trajectories", trajectories),
    ("Seven methods on sixty tasks", compared("cudaeval_60_h200_2026-11-23.jsonl", SIXTY_WORDS)),
    (
        "The same without a GPU",
        compared("cudaeval_60_modelled_2026-11-23.jsonl", f"{SIXTY_WORDS} Rewards are modelled; no time was taken."),
    ),
    (
        "Three rules more on six tasks",
        compared("cudaeval_six_h200_2026-11-24.jsonl", "Six tasks that were chosen for three new rules."),
    ),
    (
        "ParEval's problems",
        compared(
            "pareval_h200_2026-11-24.jsonl",
            "The 56 problems that the importer takes, under this judge: no scores of ParEval.",
        ),
    ),
    (
        "The tasks of CUDA-LLM",
        compared("cuda_llm_20_h100_2026-11-26.jsonl", "The paper's twenty tasks at its five sizes each."),
    ),
    ("A small language model", small_model),
    ("A small language model and the engine together", hybrid),
    ("The same at budget 20", hybrid_at_twenty),
    ("Searches of a small model at budget 20", searches_at_twenty),
    ("Whole applications", applications),
    ("Suites made from public files", suite_building),
    ("Written down", recorded),
)


def page() -> str:
    """docs/measured.md, whole."""
    parts = [HEAD]
    for title, section in SECTIONS:
        parts.append("\n".join(("", f"## {title}", "", *section(), "")))
    return "".join(parts)


def with_blocks(text: str) -> str:
    """A page with its marked tables made anew."""

    def made(block: re.Match[str]) -> str:
        name = block["name"]
        return "\n".join((f"<!-- measured: {name} -->", "", *BLOCKS[name](), "", "<!-- end of measured -->"))

    return BLOCK.sub(made, text)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 where a page is not current")
    check = parser.parse_args().check
    stale = []
    whole = {PAGE: page, LEADERBOARD: leaderboard.page, PUBLISHED: leaderboard.published}
    for file in (*whole, *PAGES_WITH_BLOCKS):
        before = file.read_text(encoding="utf-8") if file.is_file() else ""
        after = whole[file]() if file in whole else with_blocks(before)
        if after != before:
            stale.append(str(file.relative_to(ROOT)))
            if not check:
                file.write_text(after, encoding="utf-8")
    print(f"{'not current' if check else 'written'}: {', '.join(stale)}" if stale else "every page is current")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
