"""No reference calls a function of its own that the compiler may take for one of `std`.

A call that does not say whose function it means is looked up in the namespaces of its arguments' types too. So an own
`apply(const std::array<...>&, ...)` compiles with one library and not with the next, whichever headers bring `std::apply` along,
or calls that one instead. `std_functions.txt` has the names.
"""

import re
from functools import cache
from pathlib import Path

import pytest

from regrapht.bench.suite import shipped_suites
from regrapht.source.functions import read_unit
from regrapht.source.syntax import text_of

ROOT = Path(__file__).parents[2]
PLACES = (shipped_suites(), ROOT / "examples", ROOT / "trajectories")
REFERENCES = [
    file for place in PLACES for task in sorted(place.rglob("task.toml")) for file in task.parent.glob("*.cpp")
]
_DEFINED = re.compile(r"\b([a-z]\w*)\s*\([^;{}]*\)[^;{}()]*\{")
_PLAIN = re.compile(r"\bstd::(?:size_t|ptrdiff_t|nullptr_t|u?int\w*_t)\b")
_BASES = re.compile(r"\b(?:struct|class)\s+(\w+)[^:;{]*:((?:[^:;{]|::)+)\{")
_BROUGHT = re.compile(r"\busing\s+(?:namespace\s+)?(std\b(?:::\w+)?)\s*;")


@cache
def std_functions() -> frozenset[str]:
    lines = (Path(__file__).parent / "std_functions.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


def std_may_answer(source: str) -> set[str]:
    """The file's own functions, outside of classes, that have the name of one of `std` and take what may be a type of `std`."""
    if not std_functions().intersection(_DEFINED.findall(source)):
        return set()  # most files: not worth a syntax tree
    unit = read_unit(source)
    meant = {**unit.aliases, **dict(_BASES.findall(source))}
    brought = {name.rpartition("::")[2] for name in _BROUGHT.findall(source)}

    def of_std(kind: str, templated: bool, depth: int = 0) -> bool:
        if "std::" in _PLAIN.sub("", kind) or ("std" in brought and "<" in kind):
            return True
        words = set(re.findall(r"\w+", kind))
        if words & brought or (templated and any(len(word) == 1 for word in words)):
            return True
        return depth < 8 and any(of_std(meant[word], templated, depth + 1) for word in words & meant.keys())

    return {
        function.name
        for function in unit.functions
        if function.name in std_functions()
        and f"::{function.name}" not in text_of(function.node).partition("(")[0]
        and any(of_std(one.type_text, function.is_template) for one in function.parameters)
    }


def test_no_reference_has_such_a_function():
    assert len(REFERENCES) >= 450
    found = {str(path.relative_to(ROOT)): names for path in REFERENCES if (names := std_may_answer(path.read_text()))}
    assert found == {}, "give these functions names that std has not"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("static int apply(const std::array<int, 3>& v) { return v[0]; }", {"apply"}),
        ("using V = std::array<float, 3>;\nstatic V apply(const V& v) { return v; }", {"apply"}),
        ("typedef std::vector<int> Row;\nusing Rows = Row;\nint merge(Rows& a) { return a[0]; }", {"merge"}),
        ("using M = std::array<std::array<float, 3>, 3>; static void rotate(M* m, int by) { m[by] = {}; }", {"rotate"}),
        ("using namespace std;\nint distance(vector<int> a, int b) { return a[b]; }", {"distance"}),
        ("using std::vector;\nint distance(vector<int> a, int b) { return a[b]; }", {"distance"}),
        ("struct Own : std::vector<int> {};\nint size(const Own& own) { return own[0]; }", {"size"}),
        ("template <class T> T clamp(T x, T low, T high) { return x < low ? low : x < high ? x : high; }", {"clamp"}),
        ("namespace { std::complex<float> norm(std::complex<float> z) { return z * z; } }", {"norm"}),
        ("static int next(std::byte b) { return int(b); }", {"next"}),
        ("static int rotate(std::uint32_t x, std::size_t by) { return x << by; }", set()),
        ("using Index = std::size_t;\nstatic Index next(Index at) { return at + 1; }", set()),
        ("struct Own { float x; };\nstatic float norm(const Own& v) { return v.x; }", set()),
        ("struct Own { std::vector<int> held; int size(const std::vector<int>& v) { return v.size(); } };", set()),
        ("void Filter::apply(const std::vector<float>& v) { held = v; }", set()),
        ("static int applied(const std::array<int, 3>& v) { return std::accumulate(v.begin(), v.end(), 0); }", set()),
        ("static float clamp(float x, float high) { return x < high ? x : high; }", set()),
    ],
)
def test_what_is_found(source, found):
    assert std_may_answer(source) == found
