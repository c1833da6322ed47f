# ruff: noqa: E501 -- one function a line
"""Inference on everyday functions: index arrays, pitches, structs, macros, swapped pointers; each guess is compiled with sanitizers and run."""

import shutil

import pytest

from regrapht.errors import TaskError

from .test_infer import described, infer, outputs

EVERYDAY = {
    "sparse": (
        """void sparse(int rows, const int* start, const int* col, const float* val, const float* x, float* y) {
             for (int r = 0; r < rows; r++) { float s = 0; for (int k = start[r]; k < start[r + 1]; k++) s += val[k] * x[col[k]]; y[r] = s; } }""",
        {"start": "in rows + 1", "col": "in 4 * rows", "val": "in 4 * rows", "x": "in rows", "y": "out rows"},
        {"start": "csr_row_ptr", "col": "integers 0 rows"},
    ),
    "named_entries": (
        """void named_entries(long n, long nnz, const long* ptr, const double* v, double* s) {
             for (long i = 0; i < n; i++) { s[i] = 0; for (long k = ptr[i], end = ptr[i + 1]; k < end; ++k) s[i] += v[k]; } }""",
        {"ptr": "in n + 1", "v": "in nnz", "s": "out n", "nnz": "size"},
        {"ptr": "csr_row_ptr"},
    ),
    "into_local": (
        """#include <vector>
           void into_local(int n, const float* w, const int* from, float* y) {
             std::vector<float> half(n); for (int i = 0; i < n; i++) half[i] = w[i] / 2;
             for (int i = 0; i < n; i++) y[i] = half[from[i]]; }""",
        {"w": "in n", "from": "in n", "y": "out n"},
        {"from": "integers 0 n"},
    ),
    "embedding": (
        """void embedding(const float* table, const long* ids, float* out, long vocab, int dim, int tokens) {
             for (int t = 0; t < tokens; t++) { const float* row = table + ids[t] * dim; for (int d = 0; d < dim; d++) out[t * dim + d] = row[d]; } }""",
        {"table": "in vocab dim", "ids": "in tokens", "out": "out tokens dim"},
        {"ids": "integers 0 vocab"},
    ),
    "packets": (
        """void packets(const unsigned char* data, const int* offset, const int* length, unsigned* sum, int count, int total) {
             for (int p = 0; p < count; p++) { unsigned s = 0; for (int i = offset[p]; i < offset[p] + length[p]; i++) s += data[i]; sum[p] = s; } }""",
        {"data": "in total", "offset": "in count", "sum": "out count"},
        {"offset": "integers 0 (total // 2) + 1"},
    ),
    "neighbours": (
        """void neighbours(const double* x, double* f, const int* list, const int* many, int n, int width) {
             for (int i = 0; i < n; i++) { double s = 0; for (int k = 0; k < many[i]; k++) s += x[list[i * width + k]] - x[i]; f[i] = s; } }""",
        {"x": "in n", "list": "in n width", "many": "in n", "f": "out n"},
        {"many": "integers 0 width + 1", "list": "integers 0 n"},
    ),
    "pitched": (
        """void pitched(const unsigned char* src, unsigned long src_pitch, unsigned char* dst, unsigned long dst_pitch, int w, int h) {
             for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) dst[y * dst_pitch + x] = 255 - src[y * src_pitch + x]; }""",
        {"src": "in h src_pitch", "dst": "inout h dst_pitch"},
        {"require": "src_pitch >= w, dst_pitch >= w"},
    ),
    "leading": (
        """#define A(i, j) a[(i) + (j) * lda]
           #define C(i, j) c[(i) + (j) * ldc]
           void leading(int m, int n, const double* a, int lda, double* c, int ldc) {
             for (int j = 0; j < n; j++) for (int i = 0; i < m; i++) C(i, j) += A(i, j); }""",
        {"a": "in n lda", "c": "inout n ldc"},
        {"require": "lda >= m, ldc >= m"},
    ),
    "options": (
        """#include <cmath>
           struct Option { double spot, strike; int is_call; };
           void options(const Option* o, double* p, int n) {
             for (int i = 0; i < n; i++) { const Option& one = o[i]; double d = std::log(one.spot / one.strike); p[i] = one.is_call ? d : -d; } }""",
        {"o": "in n", "p": "out n"},
        {"o": "uniform 0.5 1.5"},
    ),
    "filters": (
        """struct tap { float b, a; };
           void filters(const struct tap* t, const float* x, float* y, int channels, int frames) {
             for (int c = 0; c < channels; c++) { const struct tap* f = &t[c]; float z = 0;
               for (int i = 0; i < frames; i++) { z = f->b * x[c * frames + i] - f->a * z; y[c * frames + i] = z; } } }""",
        {"t": "in channels", "x": "in channels frames", "y": "out channels frames"},
        {},
    ),
    "edges": (
        """struct Edge { int from, to; float w; };
           void edges(const Edge* e, long m, const float* x, float* y, int n) {
             for (int i = 0; i < n; i++) y[i] = 0; for (long k = 0; k < m; k++) y[e[k].to] += e[k].w * x[e[k].from]; }""",
        {"e": "in m", "y": "out n"},
        {"e": "integers 0 min(m, n)"},
    ),
    "nearest": (
        """void nearest(const float* p, const float* c, int* label, int* count, int n, int k) {
             for (int j = 0; j < k; j++) count[j] = 0;
             for (int i = 0; i < n; i++) { int which = 0; float best = 1e30f;
               for (int j = 0; j < k; j++) { float d = (p[i] - c[j]) * (p[i] - c[j]); if (d < best) { best = d; which = j; } }
               label[i] = which; count[which]++; } }""",
        {"label": "out n", "count": "out k"},
        {},
    ),
    "backtrack": (
        """void backtrack(const int* step, int* path, int* prev, int s, int t) {
             for (int i = 0; i < t * s; i++) prev[i] = (i + step[i]) % s;
             path[t - 1] = 0; for (int i = t - 2; i >= 0; i--) path[i] = prev[(i + 1) * s + path[i + 1]]; }""",
        {"path": "out t"},
        {},
    ),
    "runs": (
        """void runs(const unsigned char* s, int n, int* lengths) {
             int i = 0, k = 0;
             while (i < n) { int run = 1; while (i + run < n && run < 9 && s[i + run] == s[i]) run++; lengths[k++] = run; i += run; } }""",
        {"lengths": "inout n"},
        {},
    ),
    "kept": (
        """void kept(const int* in, int n, int threshold, int* out, int* count) {
             int k = 0; for (int i = 0; i < n; i++) if (in[i] > threshold) out[k++] = in[i]; *count = k; }""",
        {"out": "inout n", "count": "out 1", "threshold": "scalar"},
        {"threshold": "integers 40 60"},
    ),
    "interpolated": (
        """void interpolated(const double* xs, const double* ys, int n, const double* q, double* r, int m) {
             for (int i = 0; i < m; i++) { if (q[i] <= xs[0]) { r[i] = ys[0]; continue; }
               int lo = 0, hi = n - 1; while (hi - lo > 1) { int mid = lo + (hi - lo) / 2; if (xs[mid] <= q[i]) lo = mid; else hi = mid; }
               r[i] = ys[lo] + ys[hi]; } }""",
        {"xs": "in max(1, n - 1)", "ys": "in n", "r": "out m"},
        {"xs": "sorted"},
    ),
    "binned": (
        """void binned(const float* x, long n, float lo, float hi, int bins, int* hist) {
             for (int b = 0; b < bins; b++) hist[b] = 0;
             for (long i = 0; i < n; i++) { int b = (int)((x[i] - lo) / (hi - lo) * bins); if (b >= 0 && b < bins) hist[b]++; } }""",
        {"hist": "out bins", "lo": "scalar"},
        {"lo": "uniform 0.4 0.6", "hi": "uniform 0.65 0.85"},
    ),
    "graded": (
        """void graded(const float* x, float* y, const float* lut, int n, int levels) {
             for (int i = 0; i < n; i++) { float v = x[i] < 0 ? 0 : (x[i] > 1 ? 1 : x[i]); int k = (int)(v * (levels - 1));
               if (k > levels - 2) k = levels - 2; y[i] = lut[k] + lut[k + 1]; } }""",
        {"lut": "in levels", "y": "out n"},
        {"require": "levels >= 2"},
    ),
    "relaxed": (
        """#include <utility>
           #include <vector>
           void relaxed(float* u, int n, int sweeps) {
             std::vector<float> tmp(n); for (int i = 0; i < n; i++) tmp[i] = u[i];
             float *cur = u, *next = tmp.data();
             for (int s = 0; s < sweeps; s++) { for (int i = 1; i < n - 1; i++) next[i] = 0.5f * (cur[i - 1] + cur[i + 1]); std::swap(cur, next); }
             if (cur != u) for (int i = 0; i < n; i++) u[i] = cur[i]; }""",
        {"u": "inout n", "sweeps": "size"},
        {},
    ),
    "leapfrog": (
        """void leapfrog(float* a, float* b, const float* v, int n, int steps) {
             for (int t = 0; t < steps; t++) { for (int i = 1; i < n - 1; i++) a[i] = v[i] * (b[i - 1] + b[i + 1]) - a[i]; float* old = a; a = b; b = old; } }""",
        {"a": "inout n", "b": "inout n", "steps": "size"},
        {},
    ),
    "to_the_end": (
        """void to_the_end(const unsigned char* text, unsigned char* out, const unsigned char* lut, unsigned long len) {
             const unsigned char* end = text + len; while (text < end) *out++ = lut[*text++]; }""",
        {"text": "in len", "out": "out len", "lut": "in 256"},
        {},
    ),
    "at_halo": (
        """static inline int at(int i, int j, int nx) { return (j + 1) * (nx + 2) + i + 1; }
           void at_halo(const double* u, double* v, int nx, int ny) {
             for (int j = 0; j < ny; j++) for (int i = 0; i < nx; i++) v[at(i, j, nx)] = u[at(i - 1, j, nx)] + u[at(i + 1, j, nx)] + u[at(i, j - 1, nx)] + u[at(i, j + 1, nx)]; }""",
        {"u": "in ny + 2 nx + 2"},
        {},
    ),
    "flagged": (
        """enum { ZERO, CLAMP, WRAP };
           void flagged(const float* x, float* y, int n, int mode, int negate) {
             for (int i = 0; i < n; i++) { float v = mode == WRAP ? x[i] : mode == CLAMP ? 1.0f : 0.0f; if (negate) v = -v; y[i] = v; } }""",
        {"mode": "scalar", "negate": "scalar", "y": "out n"},
        {"mode": "choice 0 1 2", "negate": "choice 0 1"},
    ),
    "even_pairs": (
        """void even_pairs(const unsigned char* uv, unsigned char* out, int w) { for (int c = 0; c < w; c++) out[c] = uv[c & ~1] ^ uv[(c & ~1) + 1]; }""",
        {"uv": "in w + 1", "out": "out w"},
        {},
    ),
    "stream": (
        """static inline unsigned next(unsigned& s) { s = s * 1664525u + 1013904223u; return s; }
           void stream(const unsigned* seed, unsigned* out, int n, int steps) {
             for (int i = 0; i < n; i++) { unsigned s = seed[i], sum = 0; for (int t = 0; t < steps; t++) sum ^= next(s); out[i] = sum; } }""",
        {"seed": "in n", "out": "out n"},
        {},
    ),
}  # fmt: skip


