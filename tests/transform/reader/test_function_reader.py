"""C++ as people write it, read into one form; and what is refused, with line and remedy."""

import pytest

from regrapht.errors import CannotTransform
from regrapht.transform.ir.expressions import Element, Number, Variable
from regrapht.transform.ir.scalar_types import canonical
from regrapht.transform.ir.statements import Assign, Declare, For, If, Update, every
from regrapht.transform.reader.function_reader import read_function


def body_of(statements: str, head: str = "") -> list:
    text = f"{head}\nvoid f(int n, float k, const float* a, float* b, int* h) {{\n{statements}\n}}"
    return read_function(text, "f").body


def first(kind: type, statements: str, head: str = ""):
    return next(s for s in every(body_of(statements, head)) if isinstance(s, kind))


@pytest.mark.parametrize(
    ("statement", "operator"),
    [
        ("b[0] += a[0];", "+"),
        ("b[0] -= a[0];", "+"),
        ("b[0] = b[0] + a[0];", "+"),
        ("b[0] = a[0] + b[0];", "+"),
        ("b[0] = b[0] + a[0] - a[1];", "+"),
        ("b[0] = b[0] * a[0];", "*"),
        ("b[0] *= a[0];", "*"),
        ("b[0] = std::max(b[0], a[0]);", "max"),
        ("b[0] = fminf(a[0], b[0]);", "min"),
        ("b[0] = b[0] > a[0] ? b[0] : a[0];", "max"),
        ("b[0] = a[0] < b[0] ? a[0] : b[0];", "min"),
        ("if (a[0] > b[0]) b[0] = a[0];", "max"),
        ("if (b[0] > a[0]) { b[0] = a[0]; }", "min"),
        ("h[0]++;", "+"),
        ("--h[0];", "+"),
    ],
)
def test_spellings_of_an_update(statement, operator):
    assert first(Update, statement).operator == operator


@pytest.mark.parametrize("statement", ["b[0] = a[0] - b[0];", "b[0] = b[0] / k;", "b[0] = b[0] + b[0];", "b[0] = k;"])
def test_what_is_no_update(statement):
    assert isinstance(body_of(statement)[0], Assign)


def test_continue_and_return_become_conditions():
    loop = first(For, "if (n < 2) return; for (int i = 0; i < n; i++) { if (a[i] > 0) continue; b[i] = 1; }")
    assert isinstance(loop.body[0], If) and len(loop.body) == 1


def test_pointers_into_arrays_are_resolved():
    assign = first(
        Assign, "for (int i = 0; i < n; i++) { const float* row = a + i * n; float* out = &b[i]; *out = row[3]; }"
    )
    assert assign.target == Element("b", (Variable("i"),))
    assert assign.value.array == "a"


def test_constants_macros_and_aliases():
    head = "#define R 3\n#define AT(i, j) ((i) * n + (j))\nusing real = float;\nconstexpr int TWICE = 2 * R;\n"
    loop = first(For, "for (int i = R; i < n - TWICE; ++i) { real t = a[AT(i, 0)]; b[i] = t; }", head)
    assert loop.start == Number("R", 3)
    assert loop.condition.right.right == Number("TWICE", 6)
    assert loop.body[0].type == "float"


def test_names_stay_unless_they_clash():
    body = body_of(
        "for (int i = 0; i < n; i++) { float t = a[i]; b[i] = t; } for (int i = 0; i < n; i++) { float t = 1; b[i] = t; }"
    )
    assert [s.variable for s in body] == ["i", "i"]
    assert [s.name for s in every(body) if isinstance(s, Declare)] == ["t", "t_2"]


def test_a_returned_local_lives_in_the_result():
    function = read_function(
        "float f(int n, const float* a) { float s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }", "f"
    )
    assert function.body[0].target == Element("result", (Number("0", 0),))
    assert not any(isinstance(s, Declare) for s in every(function.body))


def test_constant_arrays_become_tables():
    text = "void f(int n, float* b) { static const float w[2][2] = {{1, 2}, {3, 4}}; for (int i = 0; i < n; i++) b[i] = w[1][0]; }"
    (table,) = read_function(text, "f").tables.values()
    assert table.lengths == (2, 2) and table.text.startswith("__constant__ const float w[2][2]")


