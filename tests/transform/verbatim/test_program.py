"""Verbatim programs: right in the emulator, taken by nvcc, and plain about what they rest on."""

from dataclasses import replace

import pytest

from regrapht.errors import CannotTransform
from regrapht.evaluate.build.nvcc import compiles, find_nvcc
from regrapht.records.element import SCALAR_TYPES
from regrapht.records.expression import Expression
from regrapht.records.task import Arg, ArgKind, Init, Role, SourceFile
from regrapht.sandbox.choose import choose_sandbox
from regrapht.transform.engine import Engine
from regrapht.transform.rules.application import DoesNotApply
from regrapht.transform.rules.decisions import Decision
from regrapht.transform.rules.steps import read_steps
from regrapht.transform.verbatim.program import verbatim
from regrapht.transform.verbatim.steps import Launches, first_decision, said_independence

from .conftest import SIGNATURE
from .test_independence import BEFORE, INDEPENDENT

MORE = {
    "a row sorted in scratch": "std::vector<int> r(8); for (int i = 0; i < n / 8; ++i) { "
    "std::copy(out + 8 * i, out + 8 * i + 8, r.begin()); std::sort(r.begin(), r.end()); "
    "std::nth_element(r.begin(), r.begin() + 3, r.end()); out[8 * i] = r[3]; }",
    "a pair's order": "std::vector<std::pair<int, int>> r(4); for (int i = 0; i < n; ++i) { "
    "for (int k = 0; k < 4; ++k) r[k] = {a[i], 4 - k}; std::sort(r.begin(), r.end()); out[i] = r[0].second; }",
    "a total": "int32_t total = 0; for (int i = 0; i < n; ++i) total += a[i]; aux[0] = total;",
    "a loop of the launcher": "for (int step = 0; step < 3; ++step) for (int i = 0; i < m; ++i) aux[i] = aux[i] * 2 + step;",
    "a knapsack": "for (int i = 0; i < 4; ++i) { const int w = a[i] + 1; for (int k = n - 1; k >= w; --k) "
    "out[k] = std::max(out[k], out[k - w] + b[i] % 7); }",
    "a knapsack by a condition": "for (int i = 0; i < 4; ++i) { const int w = b[i] % 5; for (int k = n - 1; k >= w; --k) "
    "if (out[k - w] + 2 > out[k]) out[k] = out[k - w] + 2; }",
    "a while of turns": "int left = n; const int32_t* p = a; int32_t* q = out; while (left-- > 0) *q++ += *p++;",
    "a continue": "for (int i = 0; i < n; ++i) { if (a[i] == 1) continue; out[i] = 5; }",
    "an append in an inner loop": "int c = 0; for (int i = 0; i < n / 8; ++i) { "
    "for (int k = i % 3; k < 3; ++k) { int* to = out + c++; *to = k; } }",
    "an append read behind it": "std::vector<int> v; for (int i = 0; i < n; ++i) if (a[i] > 0) v.push_back(a[i]); "
    "for (const int x : v) out[0] += x; aux[1] = (int)v.size();",
}
STRUCT = """
struct Stack {
    std::vector<int> held;
    void put(int v) { held.push_back(v); }
    int top() const { return held.back(); }
};
"""


PLAIN = Launches()


def text_of(task, observer, launches: Launches = PLAIN) -> str:
    found = verbatim(task, observer)
    assert not found.serial
    return found.text([found.independence], launches)


@pytest.fixture(scope="module")
def everything(function_task):
    """One function with every independent loop that these tests know."""
    bodies = INDEPENDENT | MORE
    text = "\n".join(f"{{ // {name}\n{body}\n}}" for name, body in bodies.items())
    private = "Stack s; for (int i = 0; i < n; ++i) { s.held.clear(); s.put(a[i]); s.put(2); out[i] = s.top(); }"
    return function_task(f"{BEFORE}{STRUCT}{SIGNATURE} {{\n{text}\n{{ {private} }}\n}}\n")


def test_the_emulator_finds_every_body_right(everything, observer, bench):
    assert bench.differences(everything, text_of(everything, observer)) == []


@pytest.mark.parametrize("launches", [Launches(block=64, points=4), Launches(threads=512, restrict=True)])
def test_other_launches_are_right_too(everything, observer, bench, launches):
    assert bench.differences(everything, text_of(everything, observer, launches)) == []


def test_nvcc_takes_every_body(everything, observer):
    nvcc = find_nvcc()
    if nvcc is None:
        pytest.skip("no nvcc")
    built = compiles(text_of(everything, observer), choose_sandbox(), nvcc)
    assert built.content is not None, built.completed.stderr[-2000:]


OUTSIDE = "\n".join(
    [
        BEFORE,
        f"{SIGNATURE} {{ for (int i = 0; i < n; ++i) {{ int x[2] = {{a[i], 1}}; std::sort(x, x + 2); out[i ^ 0] = x[0]; }} }}",
    ]
)


