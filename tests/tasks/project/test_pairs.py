"""Arrays of `std::pair`: a plain struct stands for it, which lies as it does."""

import re
import subprocess
from pathlib import Path

import pytest

from regrapht.records.user_code import BuildFlags
from regrapht.tasks.function_text import project_function

pytest.importorskip("clang.cindex")

HEAD = """\
#include <utility>
#include <vector>
namespace graph {
using edge = std::pair<int, double>;
"""
BODIES = {
    "members": "out[i] = v[i].second * v[i].first;",
    "alias": "const edge& e = v[i]; out[i] = e.second;",
    "spelled": "const std::pair<int, double>& e = v[i]; out[i] = e.first;",
    "copied": "edge e = v[i]; e.second += 1; v[i] = e; out[i] = e.second;",
    "bound": "const auto& [to, w] = v[i]; out[i] = to * w;",
    "bound_copies": "auto [to, w] = v[i]; w += to; out[i] = w;",
    "range": "out[i] = 0; for (const auto& [to, w] : v) out[i] += w; for (const edge& e : v) out[i] += e.first;",
    "made": "v[i] = std::make_pair(i, 2.5 * i); out[i] = v[i].second;",
    "listed": "v[i] = {i, 0.5}; out[i] = v[i].first;",
}
MAIN = """
int main() {{
    const int n = 8;
    std::vector<graph::edge> first(n), v;
    for (int i = 0; i < n; ++i) first[i] = {{3 * i, 0.25 * i}};
    v = first;
    std::vector<double> wanted({count} * n), all({count} * n);
    graph::everything(first, n, wanted.data());
    double* out = all.data();
    static_assert(sizeof(flat::pair_int32_float64) == sizeof(graph::edge));
    flat::everything({given});
    for (int k = 0; k < {count} * n; ++k) if (wanted[k] != all[k]) std::printf("%d ", k / n);
    if (v != first) std::printf("v ");
}}
"""


def test_the_flat_function_does_what_that_of_the_project_does(tmp_path: Path) -> None:
    file = tmp_path / "edges.cpp"
    bodies = "".join(
        f"        {{ {body} }}\n".replace("out[i]", f"out[{k} * n + i]") for k, body in enumerate(BODIES.values())
    )
    loop = f"    for (int i = 0; i < n; ++i) {{\n{bodies}    }}\n"
    file.write_text(f"{HEAD}void everything(std::vector<edge>& v, int n, double* out) {{\n{loop}}}\n}}\n")
    found = project_function(file, entry="everything", flags=BuildFlags(standard="c++17"))
    assert found.home is not None
    text = re.sub(r"^#include.*$", "", found.text, flags=re.MULTILINE)
    assert "std::pair" not in text and "std::make_pair" not in text
    cast = "reinterpret_cast<flat::pair_int32_float64*>(v.data())"
    given = ", ".join(cast if one.expression == "v.data()" else one.expression for one in found.home.places)
    main = tmp_path / "main.cpp"
    head = '#include "edges.cpp"\n#include <cstdio>\n#include <cstddef>\n'
    main.write_text(f"{head}namespace flat {{\n{text}\n}}\n{MAIN.format(count=len(BODIES), given=given)}")
    subprocess.run(["g++", "-std=c++17", "-fno-strict-aliasing", "-o", tmp_path / "app", main], check=True)
    said = subprocess.run([tmp_path / "app"], capture_output=True, text=True, check=True).stdout
    assert said == "", f"these of {list(BODIES)} differ: {said}"


def test_pairs_that_stay_local_are_left_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "f.cpp"
    file.write_text(
        f"{HEAD}void f(int n, double* out) {{ for (int i = 0; i < n; ++i) {{ std::pair<int, double> p(i, 2); out[i] = p.second; }} }}\n}}\n"
    )
    assert (
        "std::pair<int, double> p(i, 2)" in project_function(file, entry="f", flags=BuildFlags(standard="c++17")).text
    )
