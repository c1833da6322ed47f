"""Expressions that no parser can read without knowing what is a type and what a variable."""

import pytest

from regrapht.errors import CannotTransform
from regrapht.transform.ir.expressions import Cast, Expression
from regrapht.transform.reader.function_reader import read_function
from regrapht.transform.reader.syntax import SourceText

HEAD = """using real = float;
typedef int count;
struct pair { float first, second; };
const int RADIUS = 3;
#define TAPS 5
#define LESS(x, y) ((x) - (y) * 2)
#define INSIDE(x, y) (x < y && x > (0))
#define WHOLE(x) ((real) - (x) * 2)
#define SET(o, x, y) o[0] = (x) - (y) * 2
"""


def body_of(statements: str) -> list:
    text = f"{HEAD}void f(int h, int w, int d, const float* a, float* b) {{\nint k = 2;\n{statements}\n}}"
    return read_function(text, "f").body


def value_of(expression: str) -> Expression:
    return body_of(f"b[0] = {expression};")[-1].value


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("(h) * (w)", "h * w"),
        ("(h) - (w)", "h - w"),
        ("(h) & (w)", "h & w"),
        ("(h) - (w) * (d)", "h - w * d"),
        ("(h) + (w) * (d)", "h + w * d"),
        ("(h) & w * 2", "h & w * 2"),
        ("(h) -w * 2 - 1", "h - w * 2 - 1"),
        ("(h) - (w) - d * 2", "h - w - d * 2"),
        ("(h) - 1.5f * (w)", "h - 1.5f * w"),
        ("d * (h) * (w) + (h) * k", "d * h * w + h * k"),
        ("(h) * (*a) - (w) * 2", "h * *a - w * 2"),
        ("a[(h) - (w) * 2]", "a[h - w * 2]"),
        ("(k) - (w) * 2", "k - w * 2"),
        ("(RADIUS) - (w) * 2", "RADIUS - w * 2"),
        ("(TAPS) - (w) * 2", "TAPS - w * 2"),
        ("LESS(h, w)", "h - w * 2"),
        ("(real)(h)", "(real)h"),
        ("(count)(h + 1) * w", "(int)(h + 1) * w"),
        ("h < w && d > (k)", "(h < w) && (d > k)"),
        ("!(h < w && d >= 0)", "!((h < w) && (d >= 0))"),
        ("(h < 0 || h >= (w)) ? 1 : 0", "((h < 0) || (h >= w)) ? 1 : 0"),
        ("INSIDE(h, w)", "(h < w) && (h > 0)"),
    ],
)
def test_variables_are_no_types(written, plain):
    assert value_of(written) == value_of(plain)


@pytest.mark.parametrize("written", ["(real) - h * w", "(float) - h * w", "(size_t) + h * w", "WHOLE(w)"])
def test_types_are_types(written):
    assert isinstance(value_of(written).left, Cast)


def test_macros_of_statements():
    assert body_of("SET(b, h, w);") == body_of("b[0] = h - w * 2;")


@pytest.mark.parametrize("written", ["(pair) - h * 2", "(h)(w)", "(unknown) - h * 2"])
def test_what_is_no_value_is_refused(written):
    with pytest.raises(CannotTransform):
        value_of(written)


def test_a_name_of_both_is_refused():
    with pytest.raises(CannotTransform, match="type and a variable"):
        read_function("typedef float s;\nvoid f(int s, int k, float* b) { b[0] = (s) - k * 2; }", "f")


def test_templates_stay():
    value = value_of("std::max<float>(h, w) < static_cast<float>(d) && h > (0)")
    assert value.operator == "&&" and "max" in str(value.left)


def test_places_in_the_text_stay():
    text = "void f(int h, int w, int* b) {\n  b[0] = (h) - (w) * 2;\n  b[1] = h < w && w > (0);\n}"
    source = SourceText(text)
    assert len(source.data) == len(text)
    assert source.text(source.root).splitlines()[2] == text.splitlines()[2]
    assert [source.line(n) for n in source.walk() if n.type == "assignment_expression"] == [2, 3]


