"""Functions that return `bool`: 0 or 1 in a byte, whatever number the source makes a truth of."""

from regrapht.tasks.infer import infer_task
from regrapht.transform.analyse import analyse

from ..differential import assert_same

HEAD = (
    "#include <algorithm>\n// shape: x = n\n// shape: y = n\n// init: x = ints(0, 600)\n// init: y = ints(0, 3)\n"
    "// check: n=1; n=2; n=33; n=300\n"
)
TRUTHS = {
    "an early end": "for (int i = 0; i < n; ++i) if (x[i] > 590) return true; return false;",
    "all in order": "for (int i = 1; i < n; ++i) if (x[i - 1] > x[i]) return false; return true;",
    "a bit above a byte": "int bits = 0; for (int i = 0; i < n; ++i) bits |= x[i]; return bits & 256;",
    "a multiple of 256": "int c = 0; for (int i = 0; i < n; ++i) c += x[i] > 9 ? 256 : 0; return c;",
    "a part of one": "float s = 0; for (int i = 0; i < n; ++i) s += 0.125f * (y[i] == 2); return s;",
    "a number in a loop": "for (int i = 0; i < n; ++i) if (x[i] == 17) return x[i] << 8; return 0;",
    "a local truth": "bool same = true; for (int i = 0; i < n; ++i) same = same && x[i] == y[i]; return same;",
    "a local of a number": "bool some = false; for (int i = 0; i < n; ++i) if (y[i] == 2) some = x[i] & 256; return some;",
    "found": "return std::find(x, x + n, 7) != x + n;",
    "any of them": "return std::any_of(x, x + n, [](int v) { return v % 7 == 3; });",
    "what it changed": "bool changed = false; for (int i = 0; i < n; ++i) if (y[i] > 1) { y[i] = 1; changed = true; } return changed;",
}  # fmt: skip
INDEPENDENT = ("an early end", "all in order", "a bit above a byte", "a multiple of 256", "found", "what it changed")


def text_of(body: str) -> str:
    return f"{HEAD}bool f(int n, const int* x, int* y) {{\n{body}\n}}"


def test_they_are_right(make_task):
    assert_same(make_task, {name: text_of(body) for name, body in TRUTHS.items()})


def test_they_have_threads(make_task):
    for name in INDEPENDENT:
        nests = analyse(make_task(text_of(TRUTHS[name]), "f")).nests
        assert all(nest.threaded for nest in nests), name


def test_a_task_of_a_bare_file(tmp_path):
    file = tmp_path / "f.cpp"
    for kind, before in (("bool", ""), ("truth", "using truth = bool;\n"), ("flag", "typedef bool flag;\n")):
        file.write_text(
            f"{before}{kind} f(int n, const int* x) {{ for (int i = 0; i < n; ++i) if (x[i]) return true; return false; }}"
        )
        inferred = infer_task(file)
        assert inferred.task.returns is not None and inferred.task.returns.name == "uint8"
        assert any("a truth" in guess for guess in inferred.guesses)
