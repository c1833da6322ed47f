"""Functions as people write them, one file each in `everyday/`: what becomes of each, and that candidates do what it does.

Beside what `conftest.py` reads, a head says `// random: n=1..90, m=2^0..6`: the sizes that a test draws, a power of two where it says so;
`// one thread` where loops at some line stay in one thread; `// refused: line 9: ...` where the engine does not take the function.
"""

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from regrapht.errors import CannotTransform
from regrapht.records.task import SourceFile, Task
from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.engine import Engine
from regrapht.transform.plan.nest import Kind

from .conftest import notes, task_of
from .native.native_bench import Pair, native_differences
from .random_programs import random_decisions

FILES = sorted((Path(__file__).parent / "everyday").glob("*.cpp"))
TAKEN = [path for path in FILES if not notes(path.read_text(), "refused")]
REFUSED = [path for path in FILES if notes(path.read_text(), "refused")]


def sizes_of(text: str, chance: random.Random) -> dict[str, int]:
    """One row of sizes, drawn."""
    row = {}
    for name, power, low, high in re.findall(r"(\w+)=(2\^)?(\d+)\.\.(\d+)", " ".join(notes(text, "random"))):
        drawn = chance.randint(int(low), int(high))
        row[name] = 2**drawn if power else drawn
    return row


def task_for(path: Path, chance: random.Random) -> Task:
    """The task of a file, with one drawn row of sizes more."""
    text = path.read_text()
    task = task_of(text, path.stem)
    row = sizes_of(text, chance)
    return replace(task, check_sizes=(*task.check_sizes, row)) if row else task


def drawn(task: Task) -> Task:
    """The task as the native bench takes it: a template as the entry is called by a function of the task's own types."""
    text, entry = task.reference.source.text, task.entry
    if not re.search(rf"template\s*<[^;{{]*>\s*void {entry}\(", text):
        return task
    head = task.signature.removeprefix('extern "C" ')
    given = ", ".join(arg.name for arg in task.args)
    text = re.sub(rf"\b{entry}\b", f"{entry}_of", text) + f"\n{head} {{ {entry}_of({given}); }}\n"
    source = SourceFile(name=task.reference.source.name, text=text)
    return replace(task, reference=replace(task.reference, source=source))


@pytest.mark.parametrize("count", [9, pytest.param(len(TAKEN), marks=pytest.mark.slow)])
def test_candidates_do_what_the_functions_do(count: int) -> None:
    """Plain, and under random decisions, at the sizes that the file names and at drawn ones; all compiled together. CI draws some files."""
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    chance, engine, pairs, told = random.Random(seed), Engine(), [], []
    for path in chance.sample(TAKEN, count):
        task = task_for(path, chance)
        for decisions in [random_decisions(engine, task, random.Random(0))[:1], random_decisions(engine, task, chance)]:
            pairs.append(Pair(drawn(task), engine.text(task, decisions)))
            told.append((path.stem, task.check_sizes[-1], [str(one) for one in decisions]))
    wrong = native_differences(pairs, choose_sandbox())
    shown = [(told[k], said[:3], pairs[k].source) for k, said in wrong.items()]
    assert not wrong, shown[0]


@pytest.mark.parametrize("path", TAKEN, ids=lambda path: path.stem)
def test_their_loops_become_threads(path: Path) -> None:
    """But for those that the head names."""
    engine, task = Engine(), task_of(path.read_text(), path.stem)
    serial = [nest.line for nest in engine.program(task, ()).nests if nest.kind is Kind.SERIAL]
    text = engine.text(task, random_decisions(engine, task, random.Random(0))[:1])
    lines = sorted(
        {*serial, *map(int, re.findall(r"The loop at line (\d+) of the reference runs in one thread", text))}
    )
    expected = [int(one) for note in notes(path.read_text(), "one thread") for one in note.split(",")]
    assert lines == expected


@pytest.mark.parametrize("path", REFUSED, ids=lambda path: path.stem)
def test_what_is_not_taken_is_named(path: Path) -> None:
    with pytest.raises(CannotTransform) as refused:
        Engine().program(task_of(path.read_text(), path.stem), ())
    assert notes(path.read_text(), "refused")[0] in str(refused.value), refused.value
