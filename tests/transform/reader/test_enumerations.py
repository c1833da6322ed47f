"""Enumerations: their constants are known values, and their names are names of the type under them."""

import pytest

from regrapht.errors import CannotTransform
from regrapht.transform.reader.function_reader import read_function

from ..differential import assert_same

CHECK = "// check: n=1; n=7; n=300\n#include <cstdint>\n"
TEXTS = {
    "without a name, over a type": """enum : uint8_t { LOW = 3, HIGH };
enum : std::int64_t { WIDE = 7 };
// shape: a = n
// shape: b = n
void f(int n, const float* a, float* b) {
    for (int i = 0; i < n; ++i) b[i] = a[i] * HIGH + LOW - WIDE;
}""",
    "unsigned, and so its sums are": """enum : unsigned { ONE = 1 };
enum { TOP = 0x80000000u, OVER };
// shape: a = n
// shape: b = n
void f(int n, const int* a, int* b) {
    for (int i = 0; i < n; ++i) b[i] = (a[i] - ONE > 5) + 2 * (TOP > 0) + 4 * (OVER == TOP + 1);
}""",
    "scoped, by casts": """enum class Mode : std::uint8_t { A = 2, B, C = B + 4 };
enum class Kind { PLAIN, ROUNDED = -3 };
namespace deep { enum struct Level : unsigned short { FIRST = 9 }; }
// shape: a = n
// shape: b = n
// shape: t = n
void f(int n, const float* a, float* b, uint8_t* t) {
    constexpr int rows = static_cast<int>(Mode::B);
    float held[rows];
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < rows; ++k) held[k] = a[i] * k;
        b[i] = held[static_cast<int>(Mode::A)] + (int)Kind::ROUNDED + int(deep::Level::FIRST);
        t[i] = static_cast<uint8_t>(Mode::C) * 3;
    }
}""",
    "as the type of locals and fields of choice": """enum class Mode : uint8_t { COPY, TWICE, REST };
typedef enum { LEFT, RIGHT = 4 } side;
enum Plain { P0, P1 = 5 };
// shape: a = n
// shape: b = n
void f(int n, const int* a, int* b) {
    enum : short { STEP = 2, NEXT };
    for (int i = 0; i < n; ++i) {
        const Mode mode = static_cast<Mode>((a[i] & 255) % 3);
        const side where = a[i] > 0 ? LEFT : RIGHT;
        switch (mode) {
            case Mode::COPY: b[i] = a[i]; break;
            case Mode::TWICE: b[i] = STEP * a[i]; break;
            default: b[i] = NEXT + where + Plain::P1;
        }
        if (mode == Mode::REST) b[i] += P1;
    }
}""",
}


def test_enumerations_keep_their_values(make_task):
    assert_same(make_task, {name: CHECK + text for name, text in TEXTS.items()})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "namespace p { enum class E { A }; } namespace q { enum class E { A = 3 }; } void f(int* x) { x[0] = (int)p::E::A; }",
            "'p::E::A' is no constant",
        ),
        ("enum class E : float { A }; void f(int* x) { x[0] = (int)F::A; }", "'F::A' is no constant"),
        ("int g(); enum { A = sizeof(long double) }; void f(int* x) { x[0] = A; }", "'A' is no parameter"),
    ],
)
def test_values_that_are_not_known_are_refused(text, reason):
    with pytest.raises(CannotTransform, match=reason):
        read_function(text, "f")


def test_lines_stay_where_they_were():
    with pytest.raises(CannotTransform) as caught:
        read_function("enum\n  :\n unsigned\n char { A };\nvoid f(int* x) {\n  x[0] = B;\n}", "f")
    assert caught.value.line == 6


def test_constants_that_the_launcher_alone_needs_are_defined(make_task):
    text = """static const float SCALE = 1.5f;
enum class Width : short { TAPS = 4 };
// shape: a = n
// shape: b = n
void f(int n, const float* a, float* b) {
    const float twice = SCALE * 2.0f;
    const int left = n - static_cast<int>(Width::TAPS);
    for (int i = 0; i < n; ++i) b[i] = a[i] * twice + left;
}"""
    assert_same(make_task, {"launcher": CHECK + text})
