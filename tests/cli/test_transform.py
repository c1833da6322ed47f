"""`regrapht transform`: the engine by hand, on examples, bare files and files that it does not take."""

import json
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
GOTO = """void first(int n, const float* x, int* where) {
    for (int i = 0; i < n; i++) {
        if (x[i] > 0.5f) goto done;
        where[0] = i;
    }
done:
    return;
}
"""
TWO = """void scale(int n, float* x) { for (int i = 0; i < n; i++) x[i] = 2.0f * x[i]; }
void shift(int n, float* x) { for (int i = 0; i < n; i++) x[i] = x[i] + 1.0f; }
"""


def decided(done) -> list[str]:
    return [step["technique"] for step in json.loads(done.stdout)["decisions"]["steps"]]


def test_the_plain_mapping_goes_to_stdout_and_all_else_to_stderr(cli, bare):
    done = cli("transform", str(bare))
    assert done.returncode == 0
    assert done.stdout.startswith("#include <cuda_runtime.h>") and 'extern "C" void saxpy(' in done.stdout
    assert "guessed:" in done.stderr and "map_to_threads(block 256)" in done.stderr


def test_rules_by_short_names_and_the_next_command(cli):
    done = cli("transform", str(EXAMPLES / "matrix_product"), "--apply", "map2d,tile:32,unroll:4", "-o", "out.cu")
    assert done.returncode == 0, done.stderr
    text = (cli.folder / "out.cu").read_text()
    assert "float a_tile[16][32]" in text and "#pragma unroll 4" in text and text.endswith("}\n")
    assert "shared_memory_tiling(block 16 x 16, step 32) -> loop_unrolling(factor 4)" in done.stdout
    assert done.stdout.splitlines()[-1].endswith(f"regrapht check {EXAMPLES / 'matrix_product'} out.cu")


@pytest.mark.slow
def test_the_command_that_it_names_passes(cli, saxpy):
    done = cli("transform", str(saxpy), "--apply", "coarsen:4", "-o", "out.cu")
    command = done.stdout.splitlines()[-1].partition("regrapht ")[2].split()
    judged = cli(*command, "--evaluator", "emulated", "--level", "screen")
    assert judged.returncode == 0 and judged.stdout.startswith("PASSED"), judged.stdout + judged.stderr


def test_what_json_prints_goes_back_in(cli, bare):
    first = cli("transform", str(bare), "--apply", "coarsen:4", "--json")
    (cli.folder / "d.json").write_text(first.stdout)
    again = cli("transform", str(bare), "--from", "d.json", "--json")
    assert json.loads(again.stdout)["source"] == json.loads(first.stdout)["source"]
    (cli.folder / "bare.json").write_text(json.dumps(json.loads(first.stdout)["decisions"]))
    more = cli("transform", str(bare), "--from", "bare.json", "--apply", "restrict", "--json")
    assert decided(more) == ["map_to_threads", "thread_coarsening", "restrict_read_only"]


@pytest.mark.slow
def test_the_best_of_a_run_goes_back_in(cli, saxpy):
    done = cli("optimize", str(saxpy), "--evaluator", "emulated", "--budget", "2", "--out", "out")
    assert done.returncode == 0, done.stderr
    again = cli("transform", str(saxpy), "--from", "out/decisions.json", "--json")
    assert json.loads(again.stdout)["source"] == (cli.folder / "out" / "best.cu").read_text()


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("tile:32", "does not apply: nest 1 (line 3): it needs a two-dimensional grid first; put map2d before it"),
        ("map2d,map2d", "map_2d does not apply: nest 1 (line 3): "),
        ("map2d,tile:5", "shared_memory_tiling cannot take '5'; it takes step: 16, 32, "),
        ("shared", "'shared' may be shared_memory_histogram or "),
        ("map2dd", "did you mean 'map2d'?"),
        ("map2d@3", "there is no nest 3; nests are 1 (line 3)"),
        ("map2d:", "map_2d cannot take ''"),
    ],
)
def test_each_refusal_has_its_own_sentence(cli, rules, said):
    done = cli("transform", str(EXAMPLES / "matrix_product"), "--apply", rules)
    assert done.returncode == 2 and said in done.stderr, done.stderr
    assert "Traceback" not in done.stderr and done.stdout == ""


@pytest.mark.parametrize("command", ["transform", "optimize"])
def test_what_cannot_be_taken_is_said_with_file_and_line(cli, command):
    (cli.folder / "first.c").write_text(GOTO)
    done = cli(command, "first.c")
    assert done.returncode == 2
    assert "regrapht: first.c:3: " in done.stderr and "if (x[i] > 0.5f) goto done;" in done.stderr


def test_a_task_folder_names_its_reference(cli, saxpy):
    (saxpy / "saxpy.cpp").write_text(
        "void saxpy(int n, float a, const float* x, float* y) {\n    goto end;\nend:;\n}\n"
    )
    done = cli("transform", str(saxpy))
    assert done.returncode == 2 and f"{saxpy / 'saxpy.cpp'}:2: " in done.stderr


def test_explain_answers_for_every_rule(cli):
    from regrapht.transform.rules import RULES

    task = str(EXAMPLES / "matrix_product")
    plain = cli("transform", task, "--explain").stdout
    for rule in RULES:
        assert f"\n{rule.slug}" in plain, rule.slug
    applying, _, others = plain.partition("These do not:")
    assert "map_2d (map2d)" in applying and "block: 32x8, 16x16" in applying
    assert "it needs a two-dimensional grid first; it would after map_2d" in " ".join(others.split())
    rules = {rule["rule"]: rule for rule in json.loads(cli("transform", task, "--explain", "--json").stdout)["rules"]}
    assert rules["map_2d"]["applies"] and rules["map_2d"]["parameters"][0]["fitting"][0] == "32 x 8"
    assert rules["shared_memory_tiling"]["comes_after"] == "map_2d" and rules["map_3d"]["why_not"]
    after = cli("transform", task, "--apply", "map2d", "--explain").stdout
    assert "shared_memory_tiling (tile)" in after.partition("These do not:")[0]


def test_one_function_of_several(cli):
    (cli.folder / "two.c").write_text(TWO)
    assert cli("transform", "two.c").returncode == 2
    done = cli("transform", "two.c", "--entry", "shift", "-o", "shift.cu")
    assert done.returncode == 0 and done.stdout.rstrip().endswith("regrapht check two.c shift.cu --entry shift")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--from", "nothing.json"), "cannot read nothing.json"),
        (("--from", "saxpy.cpp"), "not JSON"),
        (("-o", "saxpy.cpp"), "is the reference itself"),
        (("-o", "nowhere/out.cu"), "cannot write nowhere/out.cu"),
        (("--explain", "-o", "out.cu"), "--explain writes no CUDA"),
    ],
)
def test_what_the_user_can_mend(cli, bare, arguments, said):
    before = bare.read_text()
    done = cli("transform", "saxpy.cpp", *arguments)
    assert done.returncode == 2 and said in done.stderr and "Traceback" not in done.stderr
    assert bare.read_text() == before


def test_decisions_of_another_function_are_refused(cli, bare):
    (cli.folder / "d.json").write_text(
        cli("transform", str(EXAMPLES / "matrix_product"), "--apply", "map2d", "--json").stdout
    )
    done = cli("transform", str(bare), "--from", "d.json")
    assert done.returncode == 2 and "map_2d: nest 1 (line 3): it has 1 parallel loop(s), not 2" in done.stderr
