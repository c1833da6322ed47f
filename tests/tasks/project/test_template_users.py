# ruff: noqa: E501 -- a row is a project
"""Templates that only another file of the project makes anything of."""

import json
from pathlib import Path

import pytest

from regrapht.errors import TaskError
from regrapht.records.user_code import BuildFlags
from regrapht.tasks.function_text import project_function

pytest.importorskip("clang.cindex")

COUNT = (
    "template <class T> void count(const T* x, int n, T* out) { for (int i = 0; i < n; ++i) out[i] = x[i] + T(1); }\n"
)
DECLARED = "template <class T> void count(const T* x, int n, T* out);\n"
SYSTEM = (
    "#pragma once\n#include <vector>\ntemplate <class R> struct System { std::vector<R> x; void step(R s); };\n"
    "template <class T> void System<T>::step(T s) { for (std::size_t i = 0; i < x.size(); ++i) x[i] *= s; }\n"
)
ROWS = {
    "called where it is declared": (
        {"a.h": DECLARED, "a.cpp": '#include "a.h"\n' + COUNT + "template void count(const double*, int, double*);\n",
         "b.cpp": '#include "a.h"\nvoid use(double* x) { count(x, 3, x + 3); }\n'}, "a.cpp", "count", "std::is_same<T, double>::value"),
    "called by its type": (
        {"a.h": COUNT, "a.cpp": '#include "a.h"\nint nothing;\n', "b.cpp": '#include "a.h"\nvoid use(float* x) { count<float>(x, 3, x + 3); }\n'},
        "a.cpp", "count", "std::is_same<T, float>::value"),
    "an object of another file": (
        {"s.h": SYSTEM, "a.cpp": '#include "s.h"\nint nothing;\n', "b.cpp": '#include "s.h"\nvoid use(System<double>& s) { s.step(2); }\n'},
        "a.cpp", "System::step", "std::is_same<System, ::System<double>>::value"),
    "an object behind an alias": (
        {"s.h": SYSTEM, "a.cpp": '#include "s.h"\n', "b.cpp": '#include "s.h"\nusing Mine = System<float>;\nvoid use(Mine& s) { s.step(2); }\n'},
        "a.cpp", "System::step", "std::is_same<System, ::System<float>>::value"),
    "asked for in another file": (
        {"s.h": SYSTEM, "a.cpp": '#include "s.h"\n', "b.cpp": '#include "s.h"\ntemplate class System<double>;\n'},
        "a.cpp", "System<double>::step", "std::is_same<System, ::System<double>>::value"),
}  # fmt: skip


def project(folder: Path, files: dict[str, str]) -> BuildFlags:
    for name, text in files.items():
        (folder / name).write_text(text)
    sources = [name for name in files if name.endswith(".cpp")]
    entries = [{"directory": str(folder), "file": name, "command": f"g++ -std=c++17 -c {name}"} for name in sources]
    (folder / "compile_commands.json").write_text(json.dumps(entries))
    return BuildFlags(project=folder)


@pytest.mark.parametrize("row", ROWS)
def test_another_file_says_what_a_template_is_used_for(tmp_path: Path, row: str) -> None:
    files, file, entry, only_in = ROWS[row]
    flags = project(tmp_path, files)
    found = project_function(tmp_path / file, entry=entry, flags=flags)
    assert found.home is not None
    assert found.home.only_in == only_in
    kind = "float" if "float" in only_in else "double"
    assert f"{kind}* " in found.text.rpartition("void ")[2]


def test_two_ways_and_none_are_told(tmp_path: Path) -> None:
    used = '#include "s.h"\nvoid use(System<double>& s, System<float>& t) { s.step(2); t.step(2); }\n'
    flags = project(tmp_path, {"s.h": SYSTEM, "a.cpp": '#include "s.h"\n', "b.cpp": used})
    with pytest.raises(TaskError, match=r"s\.h: line 4: .* used in 2 ways .*System<double>::step"):
        project_function(tmp_path / "a.cpp", entry="System::step", flags=flags)
    flags = project(tmp_path, {"b.cpp": '#include "s.h"\n', "a.cpp": '#include "s.h"\n'})
    with pytest.raises(TaskError, match=r"s\.h: line 4: .*nothing that was read calls it"):
        project_function(tmp_path / "a.cpp", entry="System::step", flags=flags)
