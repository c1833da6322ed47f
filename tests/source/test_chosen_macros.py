"""Macros with chosen words are written out as a preprocessor does it."""

import subprocess

import pytest

from regrapht.source.chosen_macros import without_macros_of
from regrapht.source.tokens import pieces

WORDS = ("<<<", "__shared__")
SAME = {
    "arguments": "#define GO(k, n) k<<<n, 1>>>(n)\nvoid f() { GO(one, 3); GO(two<int>, (4, 5)); }",
    "further arguments": "#define GO(k, ...) k<<<1, 1>>>(__VA_ARGS__)\nvoid f() { GO(one); GO(two, a, b); }",
    "no comma before none": "#define GO(k, ...) k<<<1, 1>>>(n, ##__VA_ARGS__)\nvoid f() { GO(one); GO(two, a, b); }",
    "named further arguments": "#define GO(k, rest...) k<<<1, 1>>>(n , ## rest)\nvoid f() { GO(one); GO(two, a, b); }",
    "a loop that a break leaves": "#define GO(k) do { if (x) break; k<<<1, 1>>>(); } while (0)\nfor (;;) GO(one);",
    "a configuration alone": "#define ON(g, b) <<<dim3(g), b>>>\none ON(3, 4) (5); two<T> ON((1, 2), 4)();",
    "another name of it": "#define RUN(k) k<<<1, 1>>>()\n#define GO RUN\nGO(one); GO (two);",
    "its name without brackets": "#define GO(k) k<<<1, 1>>>()\nint GO = 1; GO(one);",
    "one in another": "#define RUN(k, n) k<<<n, 1>>>(n)\n#define GO(k) RUN(k, 1); RUN(k, 2)\nGO(one);",
    "one in the arguments of one": "#define RUN(...) __VA_ARGS__<<<1, 1>>>()\n#define CHECK(x) (x, RUN(y))\nCHECK(RUN(one));",
    "several lines": "#define GO(k, \\\n n) do { \\\n k<<<n, 1>>>(); \\\n } while (0)\nGO(one,\n 1); int after;",
    "pasted and quoted": '#define GO(k, T) name(#T, "k"); k##_##T<<<1, 1>>>()\nGO(one, float); GO(two, x   +  "y\\n");',
    "shared arrays": "#define TILE(T, name, n) __shared__ T name[n]\nvoid f() { TILE(float, a, 32); TILE(int, b, 4); }",
    "a word for them": "#define SHARED __shared__\nvoid f() { SHARED int a[4]; }",
    "taken back and made anew": "#define GO(k) k<<<1, 1>>>()\nGO(a);\n#undef GO\n#define GO(k) k<<<2, 2>>>()\nGO(b);\n#undef GO\nGO(c);",
    "defined where it was not": "#ifndef GO\n#define GO(k) k<<<1, 1>>>()\n#endif\nGO(one);\n#ifdef GO\nint known;\n#endif",
    "before its definition": "GO(one);\n#define GO(k) k<<<1, 1>>>()\nGO(two);",
    "comments": "#define GO(k) k<<<1, 1>>>() // GO(a, b\nGO(one /* , two */); // GO(k)\n",
    "strings": '#define GO(k) k<<<1, 1>>>("GO(x), )")\nGO(one); const char* s = "GO(two)";',
    "commas in other brackets": "#define GO(k, a, b) k<<<1, 1>>>(a, b)\nGO(one, x[1, 2]); GO(two, {3, 4});",
}


def preprocessed(text):
    done = subprocess.run(
        ["g++", "-E", "-P", "-x", "c++", "-std=gnu++17", "-"], input=text, capture_output=True, text=True, check=True
    )
    return [token for token in pieces(done.stdout) if token.strip()]


@pytest.mark.parametrize("text", SAME.values(), ids=SAME)
def test_a_preprocessor_reads_the_same(text):
    written = without_macros_of(text, WORDS, instead="hidden")
    assert "hidden" in written and "hidden" not in preprocessed(written)
    assert preprocessed(written) == preprocessed(text)
    assert written.count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "text",
    [
        "#ifdef FAST\n#define GO(k) k<<<1, 1>>>()\n#else\n#define GO(k) k<<<2, 2>>>()\n#endif\nGO(one);",
        "#define GO(k) k<<<1, 1>>>()\n#ifdef FAST\n#undef GO\n#endif\nGO(one);",
        "#define GO(k) k<<<1, 1>>>()\n#define GO(k) k<<<2, 2>>>()\nGO(one);",
        "#define GO GO<<<1, 1>>>\nGO();",
        "#define GO(k) RUN (k)\n#define RUN(k) k<<<1, 1>>>(GO (k))\nGO(one);",
        "#define GO(k, ...) k<<<1, 1>>>(n __VA_OPT__(,) __VA_ARGS__)\nGO(one);",
        '#define GO(k) k<<<1, 1>>>()\n#pragma push_macro("GO")\n#undef GO\nGO(one);',
        "#define GO(k) k<<<1, 1>>>(k, k, k, k, k, k, k, k, k, k)\n" + "GO(" * 9 + "one" + ")" * 9 + ";",
        "void f() { one<<<1, 1>>>(); }",
        "#define N 3\nvoid f() { one<<<N, 1>>>(); }",
    ],
)
def test_what_is_not_sure_stays(text):
    assert without_macros_of(text, WORDS, instead="hidden") == text


def test_lines_keep_their_numbers():
    text = "#define GO(k, \\\n n) k<<<n, 1>>>()\nGO(one,\n\n 1);\nint after;\n"
    assert without_macros_of(text, WORDS, instead="hidden").split("\n")[5] == "int after;"


def test_names_pasted_together_meet_what_stands_instead():
    text = "#define GO(k) k<<<1, 1>>>()\n#define JOIN(a, b) a##b\nJOIN(G, O)(one);"
    assert "hidden" in preprocessed(without_macros_of(text, WORDS, instead="hidden"))


@pytest.mark.parametrize("uses", ["GO(" * 20_000, "GO(" * 20_000 + ")" * 20_000, ")" * 20_000 + "GO(" * 20_000])
def test_what_takes_long_to_follow_stays(uses):
    text = "#define GO(k) k<<<1, 1>>>()\n" + uses
    assert without_macros_of(text, WORDS, instead="hidden") == text
