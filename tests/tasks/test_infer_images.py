# ruff: noqa: E501 -- one function a line
"""Inference on pictures: interleaved channels, rows that lie a stride apart, smaller outputs; each guess is compiled with sanitizers and run."""

import random
import shutil

import pytest

from regrapht.errors import TaskError
from regrapht.evaluate.cases.sizes import hidden_sizes

from .test_infer import described, infer, outputs

# name -> (code, expected shapes, what the task requires)
IMAGES = {
    "interleaved": (
        """void interleaved(const unsigned char* img, float* out, int w, int h) {
             for (int y = 0; y < h; ++y) for (int x = 0; x < w; ++x)
               out[y*w+x] = 0.3f*img[(y*w+x)*3+0] + 0.59f*img[(y*w+x)*3+1] + 0.11f*img[(y*w+x)*3+2]; }""",
        {"img": "in h w 3", "out": "out h w"},
        (),
    ),
    "row_pointer": (
        """void row_pointer(const unsigned char* img, float* out, int stride, int w, int h) {
             for (int y = 0; y < h; ++y) { const unsigned char* row = img + y * stride;
               for (int x = 0; x < w; ++x) out[y*w+x] = 0.3f*row[3*x] + 0.59f*row[3*x+1] + 0.11f*row[3*x+2]; } }""",
        {"img": "in h stride", "out": "out h w"},
        ("stride >= 3 * w",),
    ),
    "channel_loop": (
        """void channel_loop(const unsigned char* src, unsigned char* dst, int w, int h, long src_stride, long dst_stride) {
             for (int y = 0; y < h; ++y) { const unsigned char* from = src + y * src_stride; unsigned char* to = dst + y * dst_stride;
               for (int x = 0; x < w; ++x) for (int c = 0; c < 3; ++c) to[3*x+c] = from[3*x+c] / 2; } }""",
        {"src": "in h src_stride", "dst": "inout h dst_stride"},
        ("src_stride >= 3 * w", "dst_stride >= 3 * w"),
    ),
    "channels_given": (
        """void channels_given(const float* src, float* dst, int w, int h, int channels, int row_bytes) {
             for (int y = 0; y < h; ++y) for (int x = 0; x < w; ++x) { float s = 0;
               for (int c = 0; c < channels; ++c) s += src[y*row_bytes + x*channels + c]; dst[y*w+x] = s; } }""",
        {"src": "in h row_bytes", "dst": "out h w"},
        ("row_bytes >= channels * w",),
    ),
    "planes": (
        """void planes(const float* img, float* out, int w, int h, int count, int stride) {
             for (int p = 0; p < count; ++p) for (int y = 0; y < h; ++y) for (int x = 0; x < w; ++x) for (int c = 0; c < 4; ++c)
               out[((p*h+y)*w+x)*4+c] = img[p*h*stride + y*stride + 4*x + c]; }""",
        {"img": "in count h stride", "out": "out count h w 4"},
        ("stride >= 4 * w",),
    ),
    "stride_of_pixels": (
        """void stride_of_pixels(const float* img, float* out, int w, int h, int stride) {
             for (int y = 0; y < h; ++y) for (int x = 0; x < w; ++x) for (int c = 0; c < 3; ++c)
               out[(y*stride+x)*3+c] = 2 * img[(y*w+x)*3+c]; }""",
        {"img": "in h w 3", "out": "inout h stride 3"},
        ("stride >= w",),
    ),
    "window_steps": (
        """void window_steps(const float* x, float* y, int n, int k, int stride) {
             for (int i = 0; i < n; ++i) { float s = 0; for (int j = 0; j < k; ++j) s += x[i*stride + 2*j]; y[i] = s; } }""",
        {"x": "in n * stride + 2 * k - stride - 1", "y": "out n"},
        (),
    ),
    "smaller": (
        """void smaller(const float* in, float* out, int w, int h, int r) {
             for (int y = 0; y < h - 2*r; ++y) for (int x = 0; x < w - 2*r; ++x) { float s = 0;
               for (int j = 0; j <= 2*r; ++j) for (int i = 0; i <= 2*r; ++i) s += in[(y+j)*w + x+i];
               out[y * (w - 2 * r) + x] = s; } }""",
        {"in": "in h w", "out": "out h - 2 * r w - 2 * r"},
        ("w >= 3", "h >= 3"),
    ),
    "smaller_from_r_on": (
        """void smaller_from_r_on(const float* in, float* out, unsigned w, unsigned h, unsigned r) {
             for (unsigned y = r; y < h - r; ++y) for (unsigned x = r; x < w - r; ++x)
               out[(y - r) * (w - 2 * r) + x - r] = in[(y + r)*w + x + r] - in[(y - r)*w + x - r]; }""",
        {"in": "in h w", "out": "out h - 2 * r w - 2 * r"},
        ("w >= 3", "h >= 3"),
    ),
    "smaller_planes": (
        """void smaller_planes(const float* in, float* out, int w, int h, int c, int r) {
             int ow = w - 2 * r, oh = h - 2 * r;
             for (int z = 0; z < c; z++) for (int y = 0; y < oh; y++) for (int x = 0; x < ow; x++)
               out[(z * oh + y) * ow + x] = in[(z * h + y + r) * w + x + r]; }""",
        {"out": "out c h - 2 * r w - 2 * r"},
        ("w >= 3", "h >= 3"),
    ),
    "valid": (
        """void valid(const float* in, const float* f, float* out, int w, int h, int kw, int kh) {
             for (int y = 0; y < h - kh + 1; ++y) for (int x = 0; x < w - kw + 1; ++x) { float s = 0;
               for (int j = 0; j < kh; ++j) for (int i = 0; i < kw; ++i) s += in[(y+j)*w + x+i] * f[j*kw+i];
               out[y * (w - kw + 1) + x] = s; } }""",
        {"in": "in h w", "f": "in kh kw", "out": "out h + 1 - kh w + 1 - kw"},
        (),
    ),
}


