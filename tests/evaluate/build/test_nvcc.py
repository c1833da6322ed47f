"""What the compiler is asked for: by the real one where it is, and by what others say of themselves."""

import pytest

from regrapht.errors import EvaluatorUnavailable, PrerequisiteMissing
from regrapht.evaluate.build.nvcc import Nvcc, code_flag, compiles, find_nvcc, kernel_resources, target
from regrapht.evaluate.local_gpu import LocalGpuEvaluator
from regrapht.records.verdict import Level
from regrapht.sandbox.sandbox import Completed

needs_nvcc = pytest.mark.skipif(find_nvcc() is None, reason="nvcc is not installed")


class Says:
    """A sandbox in which every compiler prints the same."""

    name, labels = "says", ()

    def __init__(self, text: str, *, exit_code: int = 0) -> None:
        self.text, self.exit_code, self.asked = text, exit_code, []

    def run(self, command, limits, *, cancel=None):
        self.asked.append(command.argv)
        return Completed(
            exit_code=self.exit_code, signal=None, stopped=None, stdout=self.text, stderr="", files={}, wall_s=0.0
        )


@pytest.fixture
def nvcc(tmp_path):
    return Nvcc(path=tmp_path / "bin" / "nvcc", root=tmp_path)


def test_the_compiler_is_the_one_that_is_named_now(monkeypatch, tmp_path):
    find_nvcc()
    named = tmp_path / "bin" / "nvcc"
    named.parent.mkdir()
    named.write_bytes(b"\x7fELF" + bytes(5000))
    named.chmod(0o755)
    monkeypatch.setenv("REGRAPHT_NVCC", str(named))
    assert find_nvcc().path == named.resolve()
    monkeypatch.setenv("REGRAPHT_NVCC", str(tmp_path / "nvcc"))
    with pytest.raises(PrerequisiteMissing, match="which is not there"):
        find_nvcc()
    monkeypatch.setenv("REGRAPHT_NVCC", "none")
    monkeypatch.setenv("CUDA_HOME", str(tmp_path))
    assert find_nvcc() is None


@pytest.mark.slow
@needs_nvcc
def test_the_target_of_one_architecture_alone_where_it_has_one(sandbox):
    found = {name: target(sandbox, find_nvcc(), name) for name in ("sm_80", "sm_86", "sm_90")}
    assert found == {"sm_80": "sm_80", "sm_86": "sm_86", "sm_90": "sm_90a"}


def test_newer_architectures_have_one_too_and_the_compiler_is_asked_once(nvcc):
    says = Says("'sm_90','sm_90a','sm_100','sm_100a','sm_100f','sm_103','sm_103a','sm_120','sm_120a','sm_121'.")
    for name in ("sm_90", "sm_100", "sm_103", "sm_120"):
        assert target(says, nvcc, name) == f"{name}a"
    assert target(says, nvcc, "sm_121") == "sm_121"
    assert says.asked == [(str(nvcc.path), "--help")]


def test_an_older_toolkit_keeps_the_plain_name(nvcc):
    says = Says("'compute_90a','sm_80','sm_86','sm_90'.")
    assert target(says, nvcc, "sm_90") == "sm_90" and target(says, nvcc, "sm_80") == "sm_80"


@pytest.mark.parametrize(("text", "exit_code"), [("no names", 0), ("sm_90a", 1)])
def test_a_compiler_that_does_not_say_what_it_knows(nvcc, text, exit_code):
    with pytest.raises(EvaluatorUnavailable, match="--help names no GPU"):
        target(Says(text, exit_code=exit_code), nvcc, "sm_90")


def test_the_option_names_one_architecture():
    assert code_flag("sm_90a") == "-gencode=arch=compute_90a,code=sm_90a"


@pytest.mark.slow
@needs_nvcc
def test_products_of_a_warp_group_are_cuda(sandbox):
    source = "__global__ void k() { FENCE }"
    built = compiles(source.replace("FENCE", 'asm volatile("wgmma.fence.sync.aligned;");'), sandbox, find_nvcc())
    assert built.content is not None and [kernel.name for kernel in kernel_resources(built.completed.stderr)] == ["k"]
    built = compiles(source.replace("FENCE", 'asm volatile("wgmma.fense.sync.aligned;");'), sandbox, find_nvcc())
    assert built.content is None and "error" in built.first_error


def test_without_the_compiler_that_is_named_there_is_no_judge(sandbox, monkeypatch, saxpy, candidate):
    monkeypatch.setenv("REGRAPHT_NVCC", "/nonexistent/nvcc")
    judge = LocalGpuEvaluator(sandbox)
    answer = judge.availability()
    assert not answer.available and "REGRAPHT_NVCC names /nonexistent/nvcc" in answer.reason
    with pytest.raises(EvaluatorUnavailable, match="/nonexistent/nvcc"):
        judge.evaluate(saxpy, candidate(""), level=Level.SCREEN)
    with pytest.raises(EvaluatorUnavailable, match="/nonexistent/nvcc"):
        judge.prepare(saxpy, None)
