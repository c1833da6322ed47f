"""A function to CUDA by rules that a person names, and decisions that come back in."""

import json
import re

import pytest

from regrapht.errors import ConfigError, SchemaError
from regrapht.report.transform import describe_rules
from regrapht.session.transform import (
    TransformRequest,
    explain_loops,
    explain_rules,
    read_decisions,
    transform_file,
    write_program,
)

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


PROJECT = {
    "sum.hpp": "#pragma once\n\n// A weight.\n\ninline float weight(float* kept, float x) {\n    kept[0] = x / (1 + kept[0] * kept[0]);\n"
    "    return kept[0];\n}\n",
    "flow.cpp": """#include "sum.hpp"
#include <vector>

namespace flow {

struct Field {
    std::vector<float> from, to;
    float kept[1];
};

void step(Field& field, int n) {
    for (int i = 0; i < n; ++i)
        field.to[i] = 2 * field.from[i];
    for (int i = 1; i < n; ++i)
        field.to[i] = field.from[i] / (1 + field.to[i - 1] * field.to[i - 1]);
    for (int i = 0; i < n; ++i)
        field.from[i] = weight(field.kept, field.to[i]) * field.kept[0];
}

}  // namespace flow
""",
}


def test_lines_of_an_explanation_are_those_of_the_users_files(tmp_path):
    for name, text in PROJECT.items():
        (tmp_path / name).write_text(text)
    made = transform_file(TransformRequest(path=tmp_path / "flow.cpp", entry="flow::step"))
    loops = {(one.file, one.line): one.how for one in explain_loops(made)}
    assert set(loops) == {("flow.cpp", 12), ("flow.cpp", 14), ("flow.cpp", 16)}
    assert "line 15" in loops["flow.cpp", 14]
    assert "sum.hpp" in loops["flow.cpp", 16]
    text = describe_rules(explain_rules(made), after="", width=400, loops=explain_loops(made))
    assert "flow.cpp, line 12: proved" in text
    numbers = {int(one) for found in re.findall(r"\blines? ([\d, and]+)", text) for one in re.findall(r"\d+", found)}
    assert numbers <= {6, 7, 12, 13, 14, 15, 16, 17}, numbers
