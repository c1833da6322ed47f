"""Branches of a reference that no draw takes are told with their lines."""

import shutil
from pathlib import Path

import pytest

from regrapht.evaluate.admission.branch_coverage import examine_branches, gcov_of, spelled_out
from regrapht.evaluate.admission.findings import Rule
from regrapht.evaluate.cases.oracle import Oracle
from regrapht.evaluate.reference.compiled import CompiledReference
from regrapht.records.task import Init

FOLD = """void f(int n, const short* x, int* y) {
    if (n < 0) return;
    for (int i = 0; i < n; ++i) {
        int v = x[i], s = v < 0 ? 128 : 0;
        int m = v < 0 ? -(v + 1) : v;
        if (m > 1000)
            m = 1000;
        switch (v & 3) { case 0: m += 1; break; case 1: m += 2; break; default: m += 3; }
        y[i] = s | m;
    }
}
"""


def examined(build, sandbox, source, low, high, *, file="reference.cpp"):
    init = Init(kind="integers", parameters={"low": low, "high": high})
    args = (
        build.size("n"),
        build.array("x", "n", "in", dtype="int16", init=init),
        build.array("y", "n", "out", dtype="int32"),
    )
    task = build.task("f", source, args, ({"n": 5}, {"n": 700}), exact=True, file=file)
    return examine_branches(Oracle(task, CompiledReference(task, sandbox), secret=7), sandbox, ())


@pytest.mark.parametrize("file", ["reference.cpp", "reference.c"])
def test_branches_that_no_draw_takes(build, sandbox, file):
    audit = examined(build, sandbox, FOLD, 0, 100, file=file)
    (finding,) = audit.findings
    assert finding.rule is Rule.UNTAKEN_BRANCH and audit.unchecked == ()
    told = finding.message
    assert all(f"line {line}," in told for line in (4, 5, 6)) and not any(f"line {line}," in told for line in (2, 3, 8))
    assert "sign" in told


def test_all_values_take_them_all(build, sandbox):
    audit = examined(build, sandbox, FOLD, -(2**15), 2**15)
    assert audit.findings == () and audit.unchecked == ()


def test_a_compiler_without_gcov_leaves_it_unchecked(build, sandbox, monkeypatch, tmp_path):
    compiler = tmp_path / "g++"
    compiler.symlink_to(shutil.which("g++"))
    monkeypatch.setenv("CXX", str(compiler))
    assert gcov_of(compiler) == shutil.which("gcov")
    found = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name, **more: None if name == "gcov" else found(name, **more))
    assert gcov_of(compiler) is None and gcov_of(Path("/usr/bin/clang++")) is None
    audit = examined(build, sandbox, FOLD, 0, 100)
    assert audit.findings == () and audit.unchecked == ("branches: there is no gcov for g++ on this machine",)


def test_choices_in_choices_are_spelled_out():
    text = "int f(int a) { return a ? a > 1 ? 2 : 3 : a\n < 0 ? 1 : 0; }"
    out = spelled_out(text)
    assert out.count("\n") == 1 and out.count("regrapht_c = 1") == 3 and spelled_out("int a = 3;") == "int a = 3;"


def test_where_a_choice_cannot_be_spelled_out_the_rest_is_counted(build, sandbox):
    source = "template <int K> struct One { static const int value = K; };\n" + FOLD.replace(
        "m = 1000;", "m = One<(3 > 2 ? 1000 : 1)>::value;"
    )
    (finding,) = examined(build, sandbox, source, 0, 100).findings
    assert "line 7," in finding.message
