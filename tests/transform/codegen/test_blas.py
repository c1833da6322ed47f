"""Matrix products by cuBLAS, where a task allows it. Values are checked natively against plain loops that mean what BLAS means."""

import random
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from regrapht import settings
from regrapht.cli.main import app
from regrapht.evaluate import emulated
from regrapht.evaluate.build import libraries, text_policy
from regrapht.propose.transform_engine import TransformProposer
from regrapht.records.candidate import Candidate, Origin
from regrapht.records.task import Residency
from regrapht.records.verdict import Level, Status
from regrapht.sandbox.choose import choose_sandbox
from regrapht.source.program_hash import program_hash
from regrapht.transform.engine import Engine
from regrapht.transform.rules import BY_SLUG, RULES
from regrapht.transform.rules.application import choices, reason_against

from ..judging import steps
from ..native.native_bench import Pair, native_differences, warnings
from ..products import CALLS, NEAR_MISSES, SPELLINGS
from ..random_products import random_product

EXAMPLE = Path(__file__).parents[3] / "examples" / "matrix_product"
RULE = BY_SLUG["library_call"]
DRAWN = 8
"""Random products in the quick suite."""
TWICE = """// shape: a = m * n
// shape: x = n
// shape: y = m
// shape: z = m
// check: m=1,n=1; m=7,n=5
void twice(int m, int n, const float* a, const float* x, float* y, float* z) {
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) y[i] += a[i * n + j] * x[j];
        for (int j = 0; j < n; j++) z[i] += 2.0f * a[i * n + j] * x[j];
    }
}
"""
TOTAL = """// shape: x = n
// shape: y = 1
// check: n=1; n=9
void total(int n, const float* x, float* y) {
    for (int j = 0; j < n; j++) y[0] += x[j];
}
"""
MUTANTS = {
    "another transpose": ("CUBLAS_OP_T, CUBLAS_OP_N", "CUBLAS_OP_N, CUBLAS_OP_N"),
    "the old result added": ("beta = 0.0f", "beta = 1.0f"),
    "another sign": ("alpha = 1.0f", "alpha = -1.0f"),
    "another leading dimension": ("&beta, c, n", "&beta, c, m"),
    "one column less": ("n, m, k, &alpha", "n - 1, m, k, &alpha"),
}


def allowing(task, *names):
    return replace(task, contract=replace(task.contract, allow_libraries=names))


def source_of(task, slugs=("library_call",)):
    engine = Engine()
    return engine.text(task, steps(engine, task, slugs))


def refusal(task):
    engine = Engine()
    return reason_against(engine.program(task, steps(engine, task, [])), RULE)


@pytest.fixture(scope="module")
def product(make_task):
    """The task of one of the spellings, which allows cuBLAS."""
    return lambda name: allowing(make_task(SPELLINGS[name], name), "cublas")


@pytest.fixture(scope="module")
def drawn(make_task):
    """Random products by a seed, with their programs."""

    def draw(seed, count):
        texts = [random_product(1000 * seed + k) for k in range(count)]
        return [
            Pair(task, source_of(task)) for task in (allowing(make_task(text, "product"), "cublas") for text in texts)
        ]

    return draw


@pytest.mark.parametrize("name", CALLS)
def test_the_call_says_what_the_loops_say(name, product):
    source = " ".join(source_of(product(name)).split())
    assert f"check({CALLS[name]});" in source


def test_what_the_calls_compute(product, drawn, make_task):
    """Every spelling, some random ones, and calls that are wrong on purpose: loops in the library's place tell them apart."""
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    named = {name: Pair(task, source_of(task)) for name, task in ((name, product(name)) for name in SPELLINGS)}
    scaled = product("scaled")
    on_host = replace(scaled, contract=replace(scaled.contract, residency=Residency.HOST))
    named["arrays of the host"] = Pair(on_host, source_of(on_host))
    twice = allowing(make_task(TWICE, "twice"), "cublas")
    named["a nest that was cut"] = Pair(twice, source_of(twice, ["kernel_fission", "library_call"]))
    named |= {f"random {k}": pair for k, pair in enumerate(drawn(seed, DRAWN))}
    task = product("transposed_b")
    named |= {name: Pair(task, source_of(task).replace(old, new)) for name, (old, new) in MUTANTS.items()}
    found = native_differences(list(named.values()), choose_sandbox())
    assert {name: found[k] for k, name in enumerate(named) if k in found and name not in MUTANTS} == {}, f"seed {seed}"
    assert [name for k, name in enumerate(named) if k in found] == list(MUTANTS)


@pytest.mark.slow
def test_many_random_products(drawn):
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    for part in range(4):
        assert native_differences(drawn(seed + part, 60), choose_sandbox()) == {}, f"seed {seed}"


@pytest.mark.slow
def test_compilers_have_nothing_to_say(product):
    assert warnings([source_of(product(name)) for name in SPELLINGS], choose_sandbox()) == {}


@pytest.mark.parametrize("what", NEAR_MISSES)
def test_what_only_looks_like_a_product(what, make_task):
    entry, text, reason = NEAR_MISSES[what]
    found = refusal(allowing(make_task(text, entry), "cublas"))
    assert found is not None and reason in found, found


