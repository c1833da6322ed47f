"""Studies that are stopped and gone on with."""

import json

import pytest
from study.campaign import Job, carry_out, open_name, open_table, read_cells, world_places
from study.methods import METHODS

from regrapht.errors import SchemaError

PLACES = world_places([2], tasks=1)


def jobs(seeds=3):
    direct, best_of_n = (next(m for m in METHODS if m.name == name) for name in ("direct", "best-of-n"))
    return [Job(place=PLACES[0], method=m, seed=seed, spoil=0.3) for seed in range(seeds) for m in (direct, best_of_n)]


def test_a_study_that_was_stopped_goes_on(tmp_path):
    file, seen = tmp_path / "cells.jsonl", []
    assert not carry_out(jobs(), file, workers=1, seconds=0.0)
    assert carry_out(jobs(2), file, workers=1) and len(read_cells(file)) == 4
    with open(file, "a") as lines:
        lines.write('{"table":"wor')  # killed in the middle of a line
    assert carry_out(jobs(), file, workers=1, observer=lambda done, of: seen.append((done, of)))
    assert seen == [(5, 6), (6, 6)]
    cells = read_cells(file)
    assert len({cell.key for cell in cells}) == 6 and {cell.table for cell in cells} == {open_name(PLACES[0])}


def test_processes_give_the_same_cells(tmp_path):
    assert carry_out(jobs(), tmp_path / "one.jsonl", workers=1)
    assert carry_out(jobs(), tmp_path / "two.jsonl", workers=2)
    one, two = (
        {cell.key: (cell.gains, cell.judged) for cell in read_cells(tmp_path / name)}
        for name in ("one.jsonl", "two.jsonl")
    )
    assert one == two and open_table(PLACES[0]) is open_table(PLACES[0])


def test_a_file_of_something_else_is_refused(tmp_path):
    file = tmp_path / "cells.jsonl"
    file.write_text(json.dumps({"method": "mcgs"}) + "\n")
    with pytest.raises(SchemaError, match="line 1"):
        read_cells(file)
    assert read_cells(tmp_path / "none.jsonl") == []