def drawn(task) -> dict[str, object]:
    """How each argument gets its values, in short; and what other sizes must satisfy."""
    found: dict[str, object] = {"require": ", ".join(task.require)}
    for arg in task.args:
        if arg.init is not None:
            values = arg.init.parameters.get("values", [v for k, v in arg.init.parameters.items() if k != "nnz"])
            found[arg.name] = " ".join([arg.init.kind, *map(str, values)])
        elif arg.value is not None:
            found[arg.name] = arg.value
    return found


@pytest.mark.parametrize("name", EVERYDAY)
def test_everyday_functions_are_inferred_and_run_clean(tmp_path, name):
    """Expected shapes and values; no access leaves the arrays, and outputs do not depend on what they held."""
    code, shapes, values = EVERYDAY[name]
    task = infer(tmp_path, code, entry=name).task
    assert {arg: text for arg, text in described(task).items() if arg in shapes} == shapes
    assert {arg: text for arg, text in drawn(task).items() if arg in values} == values
    if shutil.which("g++") is None:
        pytest.skip("g++ is not installed")
    first, second = outputs(task, tmp_path)
    assert first and first == second


def test_the_sizes_of_a_sparse_matrix_are_timed_large(tmp_path):
    """Rows are short as a rule, though one may hold every entry; the table that subscripts go into is no histogram."""
    (bench,) = infer(tmp_path, EVERYDAY["sparse"][0]).task.bench_sizes
    assert bench["rows"] >= 2**20
    (bench,) = infer(tmp_path, EVERYDAY["embedding"][0]).task.bench_sizes
    assert bench["vocab"] >= 1024


