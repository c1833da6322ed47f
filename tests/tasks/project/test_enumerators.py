"""Arrays of enumerators: whole numbers in the flat function, by the type that they have in memory."""

import re
import subprocess
from pathlib import Path

import pytest

from regrapht.records.user_code import BuildFlags
from regrapht.tasks.function_text import project_function

pytest.importorskip("clang.cindex")

CODE = """\
#include <array>
#include <cstdint>
#include <vector>
namespace shop {
enum class Right { call, put };
enum Side : std::uint8_t { bid, offer = 7 };
struct Book { std::vector<Right> right; std::array<Side, 4> first; Side last[3]; };
inline float sign(Right r, float x) { return r == Right::put ? -x : x; }
void total(const Book& book, std::vector<Side>& side, const Right* other, int n, float* out) {
    for (int i = 0; i < n; ++i) {
        const Right own = book.right[i];
        out[i] = sign(book.right[i], 2.0f) + (own == Right::call ? 0.5f : 0.0f) + (other[i] == own ? 4.0f : 0.0f);
        if (side[i] == offer || book.first[i % 4] == bid || book.last[i % 3] == offer) out[i] += 16.0f;
        side[i] = i % 3 ? bid : offer;
    }
}
}
"""
TYPES = {
    "book_right": "const int* ",
    "book_first": "const unsigned char* ",
    "book_last": "const unsigned char* ",
    "side": "unsigned char* ",
    "other": "const int* ",
}
MAIN = """
int main() {{
    using namespace shop;
    const int n = 8;
    Book book; for (int i = 0; i < n; ++i) book.right.push_back(i % 2 ? Right::put : Right::call);
    book.first = {{offer, bid, offer, offer}}; book.last[0] = bid; book.last[1] = offer; book.last[2] = bid;
    std::vector<Right> kept(book.right); kept[3] = Right::call;
    const Right* other = kept.data();
    std::vector<Side> first(n, bid), side(n, bid);
    std::vector<float> wanted(n), all(n);
    total(book, first, other, n, wanted.data());
    float* out = all.data();
    flat::total({given});
    for (int i = 0; i < n; ++i) if (wanted[i] != all[i] || first[i] != side[i]) std::printf("%d ", i);
}}
"""


def test_the_flat_function_does_what_that_of_the_project_does(tmp_path: Path) -> None:
    file = tmp_path / "shop.cpp"
    file.write_text(CODE)
    found = project_function(file, entry="total", flags=BuildFlags(standard="c++17"))
    assert found.home is not None
    head = found.text[found.text.index("void total(") :].partition("{")[0]
    assert all(f"{kind}{name}" in head for name, kind in TYPES.items()), head
    text = re.sub(r"^#include.*$", "", found.text, flags=re.MULTILINE)
    given = ", ".join(place.expression for place in found.home.places)
    main = tmp_path / "main.cpp"
    main.write_text(
        f'#include "shop.cpp"\n#include <cstdio>\nnamespace flat {{\n{text}\n}}\n{MAIN.format(given=given)}'
    )
    subprocess.run(["g++", "-std=c++17", "-Wall", "-o", tmp_path / "app", main], check=True)
    said = subprocess.run([tmp_path / "app"], capture_output=True, text=True, check=True).stdout
    assert said == ""
