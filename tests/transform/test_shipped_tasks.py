"""What the engine writes for the tasks that ship passes the judge, whatever rules are drawn for them."""

import os
import random
from pathlib import Path

import pytest

import regrapht.bench
from regrapht.errors import CannotTransform
from regrapht.records.verdict import Level
from regrapht.tasks.load import load_task
from regrapht.transform.engine import Engine

from .random_programs import random_decisions

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
SUITES = Path(regrapht.bench.__file__).parent / "suites"
FOLDERS = sorted(
    file.parent
    for root in (SUITES, ROOT / "trajectories" / "written", ROOT / "examples")
    for file in root.rglob("task.toml")
)
CANDIDATES = 2


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_random_candidates_pass(folder, judging):
    """`REGRAPHT_SHIPPED_FROM` sets the seed. A task that the engine refuses has nothing to be judged."""
    seed = int(os.environ.get("REGRAPHT_SHIPPED_FROM", random.randrange(2**32)))
    print(f"seed {seed}")
    task, engine, chance = load_task(folder), Engine(), random.Random(seed)
    try:
        programs = {engine.text(task, random_decisions(engine, task, chance)) for _ in range(CANDIDATES)}
    except CannotTransform as refusal:
        pytest.skip(str(refusal))
    for program in programs:
        assert judging.faults(task, program, Level.SCREEN) == ""
