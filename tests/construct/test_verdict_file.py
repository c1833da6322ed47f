"""Verdicts beside a trajectory, as they are written and read again."""

from dataclasses import replace
from pathlib import Path

import pytest

from regrapht.construct.verdict_file import VERDICTS_FILE, read_verdicts, write_verdicts
from regrapht.errors import SchemaError

CORPUS = Path(__file__).parents[2] / "trajectories" / "written"
TIMED = CORPUS / "bio_text" / "barcode_assign" / "packed_words"


def test_what_is_written_is_read_again(tmp_path):
    verdicts = read_verdicts(TIMED)
    assert any(verdict.timing for verdict in verdicts)
    tricky = replace(verdicts[0], reason="a list: [\n 1,\n 2\n ] in words")
    write_verdicts(tmp_path, [tricky, *verdicts[1:]])
    assert read_verdicts(tmp_path) == (tricky, *verdicts[1:])


def test_samples_stand_on_one_line(tmp_path):
    verdicts = read_verdicts(TIMED)
    samples = max((verdict.timing[0].candidate.samples_us for verdict in verdicts if verdict.timing), key=len)
    assert len(samples) >= 30
    write_verdicts(tmp_path, verdicts)
    lines = (tmp_path / VERDICTS_FILE).read_text().splitlines()
    assert any(all(str(sample) in line for sample in samples) for line in lines)


def test_a_damaged_file_is_said(tmp_path):
    (tmp_path / VERDICTS_FILE).write_text('{"schema": "regrapht.corpus_verdicts", "steps": [')
    with pytest.raises(SchemaError, match="delete the file and run `regrapht graph verify`"):
        read_verdicts(tmp_path)