def test_a_text_is_a_table_with_its_zero():
    text = 'static const char hex[] = "0123\\x34\\"";\nvoid f(int n, char* b) { for (int i = 0; i < n; i++) b[i] = hex[i & 3]; }'
    (table,) = read_function(text, "f").tables.values()
    assert table.lengths == (7,)


def test_only_the_helpers_that_are_called_are_kept():
    text = "float g(float x) { return x; }\nfloat h(float x) { return g(x); }\nfloat z(float x) { return x; }\n"
    function = read_function(text + "void f(int n, float* b) { for (int i = 0; i < n; i++) b[i] = h(b[i]); }", "f")
    assert [helper.name for helper in function.helpers] == ["g", "h"]


def test_an_integer_that_collects_floats_is_no_reduction():
    assert isinstance(body_of("h[0] += 0.5f * n;")[0], Assign)
    assert isinstance(body_of("h[0] += n;")[0], Update)


def test_names_that_generated_code_needs_are_changed():
    function = read_function("void f(int n, float min, float* max) { for (int i = 0; i < n; i++) max[i] = min; }", "f")
    assert [(p.written, p.name) for p in function.parameters[1:]] == [("min", "min_value"), ("max", "max_value")]
    assert function.body[0].body[0].target.array == "max_value"


@pytest.mark.parametrize(
    ("written", "taken"),
    [
        ("unsigned", "unsigned int"),
        ("std::size_t", "unsigned long long"),
        ("long int", "long long"),
        ("const uint8_t", "unsigned char"),
        ("unsigned short int", "unsigned short"),
        ("double", "double"),
        ("std::string", None),
        ("long double", None),
    ],
)
def test_types(written, taken):
    assert canonical(written, {}) == taken


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("void f(int n, float* b) {\n  b[0] = ;\n}", 2, "does not parse"),
        ("struct P { P* x; };\nvoid f(int n, P* p) { p[0].x = 0; }", 2, "type 'P'"),
        ("void f(int n, float** b) { b[0][0] = 1; }", 1, "pointer to pointer"),
        ("void f(int& n, float* b) { b[0] = n; }", 1, "parameter 'int& n'"),
        ("int g;\nvoid f(int n, float* b) {\n  b[0] = g;\n}", 3, "'g' is no parameter"),
        ("void f(int n, float* b) {\n  launch(b);\n}", 2, "effect that is not known"),
        (
            "void f(int n, float* b) {\n  for (int i = 0; i < n; i++)\n    b[i] = rand();\n}",
            3,
            "'rand' draws numbers",
        ),
        ("void f(int n, float* b) {\n  switch (n) { case 1: b[0] = 1; default: b[0] = 2; }\n}", 2, "runs on"),
        ("template <class T> void f(int n, T* b) { b[0] = 1; }", 1, "template"),
        (
            "void f(int n, float k, float* b) {\n  const float w[1][2] = {k, 1};\n  b[0] = w[0][n];\n}",
            2,
            "local array 'w'",
        ),
        ("void g() {}", None, "no function 'f'"),
        ("void f(int n, float* b) {\n  static int calls = 0;\n  b[0] = calls;\n}", 2, "static local"),
        (
            "int g(int x) { return x; }\nint g(long x) { return 2; }\nvoid f(int n, float* b) { b[0] = g(b[1]); }",
            3,
            "more than once",
        ),
    ],
)
def test_refusals_say_line_and_reason(text, line, reason):
    with pytest.raises(CannotTransform) as refused:
        read_function(text, "f")
    assert refused.value.line == line
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    "text", ["f(int n, float* a) { a[0] = n; }", "struct f { int n; f(int m) : n(m) {} };", "static f() {}"]
)
def test_a_function_without_a_type_is_refused_with_its_line(text):
    with pytest.raises(CannotTransform, match=r"line 2|no function"):
        read_function(f"int k;\n{text}\n", "f")
