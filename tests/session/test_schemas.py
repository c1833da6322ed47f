"""The files in docs/schemas are what the records say, and what commands and committed files hold fits them."""

import json
from pathlib import Path

import pytest

from regrapht.errors import UnknownName, as_plain
from regrapht.session.schemas import SCHEMAS, schema_text

jsonschema = pytest.importorskip("jsonschema")
ROOT = Path(__file__).parents[2]


def fits(name, plain):
    jsonschema.Draft202012Validator(json.loads(schema_text(name))).validate(plain)


def test_the_files_are_made_from_the_records():
    files = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "docs/schemas").glob("*.json")}
    assert files == {name: schema_text(name) for name in SCHEMAS}, "make schemas"
    for text in files.values():
        jsonschema.Draft202012Validator.check_schema(json.loads(text))


@pytest.mark.parametrize("file", ["cuda_llm_20_h100_2026-11-26.jsonl", "small_model_1.5b_h100_2026-11-26_mended.jsonl"])
def test_committed_results_fit(file):
    first, *cells = (ROOT / "benchmarks/results" / file).read_text().splitlines()
    fits("experiment", json.loads(first))
    fits("cell", json.loads(cells[0]))


def test_errors_fit():
    fits("error", {"error": as_plain(UnknownName("x"))})
    with pytest.raises(UnknownName, match="known: admission"):
        schema_text("none")
