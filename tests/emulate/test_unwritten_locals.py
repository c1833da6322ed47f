"""Which local variables get a value from us: those that the program gives none, each once, on its own line."""

import pytest

from regrapht.emulate.rewrite import rewrite
from regrapht.emulate.unwritten_locals import unwritten_locals
from regrapht.source.syntax import SourceText

GET_ONE = {
    "int a;": ["a"],
    "float part[8], s = 0, *p;": ["part", "p"],
    "unsigned long long wide;": ["wide"],
    "volatile int v;": ["v"],
    "struct P { int q; } one;": ["one"],
    "T t; t = n;": ["t"],
    "int i = 0, all, own = sum(i, all), last;": ["last"],
    "while (n--) { double inner; }": ["inner"],
    "auto f = [&] { int kept; return kept; };": ["kept"],
    "switch (n) { case 1: int c; break; }": ["c"],
}
GET_NONE = (
    "int a = 3;",
    "float b[2] = {1, 2};",
    "float c{};",
    "static int calls;",
    "__shared__ float s[4];",
    "extern __shared__ float dynamic[];",
    "const int four = 4;",
    "auto& r = n;",
    "int f(int);",
    "using I = int;",
    "typedef int J;",
    "for (int i = 0; i < n; ++i) n += i;",
    "struct Q { int member; };",
)


def found(body, head="template <class T> __global__ void k(int n)"):
    source = SourceText(f"{head} {{\n{body}\n}}\n", cuda=True)
    return [name for each in unwritten_locals(source.root) for name in each.names]


@pytest.mark.parametrize("body", GET_ONE)
def test_what_begins_without_a_value(body):
    assert found(body) == GET_ONE[body]


@pytest.mark.parametrize("body", GET_NONE)
def test_what_begins_with_one_or_is_no_local_variable(body):
    assert found(body) == []


def test_variables_of_the_file_and_of_what_the_compiler_runs_stay():
    assert found("int t;", head="__device__ constexpr int f()") == []
    assert unwritten_locals(SourceText("__device__ int counter;\nint n;\n", cuda=True).root) == []


def test_lines_are_kept_and_each_is_filled_behind_its_declaration():
    source = "__global__ void k(int n) {\n    int a,\n        b;\n    a = b = n;\n}\n"
    written = rewrite(source, fills_locals=True)
    assert written.text.splitlines()[2] == "        b; emulated::unwritten(a); emulated::unwritten(b);"
    assert [(each.line, each.names) for each in written.unwritten] == [(2, ("a", "b"))]
    assert rewrite(source).text == source and rewrite(source).unwritten == ()
