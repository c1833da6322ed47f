"""Two hundred replies of a small model as they came, and what each must become.

`replies.jsonl.gz` is data: replies that Qwen2.5-Coder-1.5B-Instruct (Q4_K_M) wrote when it was run on sixteen tasks of CUDAEval,
picked so that every kind is there: whole, cut off at 1 024 tokens, endless, without code, with another function, with a shell's words
among the code. Each line has the task, what was asked, how the reply ended, the program that was shown, the reply, what it must become,
and by which mends.
"""

import gzip
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from regrapht.bench.suite import open_suite
from regrapht.evaluate.build.nvcc import compiles, find_nvcc
from regrapht.propose.form.entry_signature import with_the_exact_signature
from regrapht.propose.form.program import Program, is_host
from regrapht.propose.form.reply import Read, read_reply
from regrapht.propose.form.skeleton import skeleton
from regrapht.records.verdict import Level, Status
from regrapht.sandbox.choose import choose_sandbox
from regrapht.source.program_hash import program_hash

FILE = Path(__file__).parent / "replies.jsonl.gz"
QUICK = 20
"""Every so many are read among the quick tests, which is a second's work."""


@pytest.fixture(scope="module")
def recorded():
    tasks = {one.task.id: one.task for one in open_suite("cudaeval").tasks}
    lines = [json.loads(line) for line in gzip.decompress(FILE.read_bytes()).decode().splitlines()]
    return [(tasks[line["task"]], line) for line in lines]


def read(task, line) -> Read:
    return read_reply(
        line["reply"],
        task,
        parent=line["parent"],
        skeleton=skeleton(task) if line["kind"] == "initial" else None,
        may_refuse=line["kind"] == "apply",
        mends=True,
        cut_off="cut off" if line["finish"] == "length" else "",
    )


def became(found: Read, line) -> str:
    if found.code is None:
        return "skipped" if found.not_applicable else "unparsable"
    unchanged = line["parent"] is not None and program_hash(found.code) == program_hash(line["parent"])
    return "skipped" if unchanged else "program"


def differences(sample):
    for task, line in sample:
        found = read(task, line)
        if (became(found, line), list(found.mends)) != (line["becomes"], line["mends"]):
            yield task.id, line["reply"][:80], became(found, line), found.mends


def test_one_in_twenty_becomes_what_it_must(recorded):
    assert list(differences(recorded[::QUICK])) == []


@pytest.mark.slow
def test_each_becomes_what_it_must(recorded):
    assert list(differences(recorded)) == []


def has_code(line) -> bool:
    """Whether a reply holds code at all: some do not get beyond words, or a fence around `// the complete program`."""
    return re.search(r"^[^\n]*[;{}]\s*$", line["reply"], re.MULTILINE) is not None


def is_faulty(task, text: str) -> bool:
    """Whether the entry is not there once, as the task declares it."""
    program = Program(text, task)
    entries = [one for one in program.entries if is_host(one)]
    return len(program.entries) != 1 or len(entries) != 1 or with_the_exact_signature(program) is not None


@pytest.mark.slow
def test_few_replies_with_code_fail_for_their_form(recorded):
    """All of those that fail are in the file, of which it is a part: the share there is the larger one."""
    held = [(task, line) for task, line in recorded if has_code(line)]
    found = [(task, line, read(task, line)) for task, line in held]
    lost = [line["reply"][:80] for _, line, one in found if one.code is None and not one.not_applicable]
    faulty = [line["reply"][:80] for task, line, one in found if one.code is not None and is_faulty(task, one.code)]
    assert len(lost) <= 11, lost  # two of them were cut off before anything was written into their kernel
    assert len(faulty) <= 4, faulty


def test_the_file_holds_every_kind(recorded):
    assert len(recorded) == 200 and FILE.stat().st_size < 400_000
    ends = Counter((line["becomes"], line["finish"]) for _, line in recorded)
    assert all(ends[kind] >= 5 for kind in (("program", "stop"), ("program", "length"), ("unparsable", "length")))
    assert ends["skipped", "stop"] >= 5 and ends["unparsable", "stop"] >= 5
    assert {line["kind"] for _, line in recorded} == {"initial", "apply", "repair", "improve"}
    assert len({mend for _, line in recorded for mend in line["mends"]}) >= 20


def programs(recorded, number):
    """The first recorded programs of each task in turn, that were whole when they came."""
    found = [(task, read(task, line).code) for task, line in recorded if line["becomes"] == "program"]
    return found[:: max(1, len(found) // number)][:number]


@pytest.mark.slow
def test_twenty_of_them_are_judged(recorded, judged):
    """None takes the judge down, and some build: what the model means is its own affair."""
    verdicts = [judged(task, text) for task, text in programs(recorded, 20)]
    assert len(verdicts) == 20 and all(one.level is Level.SCREEN for one in verdicts)
    assert sum(one.status is not Status.BUILD_FAILED for one in verdicts) >= 5


@pytest.mark.slow
def test_twenty_of_them_are_compiled(recorded):
    if (nvcc := find_nvcc()) is None:
        pytest.skip("there is no nvcc")
    sandbox = choose_sandbox()
    assert sum(compiles(text, sandbox, nvcc).content is not None for _, text in programs(recorded, 20)) >= 5
