"""clang as the emulator's compiler: it runs what g++ runs, finds most of the same, and says that its evidence is reduced."""

import shutil
from pathlib import Path

import pytest

from regrapht import settings
from regrapht.emulate import toolchain
from regrapht.emulate.compiler_messages import in_gnu_words, unknown_name
from regrapht.emulate.emulator import REDUCED, BuildRefused, EmulatedProgram
from regrapht.records.verdict import Severity, Status

from .expected import compare

FOLDER = Path(__file__).parent
needs_clang = pytest.mark.skipif(shutil.which("clang++") is None, reason="clang++ is not installed")


@pytest.fixture
def with_clang(monkeypatch):
    problem = toolchain.problem_with_compiler("clang++")
    if problem is not None:
        pytest.skip(f"clang++ cannot be used: {problem}")
    monkeypatch.setattr(settings, "cxx", lambda: "clang++")
    toolchain.prepare.cache_clear()
    yield
    toolchain.prepare.cache_clear()


@pytest.mark.slow
@needs_clang
@pytest.mark.parametrize("path", sorted((FOLDER / "valid").glob("*.cu")), ids=lambda path: path.stem)
def test_valid_programs(bench, with_clang, path):
    source = path.read_text()
    program = bench.build(source, checked=True)
    assert isinstance(program, EmulatedProgram), program
    outcome = bench.run(source, program)
    assert outcome.run.completed.ok and outcome.run.unsupported is None, outcome.run
    assert not [finding for finding in outcome.run.findings if finding.severity is Severity.ERROR], outcome.run
    compare(path.stem, outcome.outputs[0], outcome.inputs, path.stem)


@pytest.mark.slow
@needs_clang
@pytest.mark.parametrize(
    "name", ["missing_syncthreads", "global_out_of_bounds", "shuffle_in_branch", "launch_beyond_bounds"]
)
def test_planted_bugs(bench, with_clang, name):
    source = (FOLDER / "planted" / f"{name}.cu").read_text()
    program = bench.build(source, checked=True)
    assert isinstance(program, EmulatedProgram), program
    kinds = {finding.kind for finding in bench.run(source, program).run.findings}
    assert any(kind in line for kind in kinds for line in source.splitlines() if "// finding:" in line), kinds


ODD_TYPES = """// arrays: x inout float32 N
// N: 32
class Hidden { Hidden() = default; char a; int b; public: static __device__ void set(Hidden* h) { h->a = 1, h->b = 2; } };
struct Built { int a; char b; __device__ Built(int n) : a(n), b(1) {} Built& operator=(const Built&) = default; };
struct Bits { int a : 3; double b; };
union Either { char a; double b; };
struct Points { const float* at; int n; };
struct Later;
__global__ void k(float* x, Later*) {
    __shared__ Points points[32];
    extern __shared__ Built built[];
    const int i = threadIdx.x;
    points[i].at = x, points[i].n = i;
    built[i] = Built(i);
    __syncthreads();
    x[i] = points[31 - i].at == x ? points[31 - i].n + built[i].a : -1;
}
template <class... T> void allocate() { ([] { T* p; cudaMalloc((void**)&p, sizeof(T)); cudaFree(p); }(), ...); }
extern "C" void run(int n, float* x) {
    allocate<Hidden, Built, Bits, Either, Points, double[3], Points[2]>();
    Later* later;
    cudaMalloc((void**)&later, 8);
    k<<<1, 32, 256>>>(x, later);
    cudaFree(later);
}
"""


@pytest.mark.slow
@needs_clang
def test_types_whose_padding_clang_cannot_tell(bench, with_clang):
    program = bench.build(ODD_TYPES, checked=True)
    assert isinstance(program, EmulatedProgram), program
    outcome = bench.run(ODD_TYPES, program)
    assert not outcome.run.findings and set(outcome.outputs[0]["x"]) == {31}, outcome


@pytest.mark.slow
@needs_clang
def test_what_is_not_emulated_is_named(bench, with_clang):
    assert bench.emulator.labels == (REDUCED,)
    source = "// arrays: x inout float32 N\n// N: 4\n__global__ void k() { __nothing_like_it_sync(); }\n"
    refused = bench.build(source + 'extern "C" void run(int n, float* x) { k<<<1, 1>>>(); }\n', checked=True)
    assert isinstance(refused, BuildRefused) and refused.status is Status.UNSUPPORTED, refused


def test_with_gnu_nothing_is_reduced(bench, monkeypatch):
    assert not toolchain.is_clang("g++") and not toolchain.is_clang("no-such-compiler")
    monkeypatch.setattr(settings, "cxx", lambda: "g++")
    assert bench.emulator.labels == ()


def test_clangs_errors_are_read_like_gnus():
    said = in_gnu_words("candidate.cu:7:5: error: use of undeclared identifier '__ldmatrix_sync'\n")
    assert unknown_name(said).line == 7 and unknown_name(said).feature == "__ldmatrix_sync"
    assert "fatal error: cuda/ptx: No such file" in in_gnu_words("x.cu:1:10: fatal error: 'cuda/ptx' file not found")
    gnu = "candidate.cu:7:5: error: 'a' was not declared in this scope\n"
    assert in_gnu_words(gnu) == gnu
