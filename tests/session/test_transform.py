"""A function to CUDA by rules that a person names, and decisions that come back in."""

import json

import pytest

from regrapht.errors import ConfigError, SchemaError
from regrapht.session.transform import TransformRequest, read_decisions, transform_file, write_program

TASK = "void f(int n, float* x) {\n    for (int i = 0; i < n; ++i) x[i] = 2.0f * x[i];\n}\n"


@pytest.fixture
def bare(tmp_path):
    path = tmp_path / "f.cpp"
    path.write_text(TASK)
    return path


def test_what_is_printed_goes_back_in(bare, tmp_path):
    made = transform_file(TransformRequest(path=bare, rules="coarsen"))
    assert made.candidate.techniques == ("map_to_threads", "thread_coarsening")
    kept = tmp_path / "d.json"
    kept.write_text(json.dumps(made.as_plain()))
    assert transform_file(TransformRequest(path=bare, decisions=kept)).source == made.source


def test_the_reference_is_not_written_over(bare, tmp_path):
    request = TransformRequest(path=bare)
    made = transform_file(request)
    with pytest.raises(ConfigError, match="is the reference itself"):
        write_program(made, request, bare)
    write_program(made, request, tmp_path / "f.cu")
    assert bare.read_text() == TASK and "__global__" in (tmp_path / "f.cu").read_text()


@pytest.mark.parametrize("text", ["{", '{"decisions": 3}', "[1]"])
def test_a_file_without_decisions_is_said(tmp_path, text):
    file = tmp_path / "d.json"
    file.write_text(text)
    with pytest.raises(SchemaError, match="give what 'regrapht transform --json' prints"):
        read_decisions(file)