LOOSE = """#define LESS(x, y) x - y
#define TWICE(x) x * 2
#define SQUARE(x) (x) * (x)
#define MORE(x, y) ((x) > (y) ? (x) : (y))
#define NEXT(x) SQUARE(x)
#define DOUBLE(x) TWICE(x)
"""


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("LESS(h, w)", "h - w"),
        ("LESS(h, w) - 3", "h - w - 3"),
        ("LESS(h * 2, w) < 3", "h * 2 - w < 3"),
        ("a[LESS(h, w)]", "a[h - w]"),
        ("3 + SQUARE(h - w)", "3 + (h - w) * (h - w)"),
        ("-MORE(MORE(h, w + 1), 3) * 2", "-(((h > w + 1) ? h : w + 1) > 3 ? ((h > w + 1) ? h : w + 1) : 3) * 2"),
        ("NEXT(h + 1)", "(h + 1) * (h + 1)"),
        ("TWICE((h + 1))", "(h + 1) * 2"),
        ("TWICE(h * w)", "h * w * 2"),
        ("TWICE(-h)", "-h * 2"),
    ],
)
def test_macros_that_hold_together(written, plain):
    text = LOOSE + "void f(int h, int w, const float* a, float* b) { b[0] = %s; }"
    assert read_function(text % written, "f").body == read_function(text % plain, "f").body


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("2 * LESS(h, w)", "2 * h - w"),
        ("3 - LESS(h, w)", "3 - h - w"),
        ("-LESS(h, w)", "-h - w"),
        ("(float)LESS(h, w)", "(float)h - w"),
        ("6 / SQUARE(h)", "6 / h * h"),
        ("LESS(h, w - 1)", "h - w - 1"),
        ("TWICE(h + 1)", "h + 1 * 2"),
        ("DOUBLE(h + 1)", "h + 1 * 2"),
        ("TWICE(h ? w : 1)", "h ? w : 1 * 2"),
    ],
)
def test_macros_are_text(written, plain):
    """What stands around a macro without brackets takes it apart, as the compiler does it."""
    text = LOOSE + "void f(int h, int w, const float* a, float* b) { b[0] = %s; }"
    assert read_function(text % written, "f").body == read_function(text % plain, "f").body


@pytest.mark.parametrize(
    ("body", "use", "plain"),
    [
        ("3 + 1", "2 * N", "2 * 3 + 1"),
        ("3 + 1", "-N", "-3 + 1"),
        ("3 - 1", "9 - N", "9 - 3 - 1"),
        ("4 > 3 ? 1 : 2", "N + 1", "4 > 3 ? 1 : 2 + 1"),
        ("3 + 1", "M", "2 * 3 + 1"),
        ("2 * 3", "N + 1", "2 * 3 + 1"),
    ],
)
def test_values_are_text(body, use, plain):
    text = "void f(int h, float* b) {{ for (int i = 0; i < {}; ++i) b[i] = h; }}"
    written = read_function(f"#define N {body}\n#define M 2 * N\n" + text.format(use), "f")
    assert written.body == read_function("\n\n" + text.format(plain), "f").body


@pytest.mark.parametrize(
    ("body", "use"),
    [("(3 + 1)", "2 * N"), ("((3) + 1)", "N"), ("-4", "9 - N"), ("7", "2 * N")],
)
def test_values_that_hold_together_keep_their_names(body, use):
    loop = "void f(int h, float* b) {{ for (int i = 0; i < {}; ++i) b[i] = h; }}"
    held = read_function(f"#define N {body}\n" + loop.format(use), "f")
    assert held.body and all(constant.text == f"#define N {body}" for constant in held.constants)


def test_a_macro_asks_nothing_of_what_does_not_use_it():
    assert read_function("#define N 3 + 1\n#define M 2 * N\nvoid f(int h, float* b) { b[0] = h; }", "f").body


@pytest.mark.parametrize(
    ("written", "of", "value"),
    [
        ("pair p(a[h]);", "initializer_list", "{a[h]}"),
        ("pair p(a[(h + 1) % w]);", "initializer_list", "{a[(h + 1) % w]}"),
        ("pair p(a[h], b[w]);", "initializer_list", "{a[h], b[w]}"),
        ("pair p(a[h], w);", "initializer_list", "{a[h], w}"),
        ("pair p(taken(w));", "initializer_list", "{taken(w)}"),
        ("std::vector<real> p(a[h]);", "subscript_expression", "a[h]"),
        ("{ switch (h) { case 1: pair p(a[h]); } }", "initializer_list", "{a[h]}"),
    ],
)
def test_a_variable_made_from_an_element_is_no_function(written, of, value):
    source = SourceText(f"{HEAD}int taken(int);\nvoid f(int h, int w, const float* a, float* b) {{\n{written}\n}}")
    made = next(n for n in source.walk() if n.type == "init_declarator" and source.text(n).startswith("p"))
    assert made.child_by_field_name("value").type == of
    assert source.text(made.child_by_field_name("value")).strip() == value
    assert written in source.written.decode()


@pytest.mark.parametrize(
    "written", ["int g(pair);", "pair g(count[4]);", "int g(real (*)(real));", "int g(count, pair);"]
)
def test_a_function_that_a_function_declares_is_one(written):
    source = SourceText(f"{HEAD}void f(int h) {{ {written} }}")
    assert any(n.type == "function_declarator" and source.text(n).startswith("g") for n in source.walk())