@pytest.mark.parametrize("name", ["pitched", "leading"])
def test_every_row_of_sizes_keeps_the_pitch(tmp_path, name):
    task = infer(tmp_path, EVERYDAY[name][0], entry=name).task
    pairs = [text.split(" >= ") for text in task.require]
    assert len(task.check_sizes) >= 4
    assert all(row[pitch] >= row[length] for row in (*task.check_sizes, *task.bench_sizes) for pitch, length in pairs)
    assert any(row[pitch] > row[length] for row in task.check_sizes for pitch, length in pairs)


@pytest.mark.parametrize(
    "text",
    [
        "void chase(int n, const int* next, int* out) { int i = 0; while (i >= 0 && i < n) { out[i] = 1; i = next[i]; } }",
        "void chase(int n, const int* up, int* out) { for (int i = 0; i < n; i++) { int r = i; while (up[r] != r) r = up[r]; out[i] = r; } }",
        "void chase(int n, const int* next, int* out) { for (int i = 0; i != -1 && i < n; i = (int)next[i]) out[i] += 1; }",
    ],
)
def test_a_loop_that_walks_through_data_is_not_guessed_at(tmp_path, text):
    """What is drawn may lead round for ever."""
    with pytest.raises(TaskError, match=r"the data decide whether the loop ends|does not show the range"):
        infer(tmp_path, text, entry="chase")
