"""Programs that are one in all that runs, and such that differ in the host's code alone, through the real compiler where it is."""

import subprocess

import pytest

from regrapht.evaluate.build.code_hash import code_hash
from regrapht.evaluate.build.nvcc import find_nvcc

FIRST = """__global__ void k(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
extern "C" void saxpy(int n, float a, const float* x, float* y) { k<<<(n + 255) / 256, 256>>>(n, a, x, y); }
"""
RENAMED = "// said differently\n\n" + FIRST.replace("int i =", "int index =").replace("[i]", "[index]").replace(
    "(i <", "(index <"
)
OTHER_BLOCK = FIRST.replace("256", "128").replace("255", "127")
OTHER_KERNEL = FIRST.replace("+ y[i]", "- y[i]")
TWO_KERNELS = FIRST.replace(
    'extern "C"',
    """__global__ void other(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i];
}
extern "C\"""",
)
OTHER_LAUNCHED = TWO_KERNELS.replace("{ k<<<", "{ other<<<")
SYNCHRONISED = FIRST.replace("(n, a, x, y); }", "(n, a, x, y); cudaDeviceSynchronize(); }")
LAST_ERROR = SYNCHRONISED.replace("cudaDeviceSynchronize", "cudaGetLastError")
IN_A_SECTION = '__attribute__((section(".own"), used)) static int kept[2] = {1, 2};\n' + FIRST
OTHER_SECTION = IN_A_SECTION.replace("{1, 2}", "{1, 3}")
SHARED = FIRST.replace("int i", "__shared__ volatile float kept[64]; kept[0] = 0; int i")


def test_what_is_no_object_has_no_hash():
    for junk in (b"", b"not an object", b"\x7fELF\x02\x01", b"\x7fELF\x02\x01" + b"\xff" * 80):
        assert code_hash(junk, junk) is None


@pytest.fixture(scope="module")
def hash_of(tmp_path_factory):
    nvcc = find_nvcc()
    if nvcc is None:
        pytest.skip("nvcc is not here")

    def build(source: str) -> str | None:
        folder = tmp_path_factory.mktemp("unit")
        (folder / "unit.cu").write_text(source)
        flags = ("-std=c++17", "-O3", "-lineinfo", "--keep", "-c", "-arch=sm_80", "-Xcompiler=-fPIC", "-o", "unit.o")
        subprocess.run([nvcc.path, *flags, "unit.cu"], cwd=folder, check=True, capture_output=True, timeout=120)
        return code_hash((folder / "unit.o").read_bytes(), (folder / "unit.sm_80.cubin").read_bytes())

    return build


@pytest.mark.slow
def test_names_and_layout_do_not_count_and_all_that_runs_does(hash_of):
    first = hash_of(FIRST)
    assert first is not None and first == hash_of(RENAMED)
    others = {hash_of(source) for source in (OTHER_BLOCK, OTHER_KERNEL, SHARED)}
    assert len(others) == 3 and first not in others, "a launch with other blocks has the same device code"


@pytest.mark.slow
def test_what_the_code_refers_to_counts(hash_of):
    """A call has zeros for its target until it is linked."""
    for one, other in ((TWO_KERNELS, OTHER_LAUNCHED), (SYNCHRONISED, LAST_ERROR), (IN_A_SECTION, OTHER_SECTION)):
        assert hash_of(one) != hash_of(other)