@pytest.mark.parametrize("name", IMAGES)
def test_pictures_are_inferred_and_run_clean(tmp_path, name):
    code, shapes, require = IMAGES[name]
    task = infer(tmp_path, code, entry=name).task
    assert {arg: text for arg, text in described(task).items() if arg in shapes} == shapes
    assert task.require == require
    if shutil.which("g++") is None:
        pytest.skip("g++ is not installed")
    first, second = outputs(task, tmp_path)
    assert first and first == second


@pytest.mark.parametrize("name", ["row_pointer", "channel_loop", "planes"])
def test_rows_are_sometimes_longer_than_what_is_in_them(tmp_path, name):
    task = infer(tmp_path, IMAGES[name][0], entry=name).task
    pairs = [(text.split()[0], int(text.split()[2])) for text in task.require]
    assert any(row[pitch] > parts * row["w"] for row in task.check_sizes for pitch, parts in pairs)


def test_a_guarded_kernel_has_a_smaller_output(tmp_path):
    code = """__global__ void k(const float* in, float* out, int w, int h, int r) {
        int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
        int ow = w - 2 * r, oh = h - 2 * r;
        if (x >= ow || y >= oh) return;
        out[y * ow + x] = in[(y + r) * w + x + r]; }
    void centre(const float* in, float* out, int w, int h, int r) { dim3 b(16, 16), g((w + 15) / 16, (h + 15) / 16); k<<<g, b>>>(in, out, w, h, r); }"""
    assert described(infer(tmp_path, code, suffix=".cu").task)["out"] == "out h - 2 * r w - 2 * r"


@pytest.mark.parametrize("name", ["smaller", "valid"])
def test_a_window_is_smaller_than_what_it_moves_over(tmp_path, name):
    """At every size that is checked, timed, or drawn by the judge, the window has a place."""
    task = infer(tmp_path, IMAGES[name][0], entry=name).task
    seed = random.randrange(2**32)
    print("seed", seed)
    rows = (*task.check_sizes, *task.bench_sizes, *hidden_sizes(task, count=20, rng=random.Random(seed)))
    assert len(rows) > 10
    assert all(row["w"] - 2 * row["r"] >= 1 if name == "smaller" else row["w"] >= row["kw"] for row in rows)
    (bench,) = task.bench_sizes
    assert bench["w"] >= 1024 and bench["r" if name == "smaller" else "kw"] == 8


@pytest.mark.parametrize(
    "body",
    [
        "for (int y = 0; y < h; ++y) out[y * (w - 2 * r)] = in[y];",
        "int x = 0; do { for (int y = 0; y < h; ++y) out[y * (w - 2 * r) + x] = in[y * w + x]; x++; } while (x < w - 2 * r);",
        "for (int x = 0; x < w - r; ++x) for (int y = 0; y < h; ++y) out[y * (w - 2 * r) + x] = in[y * w + x];",
    ],
    ids=["no loop over a row", "a loop that always makes a turn", "a loop over more than a row"],
)
def test_a_row_that_no_loop_shows_to_have_an_element_is_not_guessed_at(tmp_path, body):
    with pytest.raises(TaskError, match="which changes its sign"):
        infer(tmp_path, f"void f(const float* in, float* out, int w, int h, int r) {{ {body} }}")
