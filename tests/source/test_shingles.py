"""Likeness of programs by runs of tokens."""

from regrapht.source.shingles import shingles, similarity

SUM = "float f(int n, const float* a) { float s = 0.0f; for (int i = 0; i < n; i++) s += a[i] * a[i]; return s; }"
RENAMED = "float g(int m, const float* x) { float t = 1.0f; for (int k = 0; k < m; k++) t += x[k] * x[k]; return t; }  // same"
OTHER = "__global__ void k(float* a) { __shared__ float tile[32][33]; tile[threadIdx.y][threadIdx.x] = a[threadIdx.x]; __syncthreads(); }"


def test_names_and_constants_do_not_count():
    assert similarity(shingles(SUM), shingles(RENAMED)) == 1.0


def test_other_code_is_not_alike():
    assert similarity(shingles(SUM), shingles(OTHER)) < 0.1


def test_a_small_change_is_in_between():
    changed = SUM.replace("s += a[i] * a[i]", "s = fmaf(a[i], a[i], s)")
    assert 0.3 < similarity(shingles(SUM), shingles(changed)) < 1.0


def test_edges():
    assert similarity(shingles(""), shingles("")) == 1.0
    assert similarity(shingles("int"), shingles("")) == 0.0
    assert len(shingles("int a;")) == 1
