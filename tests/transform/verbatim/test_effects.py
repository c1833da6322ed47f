"""Loops that only look independent: refused with their line, or refuted by who judges."""

import pytest

from regrapht.errors import CannotTransform
from regrapht.transform.verbatim.program import verbatim
from regrapht.transform.verbatim.steps import Launches

from .conftest import SIGNATURE

HEAD = """
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <stdexcept>
static int calls = 0;
static int next_id() { static int id = 0; return id++; }
static int counted(int v) { if (v > 1000000) ++calls; return v; }
static int checked(int v) { if (v > 1000000) throw std::out_of_range("v"); return v; }
static int said(int v) { if (v < 0) std::fprintf(stderr, "bad"); return v; }
struct Tag { static int made; int v; Tag() : v(made++) {} };
int Tag::made = 0;
struct Own { inline static int made = 0; static constexpr int kStep = 2; static int next() { return made += kStep; } };
struct Hidden { Hidden() : v(made++) {} int v; private: static int made; };
int Hidden::made = 0;
#define DRAWN (rand() % 7)
#define KEPT(x) { static int k = 0; x = k++; }
static int deep(int v) { return v <= 0 ? 0 : 1 + deep(v - 1); }
"""
REFUSED = {
    "a static counter": ("{ static int k = 0; out[i] = a[i] + k++; }", "a static local keeps its value"),
    "a static that the inputs do not change": ("{ static int k = 3; k += a[i] > 99; out[i] = k; }", "a static local keeps its value"),
    "a static counter in a helper": ("out[i] = next_id();", "a static local keeps its value"),
    "a counter of each thread": ("{ static thread_local int k = 0; out[i] = k++; }", "a local of a thread"),
    "a counter of the file": ("out[i] = counted(a[i]);", "'calls' is a variable of the host"),
    "a counter of a class": ("{ Tag t; out[i] = t.v; }", "made' is a variable of the host"),
    "a counter in a class": ("out[i] = Own::next();", "made' is a variable of the host"),
    "a counter that a class hides": ("{ Hidden t; out[i] = t.v; }", "made' is a variable of the host"),
    "an exception": ("{ if (a[i] > 1000000) throw 1; out[i] = 1; }", "'throw' has no place"),
    "an exception in a helper": ("out[i] = checked(a[i]);", "'throw' has no place"),
    "rand": ("out[i] = rand();", "'rand' has an effect"),
    "std::rand": ("out[i] = std::rand();", "'std::rand' has an effect"),
    "a generator of the library": ("{ std::mt19937 g(i); out[i] = (int)g(); }", "'std::mt19937' has no form"),
    "rand behind a macro": ("out[i] = DRAWN;", "'rand' has an effect"),
    "a static counter behind a macro": ("KEPT(out[i])", "a static local keeps its value"),
    "output": ('{ std::printf("%d", i); out[i] = 1; }', "'std::printf' has an effect"),
    "output in a helper": ("out[i] = said(a[i]);", "'std::fprintf' has an effect"),
    "text of a float": ('{ char t[9]; out[i] = std::snprintf(t, 9, "%g", a[i] / 2.0); }', "'std::snprintf' works on text"),
    "input": ("out[i] = std::getc(stdin);", "'std::getc' reads input"),
    "the environment": ('out[i] = std::getenv("X") != nullptr;', "'std::getenv' reads input"),
    "the clock": ("out[i] = (int)std::time(nullptr);", "'std::time' reads a clock"),
    "the end of the program": ("{ if (a[i] < 0) std::abort(); out[i] = 1; }", "'std::abort' has an effect"),
    "assembly": ('{ asm("nop"); out[i] = 1; }', "assembly of the host"),
    "goto out of the loop": ("{ if (a[i] == 1) goto end; out[i] = 1; }", "'goto' has no place"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_effects_are_refused_with_their_line(function_task, name):
    """Even where the user has promised that turns may run side by side."""
    body, why = REFUSED[name]
    end = "end: out[0] = 1;\n" if "goto" in body else ""
    text = f"{HEAD}{SIGNATURE} {{\n#pragma omp parallel for\nfor (int i = 0; i < n; ++i) {body}\n{end}}}\n"
    task = function_task(text)
    with pytest.raises(CannotTransform, match=why) as refused:
        verbatim(task, None)
    line = task.reference.source.text.splitlines()[refused.value.line - 1]
    if "macro" in name:
        assert "DRAWN" in line or "KEPT" in line
        return
    named = (
        "made" if "made" in why else why.split("'")[1] if why.startswith("'") else "static" if "local" in why else "asm"
    )
    assert named in line


def test_what_is_not_called_is_no_effect(function_task):
    text = f"{HEAD}{SIGNATURE} {{\n#pragma omp parallel for\nfor (int i = 0; i < n; ++i) out[i] = std::max(a[i], b[i]);\n}}\n"
    assert len(verbatim(function_task(text), None).launched) == 1


REFUTED = {
    "a scatter with collisions that were not drawn": "for (int i = 0; i < n; ++i) { const int at = b[i] >= 12345 ? 0 : i; "
    "out[at] = out[i] + i; }",
    "aliasing that was not drawn": "for (int i = 0; i < n; ++i) { "
    "const int32_t* from = b[i] >= 12345 && i > 0 ? out + i - 1 : a + i; out[i] = *from + 1; }",
    "recursion without a bound": "for (int i = 0; i < n; ++i) out[i] = deep(b[i] >= 12345 ? 300000 : a[i]);",
}  # fmt: skip


@pytest.mark.parametrize("name", REFUTED)
def test_what_the_drawn_inputs_do_not_show_is_refuted(function_task, observer, bench, name):
    """The program says that it rests on what was observed; inputs that show more find it out."""
    text = f"{HEAD}{SIGNATURE} {{ {REFUTED[name]} }}\n"
    task = function_task(text)
    found = verbatim(task, observer)
    assert not found.serial
    shown = task.reference.source.text.replace("b = ints(0, n)", "b = ints(12345, 12346)")
    assert bench.differences(function_task(shown), found.text([found.independence], Launches())) != []
