"""Bad input gets one line with the remedy and exit code 2, no traceback, and loses nothing."""

import pytest

from regrapht.cli.options import read_architecture
from regrapht.errors import ConfigError

TASK = """schema = 1
id = "t"
title = "T"
description = "d"
entry = "scale"
[reference]
file = "reference.cpp"
[[args]]
name = "n"
kind = "size"
dtype = "int32"
[[args]]
name = "x"
kind = "array"
dtype = "float32"
shape = ["n"]
role = "inout"
init = { kind = "normal" }
[sizes]
check = [ { n = 5 } ]
"""
REFERENCE = "void scale(int n, float* x) { for (int i = 0; i < n; i++) x[i] = 2.0f * x[i]; }\n"


def write(folder, toml=TASK, reference=REFERENCE):
    (folder / "task.toml").write_text(toml)
    (folder / "reference.cpp").write_text(reference)
    return folder


def refused(done, *parts: str) -> None:
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    for part in parts:
        assert part in done.stderr, done.stderr


CASES = {
    "missing key": (TASK.replace('entry = "scale"\n', ""), REFERENCE, ("task.toml", "entry")),
    "unknown key": (TASK.replace('title = "T"', 'title = "T"\ntitel = "T"'), REFERENCE, ("titel", "title")),
    "unknown version": (TASK.replace("schema = 1", "schema = 7"), REFERENCE, ("schema", "7")),
    "shape that does not parse": (TASK.replace('shape = ["n"]', 'shape = ["n +"]'), REFERENCE, ("shape", "n +")),
    "reference that does not compile": (TASK, REFERENCE.replace("2.0f", "2.0f * missing"), ("missing",)),
    "reference that crashes": (
        TASK,
        REFERENCE.replace("x[i] = 2.0f * x[i]", "x[i * 100000000000ll + 100000000000ll] = 1"),
        ("crash",),
    ),
    "not TOML": ("schema = = 1", REFERENCE, ("task.toml",)),
}


@pytest.mark.parametrize("case", CASES)
def test_a_bad_task(cli, case):
    toml, reference, parts = CASES[case]
    done = cli("optimize", str(write(cli.folder, toml, reference)), "--evaluator", "emulated", "--budget", "2")
    refused(done, *parts)
    assert not (cli.folder / "regrapht-out").exists()


def test_a_function_that_the_engine_cannot_take(cli):
    path = cli.folder / "walk.cpp"
    body = "  int i = 0;\n  while (i >= 0 && i < n) { out[i] = 1; i = next[i]; }\n"
    path.write_text("void walk(int n, const int* next, int* out) {\n" + body + "}\n")
    refused(cli("optimize", str(path), "--evaluator", "emulated"), "line")


def test_no_such_path(cli):
    refused(cli("optimize", "nowhere.cpp"), "nowhere.cpp")


def test_unknown_names(cli, saxpy):
    refused(cli("optimize", str(saxpy), "--search", "mcg"), "mcg", "did you mean 'mcgs'")
    refused(cli("optimize", str(saxpy), "--proposer", "transfrom"), "did you mean 'transform'")
    refused(cli("optimize", str(saxpy), "--evaluator", "emulate"), "did you mean 'emulated'")
    refused(cli("graph", "show", "tilling"), "tilling")


def test_only_proposers_that_can_be_opened_by_name_are_offered(cli, saxpy):
    refused(cli("optimize", str(saxpy), "--proposer", "nonsense"), "known: hybrid, language_model, transform")


def test_only_evaluators_that_can_be_opened_by_name_are_offered(cli, saxpy):
    (cli.folder / "a.cu").write_text("")
    unknown = cli("optimize", str(saxpy), "--evaluator", "nonsense")
    refused(unknown, "known: emulated, local_gpu")
    assert "replay" not in unknown.stderr
    for command in (("optimize", str(saxpy)), ("check", str(saxpy), "a.cu")):
        done = cli(*command, "--evaluator", "replay")
        refused(done, "--evaluator replay", "recorded verdicts", "from Python", "ReplayEvaluator")
        assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "arch", ["hopper", "sm_12", "sm90", "90", "sm_9", "sm_", "sm_90x", "sm_1000", "SM_90", "sm_90 ", ""]
)
def test_a_text_that_is_no_architecture(arch):
    with pytest.raises(ConfigError, match="not a GPU architecture"):
        read_architecture(arch)


def test_an_architecture_that_is_none(cli, saxpy):
    refused(cli("optimize", str(saxpy), "--arch", "hopper"), "--arch 'hopper'", "sm_90, sm_90a or sm_120")
    assert not (cli.folder / "regrapht-out").exists()