def test_the_engine_falls_back_on_the_bodies_as_they_are(function_task, observer):
    task = function_task(OUTSIDE)
    engine = Engine(observer)
    decisions = engine.plain(task)
    assert decisions == (first_decision(),)
    said = said_independence(engine.text(task, decisions))
    assert said == "observed on 18 inputs of 5 sizes, up to 500 turns a loop, not proved"
    with pytest.raises(CannotTransform, match="sort"):
        Engine(observer, proved=True).plain(task)
    with pytest.raises(CannotTransform, match="nothing was observed of it"):
        Engine().plain(task)


def test_headers_that_a_program_may_not_have_are_left_out(function_task, observer):
    outside = ("atomic", "execution", "mutex", "thread", "fstream", "csignal")
    head = "".join(f"#include <{name}>\n" for name in outside)
    engine, task = Engine(observer), function_task(head + OUTSIDE)
    text = engine.text(task, engine.plain(task))
    assert [name for name in outside if f"#include <{name}>" in text] == [] and "#include <algorithm>" in text


def test_rules_that_need_no_understanding_apply(function_task, observer):
    task = function_task(OUTSIDE)
    engine = Engine(observer)
    decisions = engine.follow(task, read_steps("block:256,coarsen:4"))
    text = engine.text(task, decisions)
    assert "kBlock = 256" in text and "kPoints = 4" in text
    with pytest.raises(DoesNotApply, match="has to understand the body"):
        engine.follow(task, read_steps("unroll"))
    with pytest.raises(DoesNotApply, match="no such value"):
        engine.text(
            task, (first_decision(), Decision(technique="block_size_tuning", nests=(), parameters={"block": [7]}))
        )


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("for (int i = 0; i < n; ++i) { if (a[i] == 1) throw 1; out[i] = 1; }", "'throw' has no place in a kernel"),
        ("for (int i = 0; i < n; ++i) out[i] = rand();", "'rand' has an effect"),
        ('for (int i = 0; i < n; ++i) { std::printf("x"); out[i] = 1; }', "'std::printf' has an effect"),
        (
            "for (int i = 0; i < n; ++i) { if (a[i] == 1) goto end; out[i] = 1; } end: out[0] = 1;",
            "'goto' has no place",
        ),
    ],
)
def test_effects_are_refused_with_their_line(function_task, body, why):
    task = function_task(f"#include <cstdint>\n#include <cstdio>\n#include <cstdlib>\n{SIGNATURE} {{\n{body}\n}}\n")
    with pytest.raises(CannotTransform, match=why) as refused:
        verbatim(task, None)
    assert refused.value.line == 7


OWN_TYPES = {
    "char": "int8",
    "int64_t": "int64",
    "long long": "int64",
    "std::uint64_t": "uint64",
    "Wide": "int64",
    "short int": "int16",
    "bool": "uint8",
}


def test_pointers_keep_the_types_that_the_reference_gives_them(function_task, observer, bench):
    """A task has one name for `char` and `signed char`, and one for `long` and `long long`; functions and pointers tell them apart."""
    notes, helpers, calls, args = "", "", "", []
    for number, (kind, dtype) in enumerate(OWN_TYPES.items()):
        name = f"v{number}"
        helpers += f"static void sorted{number}(int n, {kind}* p) {{ std::sort(p, p + n); }}\n"
        calls += f"for (int i = 0; i < n / 4; ++i) sorted{number}(4, {name} + 4 * i);\n"
        high = 2 if kind == "bool" else 90
        notes += f"// init: {name} = ints(0, {high})\n"
        init = Init(kind="integers", parameters={"low": 0, "high": high})
        args.append(
            Arg(
                name=name,
                kind=ArgKind.ARRAY,
                dtype=SCALAR_TYPES[dtype],
                shape=(Expression("n"),),
                role=Role.INOUT,
                init=init,
            )
        )
    listed = ", ".join(f"{kind}* v{number}" for number, kind in enumerate(OWN_TYPES))
    head = f"#include <algorithm>\n#include <cstdint>\nusing Wide = int64_t;\n{helpers}"
    text = f"{notes}{head}void f(int n, int m, {listed}) {{\n(void)m;\n{calls}}}\n"
    task = function_task(text)
    task = replace(
        task,
        args=(*task.args[:2], *args),
        reference=replace(task.reference, source=SourceFile(name="f.cpp", text=text)),
    )
    found = verbatim(task, observer)
    assert len(found.launched) == len(OWN_TYPES)
    assert bench.differences(task, found.text([], Launches())) == []
    nvcc = find_nvcc()
    if nvcc is not None:
        assert compiles(found.text([], Launches()), choose_sandbox(), nvcc).content is not None


@pytest.mark.parametrize("form", ["{};", 'extern "C" {{ {}; }}', "namespace {{ void other(int n); }} {};"])
def test_a_declaration_of_the_function_is_left_out(function_task, observer, form):
    """As its project's header declares it; what is written instead is a function of C."""
    task = function_task(
        f"{form.format(SIGNATURE)}\n{SIGNATURE} {{ for (int i = 0; i < n; ++i) out[i] += 2 * a[i]; }}\n"
    )
    assert text_of(task, observer).count("void f(") == 1
