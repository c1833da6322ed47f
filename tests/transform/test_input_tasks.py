"""What holds of the eighty numbered inputs before the engine sees them: tasks that compile, that the judge admits, no two alike."""

import itertools
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from regrapht import settings
from regrapht.errors import EvaluatorUnavailable
from regrapht.evaluate.admission.admit import admit_task
from regrapht.records.expression import Expression
from regrapht.records.task import ArgKind
from regrapht.sandbox.choose import choose_sandbox
from regrapht.sandbox.sandbox import Sandbox
from regrapht.source.functions import read_unit
from regrapht.source.shingles import shingles, similarity

from .inputs_loader import FOLDER, InputFunction, input_paths, load_inputs, read_table

COUNT = 80
AT_LEAST_NOT_AFFINE = 15
NEAR_DUPLICATE = 0.5
INPUTS = load_inputs()
WARNINGS = ("-Wall", "-Wextra", "-Werror")

each_input = pytest.mark.parametrize("one", INPUTS, ids=[one.row.stem for one in INPUTS])


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    try:
        yield choose_sandbox()
    except EvaluatorUnavailable as error:
        pytest.skip(f"no sandbox: {error}")


def test_the_table_names_every_file_and_no_other() -> None:
    rows = [row.stem for row in read_table()]
    assert rows == [path.stem for path in input_paths()]
    assert [int(stem[:2]) for stem in rows] == list(range(1, COUNT + 1))


def test_every_description_has_its_function() -> None:
    assert {path.stem for path in FOLDER.glob("*.toml")} == {one.row.stem for one in INPUTS if not one.inferred}


def test_enough_lie_outside_of_the_affine_class() -> None:
    outside = load_inputs(affine=False)
    assert len(outside) >= AT_LEAST_NOT_AFFINE
    assert len(outside) + len(load_inputs(affine=True)) == COUNT


def test_shares_deal_out_all_inputs_once() -> None:
    dealt = [one.row.stem for part in range(3) for one in load_inputs(part=part, parts=3)]
    assert sorted(dealt) == [one.row.stem for one in INPUTS]


def test_ids_are_unique() -> None:
    ids = Counter(one.task.id for one in INPUTS)
    assert [name for name, count in ids.items() if count > 1] == []


def test_no_two_are_near_duplicates() -> None:
    runs = {path.stem: shingles(path.read_text()) for path in FOLDER.glob("*.cpp")}
    numbered = {path.stem for path in input_paths()}
    alike = [
        (first, second, round(likeness, 2))
        for first, second in itertools.combinations(sorted(runs), 2)
        if (first in numbered or second in numbered)
        and (likeness := similarity(runs[first], runs[second])) >= NEAR_DUPLICATE
    ]
    assert alike == []


@each_input
def test_the_task_is_the_function_of_the_file(one: InputFunction) -> None:
    task = one.task
    assert (task.entry, task.family) == (one.row.name, one.row.family)
    (function,) = read_unit(one.path.read_text()).named(task.entry)
    assert [arg.name for arg in task.args] == [parameter.name for parameter in function.parameters]
    assert task.description
    assert task.reference.source.text == one.path.read_text()


@each_input
def test_check_sizes_are_several_and_awkward(one: InputFunction) -> None:
    """At least three shapes, the smallest with few elements, and not only multiples of 32."""
    task = one.task
    totals = [
        sum(arg.element_count(sizes) for arg in task.parameters if arg.kind is ArgKind.ARRAY)
        for sizes in task.check_sizes
    ]
    assert len(totals) >= 3
    assert min(totals) < max(totals)
    assert any(value % 32 for sizes in task.check_sizes[1:] for value in sizes.values())
    for sizes in task.check_sizes:
        for arg in task.inputs:
            for bound in (arg.init.parameters if arg.init else {}).values():
                assert not isinstance(bound, Expression) or bound.evaluate(sizes) >= 1


@pytest.mark.slow
@each_input
def test_it_compiles_without_a_warning(one: InputFunction) -> None:
    command = [settings.cxx(), "-std=c++17", "-O1", *WARNINGS, "-c", str(one.path), "-o", "/dev/null"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@each_input
def test_it_is_admitted(one: InputFunction, sandbox: Sandbox) -> None:
    """The judge's own examination: sanitizers, determinism, written outputs, inputs that matter; bench shapes are left out."""
    admission = admit_task(replace(one.task, bench_sizes=()), sandbox)
    assert admission.admitted, admission.findings
