"""Of two kernels that are nearly the same, the first is kept."""

import pytest

from regrapht.bench.pipeline.outcomes import Dropped
from regrapht.bench.pipeline.similar import KernelIndex

FIRST = "__global__ void k(const float* a, float* b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] = 2 * a[i]; }"
OTHER = "__global__ void m(int* x) { for (int j = 0; j < 4; ++j) { while (x[j] > 3) x[j] /= 2; x[j] = -x[j]; } }"


def test_names_and_constants_do_not_tell_kernels_apart():
    index = KernelIndex()
    index.add("a:k", FIRST)
    index.add("b:m", OTHER)
    with pytest.raises(Dropped, match=r"near_duplicate: 1\.00 like a:k"):
        index.add("c:q", FIRST.replace("void k", "void q").replace("2 *", "3 *"))
    index.add("d:r", "__global__ void r(int* x) { x[0] = 1; }")
