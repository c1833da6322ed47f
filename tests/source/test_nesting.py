"""How deep a text may be nested or chained."""

from pathlib import Path

import pytest

from regrapht.source.nesting import too_deep

ROOT = Path(__file__).parents[2]
DEEP = {
    "parentheses": "(" * 100_000 + "1" + ")" * 100_000,
    "braces": "{" * 100_000 + "}" * 100_000,
    "brackets": "a" + "[" * 100_000,
    "templates": "template<" * 50_000,
    "ifs": "if (n) " * 50_000,
    "else": "if (n) ; else " * 50_000,
    "signs": "-" * 99_999,
    "a sum": "n" + "+n" * 60_000,
}


@pytest.mark.parametrize("name", DEEP)
def test_what_nobody_writes_is_told_with_its_line(name):
    fault = too_deep("int a;\nint b = " + DEEP[name] + ";\n")
    assert fault is not None and fault.startswith("line 2: ")


def test_tables_comments_and_strings_may_be_long():
    table = "int t[] = {" + ", ".join(map(str, range(60_000))) + "};\n"
    assert (
        too_deep(table + "/*" + "(" * 999 + "*/ // " + "{" * 999 + '\nconst char* s = "' + "[" * 999 + '";\n') is None
    )
    assert too_deep("".join(f"void f{i}(int n) {{ if (n) g(); else h(); }}\n" for i in range(1500))) is None


def test_nothing_in_this_repository_is_too_deep():
    for path in (
        *ROOT.glob("examples/*/*.cpp"),
        *ROOT.glob("tests/emulate/valid/*.cu"),
        *ROOT.glob("src/**/runtime/*.h"),
    ):
        assert too_deep(path.read_text()) is None, path
