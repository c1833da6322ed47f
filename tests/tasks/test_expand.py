"""Macros are written out as the preprocessor does it, and lines keep their numbers."""

import pytest

from regrapht.tasks.inference.expand import expand_macros


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#define SQ(x) ((x) * (x))\ny = SQ(a + 1);", "y = ((a + 1) * (a + 1));"),
        ("#define AT(i, j) a[(i) * n + (j)]\ny = AT(f(1, 2), k);", "y = a[(f(1, 2)) * n + k];"),
        ("#define TWICE(x) ADD(x, x)\n#define ADD(a, b) a + b\ny = TWICE(3);", "y = 3 + 3;"),
        ("#define F(x) F(x + 1)\ny = F(2);", "y = F(2 + 1);"),
        ("#define SWAP(a, b) do { t = a; a = b; } while (0)\nSWAP(p, q);", "{ t = p; p = q; };"),
        ("#define ROW (w + 2)\ny = x[r * ROW];", "y = x[r * (w + 2)];"),
        ("#define N 16\n#define REAL float\nREAL y = N;", "REAL y = N;"),
        ("#define CAT(a, b) a##b\ny = CAT(u, v);", "y = CAT(u, v);"),
        ("#ifdef A\n#define G(x) (x)\n#else\n#define G(x) (-(x))\n#endif\ny = G(1);", "y = G(1);"),
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
