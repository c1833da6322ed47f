"""A store with a run of many candidates, made at once, and the view over it in a process of its own."""

import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from regrapht.records.candidate import Candidate, Origin
from regrapht.records.encoding import to_json
from regrapht.records.proposal import Judged, Proposal, ProposalKind
from regrapht.records.run import Asked, Budget, RunOptions, RunSettings
from regrapht.records.technique import Transition
from regrapht.records.verdict import Level, Status
from regrapht.store.event_encoding import encode_event
from regrapht.store.runs import RunStore, _to_columns
from regrapht.testing.synthetic import (
    SyntheticEvaluator,
    SyntheticProposer,
    SyntheticWorld,
    synthetic_context,
    synthetic_graph,
    synthetic_task,
)

WORLD = SyntheticWorld.draw(3)
EVALUATOR = SyntheticEvaluator(world=WORLD)
HOSTILE = "<script>document.title = 'broken'</script><img src=x onerror=\"document.title='broken'\">"


def settings(**more: object) -> RunSettings:
    task = synthetic_task()
    fields = {
        "options": RunOptions(budget=Budget(candidates=20_000), evaluator="emulated"),
        "task": task, "task_hash": task.content_hash, "path": None, "protocol": "1", "device": "synthetic", "graph_hash": None,
        "prompts_hash": None,
    }  # fmt: skip
    return RunSettings(**{**fields, **more})


def judged_events(count: int, *, hostile: bool = False):
    """Asked and judged: a tree with three programs made from each, a third of them refused, none of which leads on."""
    task, made = synthetic_task(), []
    first = SyntheticProposer(world=WORLD, failure=0.0).propose(task, Proposal(id=1, kind=ProposalKind.INITIAL))
    passed = EVALUATOR.evaluate(task, first, level=Level.SCREEN)
    assert passed.passed
    mark = HOSTILE if hostile else ""
    for number in range(1, count + 1):
        parent = made[(number - 2) // 3] if number > 1 else None
        proposal = Proposal(
            id=number,
            kind=ProposalKind.INITIAL if parent is None else ProposalKind.APPLY,
            parent=parent,
            transition=None if parent is None else Transition("init", f"technique-{number % 24:02d}"),
            seed=number,
        )
        candidate = Candidate(
            source=f"__global__ void k{number}() {{\n    // {mark}\n}}\n",
            program_hash=f"{number:064d}",
            parent=parent.candidate.id if parent else None,
            transition=proposal.transition,
            techniques=(f"technique-{number % 24:02d}",),
            origin=Origin(
                proposer="language_model", seconds=0.1, prompt_hash="0" * 64,
                prompt=f"=== user ===\nprompt {number} {mark}", completion=f"reply {number} {mark}",
            ),
        )  # fmt: skip
        evidence = replace(passed.evidence, modelled_cost=1000.0 / number**0.25)
        verdict = replace(passed, candidate_id=candidate.id, evidence=evidence, reason=f"right {mark}")
        if number % 3 == 0:
            failed = {"status": Status.RACE, "cases": (), "evidence": None, "feedback": f"a race {mark}"}
            verdict = replace(verdict, reason=f"a race in line 2 {mark}", **failed)
        made.append(Judged(proposal_id=number, candidate=candidate, verdict=verdict))
        yield Asked(proposal=proposal)
        yield made[-1]


def filled(home: Path, count: int, *, hostile: bool = False) -> str:
    """A store with one run of so many candidates, written in one transaction; the run's id."""
    with RunStore(home) as store:
        yardstick = synthetic_context(WORLD, synthetic_graph(WORLD, seed=1), budget=Budget(candidates=1)).yardstick
        run = store.create(settings(), yardstick)
        rows = [
            _to_columns(run.id, number, encode_event(event, Texts(store)))
            for number, event in enumerate(judged_events(count, hostile=hostile), start=1)
        ]
        with sqlite3.connect(home / "runs.sqlite3") as connection:
            connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
            connection.execute("UPDATE runs SET event_count = ?", (len(rows),))
    return run.id


class Texts:
    """Blobs without waiting for the disk, which ten thousand would do for minutes."""

    def __init__(self, store: RunStore) -> None:
        self._folder = store.folder / "blobs"

    def put(self, text: str) -> str:
        import hashlib

        key = hashlib.sha256(text.encode()).hexdigest()
        path = self._folder / key[:2] / key[2:]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return key


@dataclass
class Served:
    """The view in a process of its own."""

    process: subprocess.Popen
    port: int
    token: str

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


def serve(home: Path, *experiments: str) -> Served:
    command = [sys.executable, "-m", "regrapht", "view", "--port", "0", *experiments]
    process = subprocess.Popen(
        command,
        env={**os.environ, "REGRAPHT_HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    line = process.stdout.readline()
    found = re.match(r"open http://127\.0\.0\.1:(\d+)/\?token=(\S+)", line)
    assert found, line + process.stderr.read()
    return Served(process, int(found[1]), found[2])


@pytest.fixture(scope="session")
def viewed(tmp_path_factory) -> Iterator[tuple[Served, str, Path]]:
    """A server over a run with 60 candidates whose texts are hostile, and a committed experiment."""
    pytest.importorskip("nicegui")
    home = tmp_path_factory.mktemp("view") / "home"
    run = filled(home, 60, hostile=True)
    results = Path(__file__).parents[2] / "benchmarks/results/cuda_llm_20_h100_2026-11-26.jsonl"
    served = serve(home, str(results))
    yield served, run, home
    served.process.send_signal(2)
    assert served.process.wait(30) is not None


def as_json(record: object) -> object:
    return json.loads(to_json(record))