def test_which_library_is_for_what(product, make_task):
    task = product("dot")
    assert "does not allow cub or cublas" in refusal(allowing(task))
    assert "cublas would take it, but the task does not allow it" in refusal(allowing(task, "cub"))
    assert refusal(allowing(task, "cub", "cublas")) is None
    assert "no scratch memory" in refusal(replace(task, contract=replace(task.contract, may_allocate=False)))
    total = make_task(TOTAL, "total")
    assert "the task does not allow cub" in refusal(allowing(total, "cublas"))
    assert refusal(allowing(total, "cub", "cublas")) is None


def test_a_call_is_the_end_of_its_nest(product):
    engine, task = Engine(), product("dot")
    program = engine.program(task, steps(engine, task, ["library_call"]))
    assert [rule.slug for rule in RULES if choices(program, rule)] == []
    assert reason_against(program, BY_SLUG["loop_unrolling"]).endswith("a library computes it")


def test_a_nest_has_to_be_cut_first(make_task):
    task = allowing(make_task(TWICE, "twice"), "cublas")
    assert "2 sums; kernel_fission may part them" in refusal(task)
    source = source_of(task, ["kernel_fission", "library_call"])
    assert source.count("cublasSgemv(") == 2 and source.count("cublasCreate") == 1


def test_lower_precision_only_where_the_task_allows_it(product):
    for name, uses in (("dot", True), ("scaled", False)):
        task = product(name)
        assert "TF32" not in source_of(task)
        coarse = replace(task, tolerance=replace(task.tolerance, allow=frozenset({"tf32"})))
        assert ("CUBLAS_TF32_TENSOR_OP_MATH" in source_of(coarse)) == uses


def test_the_judge_lets_it_in_and_links_it(product):
    task = product("dot")
    source = source_of(task)
    assert text_policy.check_text(source, task) is None and libraries.included(source) == ("cublas",)
    assert text_policy.check_text(source, allowing(task)).status is Status.POLICY_REJECTED


@pytest.mark.parametrize("with_compiler", [False, True])
def test_the_emulator_says_that_it_cannot_run_it(product, judging, monkeypatch, with_compiler):
    """Also where there is a toolkit, with cuBLAS or without: either way it is not the program's fault."""
    if not with_compiler:
        monkeypatch.setattr(emulated, "find_nvcc", lambda: None)
    task = product("matvec")
    source = source_of(task)
    candidate = Candidate(source=source, program_hash=program_hash(source), origin=Origin(proposer="test", seconds=0.0))
    assert judging.evaluator.evaluate(task, candidate, level=Level.SCREEN).status is Status.UNSUPPORTED


def test_a_candidate_is_made_again_from_its_decisions(product):
    task, proposer = product("rows_of_b"), TransformProposer()
    engine = Engine()
    first = proposer.rebuild(task, steps(engine, task, ["library_call"]))
    assert first.source == source_of(task) and "cuBLAS" in first.explanation


def test_explain_and_apply(tmp_path):
    """On the command line, in a task of a folder."""
    folder = shutil.copytree(EXAMPLE, tmp_path / "product")
    page, target = folder / "task.toml", tmp_path / "product.cu"
    page.write_text(page.read_text() + '\n[candidate]\nallow_libraries = ["cublas"]\n')
    done = CliRunner().invoke(app, ["transform", str(folder), "--apply", "library", "-o", str(target)])
    assert done.exit_code == 0 and "map_to_threads(block 256) -> library_call" in done.stdout, done.output
    assert "cublasSgemm(" in target.read_text()
    said = CliRunner().invoke(app, ["transform", str(folder), "--explain"]).stdout
    assert "library_call (library): " in said.partition("These do not:")[0]
    page.write_text(page.read_text().replace("cublas", "cub"))
    said = CliRunner().invoke(app, ["transform", str(folder), "--explain"]).stdout
    assert "cublas would take it" in said.partition("These do not:")[2]


@pytest.mark.slow
def test_nvcc_compiles_it(product, tmp_path):
    nvcc = settings.nvcc() or shutil.which("nvcc") or next(map(str, Path("/usr/local").glob("cuda*/bin/nvcc")), None)
    if nvcc is None:
        pytest.skip("no nvcc")
    (tmp_path / "has.cu").write_text("#include <cublas_v2.h>\n")
    if subprocess.run([nvcc, "-E", "has.cu", "-o", "has.i"], cwd=tmp_path, capture_output=True, check=False).returncode:
        pytest.skip(f"the toolkit of {nvcc} has no headers of cuBLAS")
    for name in ("by_columns", "batch", "matvec", "matvec_batch"):
        coarse = product(name)
        coarse = replace(coarse, tolerance=replace(coarse.tolerance, allow=frozenset({"tf32"})))
        (tmp_path / "candidate.cu").write_text(source_of(coarse))
        command = [nvcc, "-std=c++17", "-arch=sm_90", "-c", "candidate.cu", "-o", "candidate.o"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{name}: {done.stderr[:3000]}"