@pytest.mark.parametrize("arch", [None, "sm_75", "sm_90", "sm_90a", "sm_100f", "sm_120", "sm_121a"])
def test_architectures(arch):
    assert read_architecture(arch) == arch


@pytest.mark.parametrize("budget", ["0", "many", "candidates=", "weeks=2", "-3", "seconds=nan", "usd=inf", "20,30"])
def test_a_budget_that_means_nothing(cli, saxpy, budget):
    refused(cli("optimize", str(saxpy), "--budget", budget), "budget")


def test_several_functions_without_entry(cli):
    path = cli.folder / "two.cpp"
    path.write_text(REFERENCE + REFERENCE.replace("scale", "double_it"))
    refused(cli("optimize", str(path)), "--entry", "scale", "double_it")


def test_no_compiler(cli, saxpy):
    done = cli("optimize", str(saxpy), "--evaluator", "emulated", CXX="no-such-compiler")
    assert done.returncode in (2, 3) and "no-such-compiler" in done.stderr and "Traceback" not in done.stderr


def test_no_write_permission(cli, saxpy):
    (cli.folder / "file").write_text("")
    refused(cli("optimize", str(saxpy), "--out", "file/out"), "--out")


def test_a_store_that_cannot_be_made(cli, saxpy):
    (cli.folder / "file").write_text("")
    done = cli("runs", "list", REGRAPHT_HOME=str(cli.folder / "file" / "home"))
    assert done.returncode == 3 and "Traceback" not in done.stderr and "home" in done.stderr


def test_a_corrupted_store(cli):
    cli.home.mkdir()
    (cli.home / "runs.sqlite3").write_bytes(b"this is no database" * 100)
    refused(cli("runs", "list"), "runs.sqlite3")
    assert (cli.home / "runs.sqlite3").exists()


def test_a_damaged_graph(cli, saxpy):
    (cli.folder / "graph.json").write_text('{"schema": "nonsense"}')
    refused(cli("optimize", str(saxpy), "--graph", "graph.json"), "graph.json", "nonsense")
    (cli.folder / "graph.json").write_text("no JSON")
    for command in (("optimize", str(saxpy)), ("graph", "stats"), ("graph", "show")):
        refused(cli(*command, "--graph", "graph.json"), "graph.json: not strict JSON")


def test_a_remote_model_is_refused_before_anything_is_sent(cli, saxpy):
    done = cli("optimize", str(saxpy), "--proposer", "language_model", "--model", "openai:m@http://192.0.2.1:8000/v1")
    refused(done, "192.0.2.1", "--allow-remote")


def test_a_model_without_its_proposer_and_the_other_way_round(cli, saxpy):
    model = ("--model", "openai:m@http://127.0.0.1:1/v1")
    refused(cli("optimize", str(saxpy), "--proposer", "transform", *model), "leave --proposer out for hybrid")
    for proposer in ("language_model", "hybrid"):
        refused(cli("optimize", str(saxpy), "--proposer", proposer), f"--proposer {proposer} needs --model")
    refused(cli("optimize", str(saxpy), "--choice-weight", "1.5"), "--choice-weight")


def test_init_does_not_overwrite(cli, bare):
    (cli.folder / "task.toml").write_text("mine")
    refused(cli("init", str(bare)), "--force")
    assert (cli.folder / "task.toml").read_text() == "mine"


def test_init_writes_what_it_knows_and_says_what_is_left(cli):
    file = cli.folder / "mine.cpp"
    file.write_text("void f(const float* t, const float* x, float* y) { y[0] = t[(int)(x[0] * 9.5f)]; }")
    refused(cli("optimize", str(file)), "line 1", "regrapht init mine.cpp")
    refused(cli("init", str(file)), "left open: the shape of `t`", "fill in each `?`")
    assert 'shape = ["?"]' in (cli.folder / "task.toml").read_text()
    refused(cli("check", str(cli.folder)), "args.t.shape", "'?'")


def test_a_run_that_is_not_there(cli):
    refused(cli("runs", "show", "2020"), "2020")


@pytest.mark.slow
def test_a_reference_that_never_ends(cli):
    reference = REFERENCE.replace("i++", "i += (n > 0 ? 0 : 1)")
    (cli.folder / "a.cu").write_text('extern "C" void scale(int n, float* x) {}')
    done = cli("check", str(write(cli.folder, TASK, reference)), "a.cu", "--evaluator", "emulated", "--level", "screen")
    refused(done, "reference")


def test_a_named_cuda_compiler_that_is_not_there(cli, saxpy):
    refused(cli("optimize", str(saxpy), "--budget", "1", REGRAPHT_NVCC="no-such-nvcc"), "REGRAPHT_NVCC", "no-such-nvcc")
