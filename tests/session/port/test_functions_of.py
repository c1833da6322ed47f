"""Who calls whom in an application, and which functions have a loop in them or in what they call."""

from dataclasses import replace
from pathlib import Path

import pytest

from regrapht.records.user_code import BuildFlags
from regrapht.session.port.compile_log import Compiled, write_database
from regrapht.session.port.functions_of import OwnFunction, as_run, functions_of, working
from regrapht.tasks.listing import list_functions

pytest.importorskip("clang.cindex")

CODE = """\
#include <vector>
template <typename T>
struct raster {
    std::vector<T> cells;
    template <typename U, typename F>
    void focal(raster<U>& out, F f) const {
        for (int i = 1; i + 1 < (int)cells.size(); ++i) out.cells[i] = f(&cells[i]);
    }
    T first() const { return cells[0]; }
};
template <typename T> T total(const std::vector<T>& v) { T sum = 0; for (T x : v) sum += x; return sum; }
void shade(const raster<float>& in, raster<int>& out, float k) {
    in.focal(out, [&](const float* w) { return int(k * (w[1] - w[-1])); });
}
float whole(const raster<float>& in) { return total(in.cells); }
float least(const raster<float>& in) { return in.first(); }
"""


def test_templates_of_templates_are_followed(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text(CODE)
    compiled = (Compiled(source=Path("a.cpp"), folder=tmp_path, words=("g++", "-std=c++17", "a.cpp"), output="a.o"),)
    write_database(compiled, tmp_path, tmp_path, tmp_path / "compile_commands.json")
    found = functions_of(tmp_path, tmp_path / "compile_commands.json", compiled)
    by_name = {one.name: one for one in found}
    assert by_name["raster::focal"].usr in by_name["shade"].calls and by_name["total"].usr in by_name["whole"].calls
    assert {one.name for one in working(found)} == {"raster::focal", "total", "shade", "whole"}


def test_a_list_of_functions_says_so_too(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text(CODE)
    said = {one.name: one.why_not for one in list_functions(tmp_path / "a.cpp", BuildFlags(standard="c++17"))}
    assert "has no loop" not in str(said["shade"]) and "has no loop" in str(said["least"])


INSTANCES = (("S<double>::f", ("double", "3")), ("S<float>::f", ("float", "3")))


@pytest.mark.parametrize(
    ("pretty", "entry"),
    [
        ("void S<R, N>::f(R) [with R = double; int N = 3]", "S<double>::f"),
        ("void S<R, N>::f(R) [with R = float; int N = 3; other_t = long unsigned int]", "S<float>::f"),
        ("void S<float, 3>::f(R) [R = float, N = 3]", "S<float>::f"),
        ("void S<R, N>::f(R) [with R = long double; int N = 3]", "f"),
        (None, "f"),
    ],
)
def test_a_template_is_looked_at_as_it_was_run(pretty: str | None, entry: str) -> None:
    one = OwnFunction(
        usr="u", name="f", entry="f", file=Path("a.h"), unit=Path("a.cpp"), line=1, body=1, has_loop=True, can_hold=True,
        calls=frozenset(), instances=INSTANCES,
    )  # fmt: skip
    assert as_run(one, pretty).entry == entry
    assert as_run(replace(one, instances=INSTANCES[:1]), None).entry == "S<double>::f"
    assert as_run(replace(one, instances=()), pretty).entry == "f"
