"""A kernel's sequential version: its loops, its tests, its jumps, its roles; and the launch that goes with it."""

import pytest

from regrapht.bench.harvest.outcomes import Dropped
from regrapht.bench.harvest.thread_indices import Mode


def code(version):
    """The version without blanks that do not matter and without includes."""
    lines = [line for line in version.reference.splitlines() if not line.startswith("#include")]
    return " ".join(" ".join(lines).split())


INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x;"


def kernel(body, parameters="const float* a, float* b, int n"):
    return f"__global__ void twice({parameters}) {{ {body} }}"


@pytest.mark.parametrize(
    "guarded",
    [
        "if (i < n) b[i] = a[i];",
        "if (i < n) { b[i] = a[i]; }",
        "if (n > i) { b[i] = a[i]; }",
        "if (i >= n) return; b[i] = a[i];",
        "if (i >= n) { return; } b[i] = a[i];",
        "if (n <= i) return; b[i] = a[i];",
    ],
)
def test_the_test_for_surplus_threads_becomes_the_loop(sequential, guarded):
    version = sequential(kernel(f"{INDEX} {guarded}"))
    assert (
        code(version)
        == "void twice_all(const float* a, float* b, int n) { for (int i = 0; i < n; ++i) { b[i] = a[i]; } }"
    )
    assert [(extent.mode, extent.limit, extent.exact) for extent in version.launch] == [(Mode.ELEMENTS, "n", False)]


def test_two_dimensions_x_innermost(sequential):
    body = "int x = blockIdx.x * blockDim.x + threadIdx.x; int y = blockIdx.y * blockDim.y + threadIdx.y;"
    body += " if (x >= w || y >= h) return; b[y * w + x] = a[y * w + x];"
    found = code(sequential(kernel(body, "const float* a, float* b, int w, int h")))
    assert "for (int y = 0; y < h; ++y) for (int x = 0; x < w; ++x) { b[y * w + x] = a[y * w + x]; }" in found


def test_other_tests_stay(sequential):
    found = code(sequential(kernel(f"{INDEX} if (i > 0 && i < n - 1) b[i] = a[i - 1] + a[i + 1];")))
    assert "i < n - 1; ++i) { if (i > 0) b[i]" in found
    found = code(sequential(kernel(f"{INDEX} if (i >= n || a[i] < 0) return; b[i] = a[i];")))
    assert "if (a[i] < 0) continue;" in found


def test_limits_through_locals_and_up_to_and_with(sequential):
    found = code(sequential(kernel(f"const int total = n * 2; {INDEX} if (i < total) b[i] = a[i];")))
    assert "i < (n * 2); ++i" in found
    found = code(sequential(kernel(f"{INDEX} if (i <= n) b[i] = a[i];")))
    assert "i < n + 1; ++i" in found


def test_an_index_that_is_changed_later_keeps_its_own_variable(sequential):
    found = code(sequential(kernel(f"{INDEX} if (i >= n) return; b[i] = a[i]; i /= 2;")))
    assert "for (int element = 0; element < n; ++element) { int i = element;" in found


def test_a_return_out_of_an_inner_loop_ends_the_element(sequential):
    found = code(
        sequential(kernel(f"{INDEX} if (i < n) {{ for (int k = 0; k < 9; ++k) if (a[k] < i) return; b[i] = 1; }}"))
    )
    assert "goto next_element;" in found and found.endswith("} next_element:; } }")


def test_without_a_test_the_launch_gives_the_count(sequential):
    version = sequential(kernel(f"{INDEX} b[i] = a[i];", "const float* a, float* b"))
    assert "void twice_all(const float* a, float* b, int count_x) { for (int i = 0; i < count_x; ++i)" in code(version)
    assert version.launch[0].exact


def test_pointers_that_are_only_read_become_const(sequential):
    found = code(sequential(kernel(f"{INDEX} if (i < n) b[i] = a[i];", "float* a, float* b, unsigned int n")))
    assert "const float* a, float* b, unsigned int n" in found


def test_helpers_and_macros_come_along(sequential):
    source = f"""
#define HALF 0.5f
#define TID (blockIdx.x * blockDim.x + threadIdx.x)
__device__ __forceinline__ float half_of(float v) {{ return fmaxf(v, rsqrtf(v)) * HALF; }}
{kernel("int i = TID; if (i < n) b[i] = half_of(a[i]);")}"""
    found = sequential(source).reference
    assert (
        "#define HALF 0.5f" in found
        and "static inline float rsqrtf" in found
        and "__" not in found.replace("__builtin", "")
    )


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("b[threadIdx.x] = a[threadIdx.x];", "launch_unknown"),
        ("int i = blockIdx.x * 64 + threadIdx.x; b[i] = a[i];", "no_bound"),
        (f"{INDEX} if (i < n) {{ again: b[i] = a[i]; if (b[i] < 0) goto again; }}", "goto"),
        (f"__shared__ float s[4]; {INDEX} if (i < n) b[i] = a[i];", "shared_memory"),
    ],
)
def test_what_has_no_version_by_rule(sequential, body, reason):
    with pytest.raises(Dropped) as dropped:
        sequential(kernel(body))
    assert dropped.value.reason == reason
