"""Macros are written out as the preprocessor does it, and lines keep their numbers."""

import pytest

from regrapht.source.expand import expand_macros


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#define SQ(x) ((x) * (x))\ny = SQ(a + 1);", "y = ((a + 1) * (a + 1));"),
        ("#define AT(i, j) a[(i) * n + (j)]\ny = AT(f(1, 2), k);", "y = a[(f(1, 2)) * n + k];"),
        ("#define TWICE(x) ADD(x, x)\n#define ADD(a, b) a + b\ny = TWICE(3);", "y = 3 + 3;"),
        ("#define F(x) F(x + 1)\ny = F(2);", "y = F(2 + 1);"),
        ("#define SWAP(a, b) do { t = a; a = b; } while (0)\nSWAP(p, q);", "{ t = p; p = q; }"),
        ("#define ROW (w + 2)\ny = x[r * ROW];", "y = x[r * (w + 2)];"),
        ("#define N 16\n#define REAL float\nREAL y = N;", "REAL y = N;"),
        ("#define CAT(a, b) a ## b\ny = CAT(u, v);", "y = uv;"),
        ("#define SAY(x) log(#x, x)\ny = SAY(a + b);", 'y = log("a + b", a + b);'),
        ("#define ALL(f, ...) f(__VA_ARGS__)\ny = ALL(g, 1, 2);", "y = g(1, 2);"),
        ("#ifdef A\n#define G(x) (x)\n#else\n#define G(x) (-(x))\n#endif\ny = G(1);", "y = (-1);"),
        ("#ifdef __HAVE_A\n#define G(x) (x)\n#else\n#define G(x) (-(x))\n#endif\ny = G(1);", "y = G(1);"),
        ("#define A 1\n#undef A\n#define A 2\ny = A;", "y = 2;"),
        ("void f() {\n#define A (n + 1)\n}\ny = A;", "y = (n + 1);"),
        ("namespace s {\n#define A 16\n}\ny = A;", "y = A;"),
        ("#define TWO 1 + 1\ny = 2 * TWO;", "y = 2 * 1 + 1;"),
        ("#define AS(T, x) ((T)x)\ny = AS(float, n);", "y = ((float)n);"),
        ("#define DO(x) do { x; } while (0)\nif (a) DO(b); else c;", "if (a) { b; } else c;"),
        ('#define S(x) ((x) + 1)\nprintf("S(2)"); // S(3)', 'printf("S(2)"); // S(3)'),
        ("#define CALL(f, x) f(x)\ny = CALL(g, z);", "y = g(z);"),
        ("#define P(x) ((x))\ny = P;", "y = P;"),
    ],
)
def test_what_is_written_out(text, expected):
    last = expand_macros(text).splitlines()[-1]
    assert "".join(last.split()) == "".join(expected.split())


def test_lines_keep_their_numbers():
    text = "#define AT(i, \\\n           j) a[(i) + (j)]\nint x;\ny = AT(1,\n  2);\nint last;"
    expanded = expand_macros(text)
    assert expanded.count("\n") == text.count("\n")
    assert expanded.splitlines()[-1] == "int last;" and "a[1+2]" in "".join(expanded.split()), expanded


def test_a_text_that_would_explode_is_left_alone():
    lines = ["#define M0(x) (x + x)", *(f"#define M{k}(x) M{k - 1}(M{k - 1}(x))" for k in range(1, 5)), "y = M4(z);"]
    assert len(expand_macros("\n".join(lines))) < 1_000_000


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("0", "no"),
        ("1", "yes"),
        ("defined(A) && A >= 2", "yes"),
        ("defined A && !defined(B)", "yes"),
        ("A == 3 || (A + 2) % 2", "no"),
        ("-A < 0", "yes"),
        ("UNHEARD_OF", "no"),
        ("__cplusplus >= 201103L", "yes"),
        ("defined(__CUDACC__)", "no"),
    ],
)
def test_conditions(condition, expected):
    text = f"#define A 2 // two\n#if {condition}\nyes\n#else\nno\n#endif\nend"
    assert expand_macros(text, keep_values=True).split("\n")[2 if expected == "yes" else 4] == expected
    assert expand_macros(text).split() == ["#define", "A", "2", expected, "end"]


def test_conditions_on_what_the_file_does_not_say_stay():
    for condition in ("defined(NDEBUG)", "__SIZEOF_INT128__", "M_PI > 3", "1 / 0"):
        text = f"#if {condition}\nyes\n#elif 1\nno\n#endif"
        assert expand_macros(text) == text
    assert "USE" in expand_macros('#include "own.h"\n#ifdef USE\nyes\n#endif')
    assert expand_macros("#if 0\none\n#elif __FAST__\ntwo\n#else\nthree\n#endif").split("\n") == [
        "", "", "#if __FAST__", "two", "#else", "three", "#endif",
    ]  # fmt: skip


def test_nested_conditions_and_what_does_not_count():
    text = "#if 0\n#if 1\ndon't\n#else\n#define A 3\n#endif\n#else\n#ifndef A\nleft\n#endif\n#endif"
    assert expand_macros(text).split() == ["left"]


def test_names_of_bracketed_values_stay_where_asked():
    text = "#define N 8\n#define M (2 * N)\n#define K (n + 1)\n#define REAL float\ny = M + K + N; REAL z;"
    assert expand_macros(text, keep_values=True).splitlines()[-1] == "y = M + (n + 1) + N; float z;"
    assert expand_macros(text).splitlines()[-1] == "y = (2 * N) + (n + 1) + N; REAL z;"
