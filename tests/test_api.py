"""Python in one line, as a newcomer writes it: paths are texts, names are checked, a user's script passes mypy --strict."""

import subprocess
import sys
from pathlib import Path

import pytest

import regrapht as rg
from regrapht.errors import ConfigError, PluginError, TaskError, UnknownName

SCALE = """void scale(int n, float a, const float* x, float* y) {
    for (int i = 0; i < n; i++) y[i] = a * x[i];
}
"""
RIGHT = """__global__ void k(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) y[i] = a * x[i];
}
extern "C" void scale(int n, float a, const float* x, float* y) { k<<<(n + 255) / 256, 256>>>(n, a, x, y); }
"""
SCRIPT = '''"""Types as a user's checker sees them."""
import random

import regrapht as rg


class Mine(rg.AccountedSearch):
    name = "mine"

    def _next(self, number: int) -> rg.Proposal | None:
        return rg.Proposal(id=number, kind=rg.ProposalKind.INITIAL, attempt=random.randrange(3))

    def _learn(self, proposal: rg.Proposal, judged: rg.Judged, *, is_new: bool) -> None:
        print(judged.verdict.status is rg.Status.PASSED)

    def _forget(self, proposal: rg.Proposal) -> None:
        pass


result = rg.optimize("f.cpp", budget=6)
gain: float | None = result.gain
verdict: rg.Verdict = rg.judge("f.cpp", result.source or "", level="screen")
again: rg.Verdict = rg.check("f.cpp", "f.cu")
options = rg.RunOptions(budget=rg.Budget(candidates=3), level=rg.Level.SCREEN)
print(rg.optimize("f.cpp", options=options).headline, rg.results("out").cells, rg.open_task("f.cpp").task.entry)
'''


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REGRAPHT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    Path("f.cpp").write_text(SCALE)
    Path("f.cu").write_text(RIGHT)
    Path("g.cu").write_text(RIGHT.replace("a * x[i]", "a + x[i]"))
    return tmp_path


def test_one_line_from_a_file_to_a_verified_program(here):
    seen = []
    result = rg.optimize("f.cpp", budget=1, evaluator="emulated", observer=seen.append)
    assert result.passed and result.verdict.passed and result.gain is not None and "scale" in result.source
    assert str(result).startswith("scale: verified on emulator") and (result.folder / "report.html").is_file()
    assert any(isinstance(event, rg.Judged) for event in seen)
    assert rg.judge("f.cpp", result.source, level="screen", evaluator="emulated").passed


def test_judging_texts_and_files(here):
    task = rg.open_task("f.cpp")
    for named in ("f.cpp", Path("f.cpp"), task, task.task):
        assert rg.judge(named, RIGHT, level="screen", evaluator="emulated").passed
    assert rg.check("f.cpp", "f.cu", level=rg.Level.SCREEN, evaluator="emulated").passed
    assert rg.check("f.cpp", "g.cu", level="screen", evaluator="emulated").status is rg.Status.WRONG_VALUE
    assert rg.examine("f.cpp").admission.admitted


@pytest.mark.parametrize(
    "call, kind, told",
    [
        (lambda: rg.optimize("none.cpp"), ConfigError, "there is no none.cpp"),
        (lambda: rg.optimize("f.cpp", budget="candidate=3"), ConfigError, "there is no limit 'candidate'"),
        (lambda: rg.optimize("f.cpp", budget=0), ConfigError, "above 0"),
        (lambda: rg.optimize("f.cpp", search="mcg"), UnknownName, "did you mean 'mcgs'"),
        (lambda: rg.optimize("f.cpp", evaluator="emulate"), UnknownName, "did you mean 'emulated'"),
        (lambda: rg.optimize("f.cpp", entry="other"), TaskError, "other"),
        (lambda: rg.optimize("f.cpp", model="gguf:none.gguf", evaluator="emulated"), rg.RegraphtError, "none.gguf"),
        (lambda: rg.optimize("f.cpp", search="bad:Search", evaluator="emulated"), PluginError, "bad.py, line 6"),
        (lambda: rg.judge("f.cpp", RIGHT, level="fully"), ConfigError, "screen or full"),
        (lambda: rg.check("f.cpp"), ConfigError, "at least one file"),
        (lambda: rg.check("f.cpp", "none.cu", evaluator="emulated"), ConfigError, "none.cu"),
        (lambda: rg.results("f.cpp"), rg.RegraphtError, "line 1 is not an experiment"),
    ],
)
def test_what_is_wrong_is_said(here, call, kind, told):
    Path("bad.py").write_text(
        "import regrapht as rg\n\n\nclass Search(rg.AccountedSearch):\n"
        "    def _next(self, number):\n        return rg.Proposal(id=number, kind=rg.ProposalKind.APLY)\n"
        "    def _learn(self, proposal, judged, *, is_new): pass\n    def _forget(self, proposal): pass\n"
    )
    with pytest.raises(kind) as refused:
        call()
    assert told in str(refused.value)
    sys.modules.pop("bad", None)


def test_the_users_configuration_names_model_and_budget(here):
    Path("regrapht.toml").write_text('model = "gguf:of-the-file.gguf"\nbudget = "candidates=1"\n')
    with pytest.raises(rg.RegraphtError, match=r"of-the-file\.gguf"):
        rg.optimize("f.cpp", evaluator="emulated")
    assert rg.optimize("f.cpp", evaluator="emulated", proposer="transform").outcome.judged == 1


def test_a_users_script_passes_mypy_strict(here):
    Path("script.py").write_text(SCRIPT)
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(here / "mypy"), "script.py"],
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_every_public_name_is_there_and_typed():
    import ast

    tree = ast.parse((Path(rg.__file__)).read_text())
    typed = {alias.asname for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names} - {
        None
    }
    assert typed == set(rg._HOME) and all(getattr(rg, name) is not None for name in rg._HOME)
    assert Path(rg.__file__).with_name("py.typed").is_file()


def test_importing_it_loads_nothing_heavy():
    code = "import sys, regrapht; print(*sorted(name for name in sys.modules if name.split('.')[0] in {'numpy', 'typer', 'regrapht'}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert loaded == ["regrapht", "regrapht.version"]
