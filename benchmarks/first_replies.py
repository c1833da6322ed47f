"""What a model's first programs come to, task by task: whether a reply holds a program, whether it builds, whether it passes at screen.

    python benchmarks/first_replies.py MODEL --out FILE.jsonl [--tasks benchmarks/cudaeval_progress_16.txt] [--replies 1] [--seconds 540]
    python benchmarks/first_replies.py --table FILE.jsonl

`MODEL` is as for `--model`. Each task is asked for in two ways: as the product asks, with a skeleton and mends of form, and `plain`, as the
papers ask: a whole file, taken as it is. Programs are judged by the emulator at `screen`, so nothing is timed, and a GPU may refuse more. A
JSON line a reply, behind one with the model, machine and versions; what the file has is not asked again, and nothing is begun
after `--seconds`.
"""

import argparse
import hashlib
import json
import platform
import sys
import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import Any

from regrapht.assemble import open_evaluator
from regrapht.bench.suite import open_suite
from regrapht.errors import RegraphtError
from regrapht.evaluate.build.nvcc import compiles, find_nvcc
from regrapht.evaluate.evaluator import Evaluator
from regrapht.llm import specs
from regrapht.llm.gguf_header import read_header
from regrapht.propose.language_model import LanguageModelProposer, LanguageModelSettings
from regrapht.propose.proposer import Proposer
from regrapht.records.candidate import Candidate
from regrapht.records.proposal import Proposal, ProposalKind
from regrapht.records.task import Task
from regrapht.records.verdict import Level
from regrapht.sandbox.choose import choose_sandbox
from regrapht.version import VERSION

HERE = Path(__file__).parent
WAYS = {"mended": True, "plain": False}
"""Way of asking -> whether form is mended."""
Row = dict[str, Any]


def ask(proposer: Proposer, evaluator: Evaluator, task: Task, number: int, way: str) -> Row:
    """One reply: what it came to, what it cost."""
    started = time.monotonic()
    proposal = Proposal(id=1, kind=ProposalKind.INITIAL, attempt=number, seed=number)
    candidate = proposer.propose(task, proposal)
    answered = time.monotonic()
    verdict = evaluator.evaluate(task, candidate, level=Level.SCREEN)
    usage = candidate.origin.usage
    return {
        "task": task.id,
        "way": way,
        "reply": number,
        "status": str(verdict.status),
        "reason": " ".join((verdict.reason or "").split())[:200],
        "has_program": candidate.source is not None,
        "builds": builds(candidate),
        "mended": list(candidate.mended),
        "prompt_tokens": usage.prompt_tokens if usage else None,
        "reply_tokens": usage.completion_tokens if usage else None,
        "model_s": round(answered - started, 1),
        "judge_s": round(time.monotonic() - answered, 1),
        "text": candidate.origin.completion,
    }


def builds(candidate: Candidate) -> bool | None:
    """Whether nvcc takes the program; None without either."""
    nvcc = find_nvcc()
    if nvcc is None or candidate.source is None:
        return None
    return compiles(candidate.source, choose_sandbox(), nvcc).content is not None


def machine(spec: str, settings: LanguageModelSettings, evaluator: Evaluator) -> Row:
    """What the figures were made with."""
    file = Path(spec.partition(":")[2])
    header = read_header(file) if spec.startswith("gguf:") else None
    processor = next(
        (line.partition(":")[2].strip() for line in cpu_lines() if line.startswith("model name")), platform.machine()
    )
    return {
        "model": f"{header.name} {header.quantisation}" if header else spec,
        "sha256": hash_of(file) if file.is_file() else None,
        "bytes": file.stat().st_size if file.is_file() else None,
        "max_tokens": settings.max_tokens,
        "temperature": settings.temperature,
        "evaluator": evaluator.name,
        "processor": processor,
        "versions": {"regrapht": VERSION, "python": platform.python_version(), "xllamacpp": version("xllamacpp")},
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def hash_of(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def cpu_lines() -> list[str]:
    """What Linux says of the processor; nothing elsewhere."""
    file = Path("/proc/cpuinfo")
    return file.read_text().splitlines() if file.is_file() else []


def table(rows: Iterable[Row]) -> str:
    """The rates of each way as Markdown."""
    every = [row for row in rows if "task" in row]
    lines = [
        "| asked | replies | tasks | hold a program | build with nvcc | pass at screen | tasks passed |",
        "|---|---|---|---|---|---|---|",
    ]
    for way in WAYS:
        own = [row for row in every if row["way"] == way]
        passed = [row["task"] for row in own if row["status"] == "PASSED"]
        built = sum(row["builds"] is True for row in own)
        tasks = len({row["task"] for row in own})
        held = sum(row["has_program"] for row in own)
        lines.append(f"| {way} | {len(own)} | {tasks} | {held} | {built} | {len(passed)} | {len(set(passed))} |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask, or show what was asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--table", type=Path)
    parser.add_argument("--tasks", type=Path, default=HERE / "cudaeval_progress_16.txt")
    parser.add_argument("--replies", type=int, default=1)
    parser.add_argument("--max-tokens", type=int, default=1024)
    parser.add_argument("--seconds", type=float, default=540.0)
    given = parser.parse_args(arguments)
    if given.table:
        print(table(map(json.loads, given.table.read_text().splitlines())))
        return 0
    if given.model is None or given.out is None:
        parser.error("give a model and --out, or --table")
    try:
        return run(given)
    except RegraphtError as error:
        print(f"first_replies: {error}", file=sys.stderr)
        return 1


def run(given: argparse.Namespace) -> int:
    """Ask for what the file lacks, until the clock ends it."""
    ends = time.monotonic() + given.seconds
    wanted = given.tasks.read_text().split("\n")
    tasks = {one.task.id: one.task for one in open_suite("cudaeval").tasks}
    listed = [tasks[line] for line in wanted if line and not line.startswith("#")]
    rows = [json.loads(line) for line in given.out.read_text().splitlines()] if given.out.is_file() else []
    done = {(row["task"], row["way"], row["reply"]) for row in rows if "task" in row}
    model, evaluator = specs.model(given.model), open_evaluator("emulated")
    settings = {
        way: LanguageModelSettings(max_tokens=given.max_tokens, shorten_prompts=False, shorten_replies=False, mend=mend)
        for way, mend in WAYS.items()
    }
    try:
        with given.out.open("a") as out:
            if not rows:
                print(json.dumps(machine(given.model, settings["mended"], evaluator)), file=out, flush=True)
            for number, way, task in product(range(given.replies), WAYS, listed):
                if (task.id, way, number) in done or time.monotonic() > ends:
                    continue
                row = ask(LanguageModelProposer(model, settings=settings[way]), evaluator, task, number, way)
                print(json.dumps(row), file=out, flush=True)
                print(f"{row['task']} {way}: {row['status']} {row['reason']}"[:140], flush=True)
    finally:
        model.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
