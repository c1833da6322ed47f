# ruff: noqa: E501 -- one function a line
"""A task that cannot be inferred whole: the file says all that is known, and filling in what is left makes it load."""

import pytest

from regrapht.errors import TaskError
from regrapht.tasks.draft import draft_task
from regrapht.tasks.infer import infer_task
from regrapht.tasks.load import load_task

CODE = """struct P { float x, y; };
void f(const float* t, const float* x, P* p, int n, float scale) {
    for (int i = 0; i < n; i++) p[i].x = t[(int)(x[i] * scale)];
}
"""


def test_what_is_left_open_is_filled_in_and_loads(tmp_path):
    file = tmp_path / "code.cpp"
    file.write_text(CODE)
    with pytest.raises(TaskError, match=r"line 3: .*regrapht init code\.cpp writes a task\.toml with the rest"):
        infer_task(file)
    drafted = draft_task(file)
    assert drafted is not None and drafted.entry == "f"
    assert len(drafted.left_open) == drafted.toml_text.count('"?"') > 0
    (tmp_path / "task.toml").write_text(drafted.toml_text)
    with pytest.raises(TaskError, match=r"args\.t\.shape"):
        load_task(tmp_path)
    (tmp_path / "task.toml").write_text(drafted.toml_text.replace('"?"', '"n"'))
    task = load_task(tmp_path)
    assert [arg.name for arg in task.args] == ["t", "x", "p", "n", "scale"] and task.size_names == ("n",)


def test_shapes_that_the_code_does_show_are_in_the_draft(tmp_path):
    file = tmp_path / "code.cpp"
    code = "void f(const float* t, const float* x, float* y, int n, int m) {\n for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { int k = x[i] * 2.5f; y[i * m + j] = t[k]; } }"
    file.write_text(code)
    drafted = draft_task(file)
    assert drafted is not None and [(place.argument, place.key) for place in drafted.left_open] == [("t", "shape")]
    assert 'shape = ["n", "m"]' in drafted.toml_text and "line 2: the code does not show" in drafted.toml_text


@pytest.mark.parametrize(
    "code",
    ["void f(int n, float** a) { a[0][0] = n; }", "void f(int n, float* a) { for (int i = 0; i < n; i++) a[i] = 1; }"],
)
def test_there_is_no_draft_where_none_would_help(tmp_path, code):
    file = tmp_path / "code.cpp"
    file.write_text(code)
    assert draft_task(file) is None
