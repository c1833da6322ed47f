"""The lengths of arrays in tasks of a real run: the code's guess where the run agrees, else those of the run."""

import json
from pathlib import Path

import pytest

from regrapht.records.task import ArgKind, Task
from regrapht.records.user_code import BuildFlags
from regrapht.session.port.capture import Application, are_shorter, slug_of, task_of
from regrapht.session.port.captured import CapturedCall
from regrapht.session.port.compile_log import Compiled
from regrapht.session.port.functions_of import OwnFunction, functions_of
from regrapht.tasks.function_text import project_function

pytest.importorskip("clang.cindex")

SOURCE = """\
#include <vector>
double apart(const std::vector<int>& group, const std::vector<double>& at, const std::vector<double>& middle) {
    double sum = 0;
    for (int p = 0; p < (int)group.size(); ++p) sum += (at[p] - middle[group[p]]) * (at[p] - middle[group[p]]);
    return sum;
}
void doubled(std::vector<double>& of, int count) {
    for (int i = 0; i < count; ++i) of[i] *= 2;
}
"""


@pytest.fixture
def app(tmp_path: Path) -> Application:
    project = tmp_path / "app"
    project.mkdir()
    (project / "all.cpp").write_text(SOURCE)
    database = tmp_path / "compile_commands.json"
    words = ["c++", "-std=c++17", "-c", "all.cpp"]
    database.write_text(json.dumps([{"directory": str(project), "file": str(project / "all.cpp"), "arguments": words}]))
    return Application(project=project, build="", run="", work=tmp_path, out=tmp_path / "out", database=database)


def function(app: Application, name: str) -> OwnFunction:
    source = Compiled(source=Path("all.cpp"), folder=app.project, words=(), output="all.o")
    return next(one for one in functions_of(app.project, app.database, [source]) if one.name == name)


def made(app: Application, name: str, call: CapturedCall) -> Task:
    one = function(app, name)
    flags = BuildFlags(project=app.database)
    home = project_function(app.project / one.unit, entry=one.entry, flags=flags, sized=True).home
    assert home is not None
    return task_of(app, one, home, [call])


def test_a_guessed_length_that_the_run_refutes_is_taken_from_the_run(app: Application) -> None:
    sizes = {"group_size": 40, "at_size": 40, "middle_size": 3}
    task = made(app, "apart", CapturedCall(call=0, numbers=sizes, arrays={}))
    shapes = {arg.name: [extent.text for extent in arg.shape] for arg in task.args if arg.kind is ArgKind.ARRAY}
    assert shapes == {"group": ["group_size"], "at": ["group_size"], "middle": ["middle_size"]}
    assert not are_shorter(task, [CapturedCall(call=0, numbers=sizes, arrays={})])


def test_a_guessed_length_that_the_run_agrees_with_is_kept(app: Application) -> None:
    call = CapturedCall(call=0, numbers={"of_size": 12, "count": 10}, arrays={})
    task = made(app, "doubled", call)
    assert task.size_names == ("count",) and not are_shorter(task, [call])
    assert are_shorter(task, [CapturedCall(call=1, numbers={"of_size": 9, "count": 10}, arrays={})])


def test_files_of_functions_have_names_of_their_own(app: Application) -> None:
    assert slug_of(function(app, "apart")) != slug_of(function(app, "doubled"))
