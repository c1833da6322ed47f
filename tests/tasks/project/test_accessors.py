"""Accessors as people write them, with assertions and named indices: what the flat function does is what the method does."""

import subprocess
from pathlib import Path

import pytest

from regrapht.records.user_code import BuildFlags
from regrapht.tasks.function_text import project_function

pytest.importorskip("clang.cindex")

CELL = "v[static_cast<std::size_t>(j) * nx + i]"
ACCESSORS = {
    "plain": f"return {CELL};",
    "assertion": f"assert(i >= 0 && i < nx && j >= 0); return {CELL};",
    "two_assertions": f"assert(i >= 0); assert(inside(i, j) || true); return {CELL};",
    "named_index": "const std::size_t k = static_cast<std::size_t>(j) * nx + i; return v[k];",
    "named_after_assertion": "assert(i >= 0); const auto row = static_cast<std::size_t>(j) * nx; assert(j >= 0); return v[row + i];",
    "two_names": "const int row = j * nx; const int at = row + i; return v[at];",
    "several_declared": "const int row = j * nx, at = row + i; return v[at];",
    "by_a_helper": "return v[index(i, j)];",
    "helper_named": "const std::size_t k = index(i, j); assert(k < v.size()); return v[k];",
    "narrowed_on_the_way": "const short row = j; return v[row * nx + i];",
}
GRID = """\
#include <cassert>
#include <cstddef>
#include <vector>
class Grid_N {
public:
    Grid_N(int x, int y) : nx(x), v(x * y) {}
    double& operator()(int i, int j) { BODY }
    const double& operator()(int i, int j) const { BODY }
    double& at_cell(int i, int j) { BODY }
    std::vector<double>& all() { return v; }
    int width() const { return nx; }
private:
    std::size_t index(int i, int j) const { assert(i >= 0); return static_cast<std::size_t>(j) * nx + i; }
    bool inside(int i, int j) const { return i < nx && j >= 0; }
    int nx;
    std::vector<double> v;
};
inline void sweep_N(Grid_N& out, const Grid_N& in, int ny) {
    for (int j = 1; j + 1 < ny; ++j)
        for (int i = 1; i + 1 < in.width(); ++i) {
            out(i, j) = in(i - 1, j) + 2 * in(i, j + 1) - in(i, j);
            out.at_cell(i, j) += 0.5;
        }
}
"""


@pytest.mark.parametrize("flags", [(), ("NDEBUG",)], ids=["checked", "ndebug"])
def test_accessors(tmp_path: Path, flags: tuple[str, ...]) -> None:
    """In every form, with the assertions there and gone."""
    calls, sources, heads = [], [], []
    for name, body in ACCESSORS.items():
        text = GRID.replace("_N", f"_{name}").replace("BODY", body)
        (tmp_path / f"{name}.cpp").write_text(text)
        found = project_function(
            tmp_path / f"{name}.cpp", entry=f"sweep_{name}", flags=BuildFlags(standard="c++17", defines=flags)
        )
        assert found.home is not None, name
        (tmp_path / f"flat_{name}.cpp").write_text(found.text)
        declared = found.text[found.text.rindex(f"sweep_{name}(") :].partition("{")[0]
        given = ", ".join(
            one.expression.replace("out", "flat", 1) if one.expression.startswith(("out", "&out")) else one.expression
            for one in found.home.places
        )
        given = given.replace("&out", "&flat")
        assert all(one.hidden is None for one in found.home.places), (name, found.home.places)
        sources.append(f"flat_{name}.cpp")
        heads.append(f'#include "{name}.cpp"\nvoid {declared};\n')
        calls.append(
            f"{{ Grid_{name} in(7, 5), out(7, 5), flat(7, 5); const int ny = 5; int n = 0;"
            f" for (double& x : in.all()) x = ++n; sweep_{name}(out, in, ny);"
            f' sweep_{name}({given}); std::printf("%d", out.all() == flat.all() && out(3, 2) != 0); }}'
        )
    (tmp_path / "main.cpp").write_text(
        "#include <cstdio>\n" + "".join(heads) + "int main() {\n" + "\n".join(calls) + "\n}\n"
    )
    subprocess.run(
        ["g++", "-std=c++17", "-o", tmp_path / "app", tmp_path / "main.cpp", *sources], cwd=tmp_path, check=True
    )
    said = subprocess.run([tmp_path / "app"], capture_output=True, text=True, check=True).stdout
    assert said == "1" * len(ACCESSORS)
