# ruff: noqa: E501 -- one function a line
"""Inference on functions of many styles; the guess is then tried for real: compiled with sanitizers and run at every check shape."""

import shutil
import subprocess
from pathlib import Path

import pytest

from regrapht.errors import TaskError
from regrapht.records.element import StructType
from regrapht.records.task import ArgKind, Role, Task
from regrapht.tasks.infer import infer_task
from regrapht.tasks.load import load_task

# name -> (code, what is expected of each argument: role and shape, or kind)
STYLES = {
    "scale": (
        "void scale(int n, float factor, const float* in, float* out) { for (int i = 0; i < n; ++i) out[i] = factor * in[i]; }",
        {"n": "size", "factor": "scalar", "in": "in n", "out": "out n"},
    ),
    "axpy": (
        "void axpy(float a, const double *x, double *y, unsigned long n) { for (unsigned long i = 0; i != n; i++) y[i] += a * x[i]; }",
        {"a": "scalar", "x": "in n", "y": "inout n", "n": "size"},
    ),
    "own_value_on_the_right": (
        "void own_value_on_the_right(int n, float a, const float* x, float* y) { for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i]; }",
        {"n": "size", "a": "scalar", "x": "in n", "y": "inout n"},
    ),
    "product": (
        """void product(int m, int n, int k, const float* a, const float* b, float* c) {
             for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) {
               c[i * n + j] = 0.0f;
               for (int p = 0; p < k; p++) c[i * n + j] += a[i * k + p] * b[p * n + j]; } }""",
        {"m": "size", "n": "size", "k": "size", "a": "in m k", "b": "in k n", "c": "out m n"},
    ),
    "dot": (
        "#define REAL float\nREAL dot(const REAL a[], const REAL b[], int n) { REAL s = 0; int i; for (i = n - 1; i >= 0; i--) s += a[i] * b[i]; return s; }",
        {"a": "in n", "b": "in n", "n": "size"},
    ),
    "differences": (
        "void differences(int n, const float* a, float* d) { for (int i = 0; i < n; i++) d[i] = a[i + 1] - a[i]; }",
        {"n": "size", "a": "in n + 1", "d": "out n"},
    ),
    "laplace": (
        """void laplace(int rows, int cols, const float* u, float* v) {
             for (int r = 1; r < rows - 1; r++) for (int c = 1; c <= cols - 2; c++) {
               int here = r * cols + c;
               v[here] = u[here - 1] + u[here + 1] + u[here - cols] + u[here + cols] - 4.0f * u[here]; } }""",
        {"rows": "size", "cols": "size", "u": "in rows cols", "v": "inout rows cols"},
    ),
    "blur": (
        """#include <algorithm>
           void blur(int w, int h, const unsigned char* in, unsigned char* out) {
             for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) {
               int sum = 0;
               for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++) {
                 int yy = y + dy; if (yy < 0) yy = 0; if (yy > h - 1) yy = h - 1;
                 sum += in[yy * w + std::clamp(x + dx, 0, w - 1)]; }
               out[y * w + x] = (unsigned char)(sum / 9); } }""",
        {"w": "size", "h": "size", "in": "in h w", "out": "out h w"},
    ),
    "guarded": (
        """void guarded(int w, int h, const float* in, float* out) {
             for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) {
               float s = in[y * w + x];
               if (x + 1 < w && y + 1 < h) s += in[(y + 1) * w + x + 1];
               s += x > 0 ? in[y * w + x - 1] : 0.0f;
               if (s > 0.0f) out[y * w + x] = s; else out[y * w + x] = 0.0f; } }""",
        {"w": "size", "h": "size", "in": "in h w", "out": "out h w"},
    ),
    "partial": (
        "void partial(int n, const float* a, float* out) { for (int i = 0; i < n; i++) { if (a[i] < 0) continue; out[i] = a[i]; } }",
        {"n": "size", "a": "in n", "out": "inout n"},
    ),
    "count": (
        """void count(int n, int bins, const int* key, int* hist) {
             for (int b = 0; b < bins; b++) hist[b] = 0;
             for (int i = 0; i < n; i++) hist[key[i]]++; }""",
        {"n": "size", "bins": "size", "key": "in n", "hist": "out bins"},
    ),
    "grey": (
        """void grey(int pixels, const unsigned char* rgb, float* out) {
             for (int p = 0; p < pixels; p++) out[p] = 0.3f * rgb[3 * p] + 0.6f * rgb[3 * p + 1] + 0.1f * rgb[3 * p + 2]; }""",
        {"pixels": "size", "rgb": "in pixels 3", "out": "out pixels"},
    ),
    "triangle": (
        """void triangle(int n, const double* l, const double* b, double* x) {
             for (int i = 0; i < n; i++) { double s = b[i]; for (int j = 0; j < i; j++) s -= l[i * n + j] * x[j]; x[i] = s / l[i * n + i]; } }""",
        {"n": "size", "l": "in n * n", "b": "in n", "x": "out n"},
    ),
    "three_counters": (
        """void three_counters(int groups, const unsigned char* bytes, unsigned char* text) {
             for (int g = 0, in = 0, out = 0; g < groups; g++, in += 3, out += 4) {
               text[out] = bytes[in]; text[out + 1] = bytes[in + 1]; text[out + 2] = bytes[in + 2]; text[out + 3] = 0; } }""",
        {"groups": "size", "bytes": "in groups 3", "text": "out groups 4"},
    ),
    "one_behind": (
        """void one_behind(int n, const int* x, int* y) {
             for (int i = 0, j = n - 1; i < n; j = i++) y[i] = x[i] - x[j]; }""",
        {"n": "size", "x": "in n", "y": "out n"},
    ),
    "written_in_parts": (
        """void written_in_parts(int n, const float* q, float* next) {
             next[0] = q[0]; next[n - 1] = q[n - 1];
             for (int i = n - 2; i > 0; i--) next[i] = q[i - 1] + q[i + 1]; }""",
        {"n": "size", "q": "in n", "next": "out n"},
    ),
    "own_rows_above": (
        """void own_rows_above(int steps, int tracks, const float* x, float* y) {
             for (int k = 0; k < tracks; k++) y[k] = x[k];
             for (int t = 1; t < steps; t++) for (int k = 0; k < tracks; k++)
               y[t * tracks + k] = 0.5f * y[(t - 1) * tracks + k] + x[t * tracks + k]; }""",
        {"steps": "size", "tracks": "size", "x": "in steps tracks", "y": "out steps tracks"},
    ),
    "only_some_written": (
        """void only_some_written(int n, const float* x, float* y) {
             for (int i = 0; i < n; i++) { if (x[i] < 0) continue; y[i] = x[i]; } }""",
        {"n": "size", "x": "in n", "y": "inout n"},
    ),
    "every_second_written": (
        "void every_second_written(int n, const float* x, float* y) { for (int i = 0; i < 2 * n; i += 2) y[i] = x[i] + x[i + 1]; }",
        {"n": "size", "x": "in 2 * n", "y": "inout 2 * n - 1"},
    ),
    "rows_by_pointer": (
        """void rows_by_pointer(int m, int n, int k, const float* a, const float* b, float* c) {
             for (int i = 0; i < m; i++) { const float* row = a + i * k; float* out = &c[i * n];
               for (int j = 0; j < n; j++) { float s = 0; const float* other = b + j * k;
                 for (int p = 0; p < k; p++) s += row[p] * other[p];
                 out[j] = s; } } }""",
        {"m": "size", "n": "size", "k": "size", "a": "in m k", "b": "in n k", "c": "out m n"},
    ),
    "walked": (
        """void walked(int n, const float* x, float* y) {
             const float* s = x; float* d = y;
             for (int i = 0; i < n; i++) { *d++ = s[0] + s[1]; s += 2; } }""",
        {"n": "size", "x": "in n 2", "y": "out n"},
    ),
    "walked_rows": (
        """void walked_rows(int h, int w, const int* x, int* y) {
             for (int r = 0; r < h; r++) { for (int c = 0; c < w; c++) *y++ = x[c]; x += w; } }""",
        {"h": "size", "w": "size", "x": "in h w", "y": "out h w"},
    ),
    "counted_by_while": (
        "void counted_by_while(int rows, const float* x, float* y) { int row = 0; while (row < rows) { y[row] = x[row] + 1.0f; ++row; } }",
        {"rows": "size", "x": "in rows", "y": "out rows"},
    ),
    "down_to_nothing": (
        """int down_to_nothing(unsigned n, const int* x) {
             int sum = 0; const int* p = x; while (n-- > 0) sum += *p++;
             return sum; }""",
        {"n": "size", "x": "in n"},
    ),
    "left_by_return": (
        "void left_by_return(int n, const float* x, float* y) { int i = 0; for (;;) { if (i == n) return; y[i] = x[i]; ++i; } }",
        {"n": "size", "x": "in n", "y": "out n"},
    ),
    "one_more_is_less": (
        "void one_more_is_less(int n, const float* x, float* y) { for (int i = 1; i + 1 < n; ++i) y[i] = x[i - 1] + x[i + 1]; }",
        {"n": "size", "x": "in n", "y": "inout n"},
    ),
    "squares": (
        """void squares(int n, int* smallest) {
             for (int v = 0; v < n; v++) smallest[v] = v;
             for (int p = 2; p * p < n; p++) if (smallest[p] == p) smallest[p] = 1; }""",
        {"n": "size", "smallest": "out n"},
    ),
    "enumerated": (
        """enum { STEP = 4, HALF };
           void enumerated(int n, const float* x, float* y) { for (int i = 0; i < n; i++) y[i] = x[i * STEP] + x[HALF]; }""",
        {"n": "size", "x": "in max(n, 2) 4", "y": "out n"},
    ),
    "last_of_a_row": (
        """void last_of_a_row(int m, int n, double* x) {
             for (int s = 0; s < m; s++) { const int base = s * n;
               for (int i = 0; i < n; i++) x[base + i] += 1;
               x[base + n - 1] *= 2; } }""",
        {"m": "size", "n": "size", "x": "inout m n"},
    ),
    "roots": (
        "#include <cmath>\nvoid roots(int n, const float* a, const float* b, float* c) { for (int i = 0; i < n; i++) c[i] = sqrtf(a[i]) / b[i]; }",
        {"n": "size", "a": "in n", "b": "in n", "c": "out n"},
    ),
    "repeated": (
        """void repeated(int n, int steps, float* a, float* b) {
             for (int t = 0; t < steps; t++) {
               for (int i = 1; i < n - 1; i++) b[i] = 0.5f * (a[i - 1] + a[i + 1]);
               for (int i = 1; i < n - 1; i++) a[i] = b[i]; } }""",
        {"n": "size", "steps": "size", "a": "inout n", "b": "inout n"},
    ),
    "window": (
        """void window(int n, int radius, const float* a, float* out) {
             for (int i = 0; i < n; i++) { float s = 0; for (int d = -radius; d <= radius; d++) s += a[i + radius + d]; out[i] = s; } }""",
        {"n": "size", "radius": "size", "a": "in n + 2 * radius", "out": "out n"},
    ),
    "halved": (
        "void halved(int n, const float* a, float* out) { const int half = n / 2; for (int i = 0; i < half; i++) out[i] = a[2 * i] + a[2 * i + 1]; }",
        {"n": "size", "a": "in (n // 2) 2", "out": "out (n // 2)"},
    ),
    "helped": (
        """static float square(float v) { return v * v; }
           static void pass(int count, const float* from, float* to) { for (int k = 0; k < count; k++) to[k] = square(from[k]); }
           void helped(int n, const float* a, float* tmp, float* out) { pass(n, a, tmp); pass(n, tmp, out); }""",
        {"n": "size", "a": "in n", "tmp": "inout n", "out": "out n"},
    ),
    "checked": (
        "void checked(int n, const float* a, float* out) { if (n <= 0 || !a) return; for (int i = 0; i < n; i++) out[i] = a[i]; }",
        {"n": "size", "a": "in n", "out": "out n"},
    ),
    "optional": (
        """static void fill(int n, float* to) { for (int i = 0; i < n; i++) to[i] = 1.0f; }
           void optional(int n, const float* a, float* out) { if (a[0] > 2.0f) fill(n, out); }""",
        {"n": "size", "a": "in 1", "out": "inout n"},
    ),
    "late": (
        """static float first(const float* from) { return from[0]; }
           void late(const float* a, float* out, float* state) { out[0] = a[0] + first(state); state[0] = 1.0f; }""",
        {"a": "in 1", "out": "out 1", "state": "inout 1"},
    ),
    "table": (
        """constexpr int WIDTH = 8;
           void table(int n, const unsigned char* key, const float* lut, float* out, float* last) {
             for (int i = 0; i < n; i++) out[i] = lut[key[i] * WIDTH + (i & 7)];
             last[0] = 1.0f; last[1] = 2.0f; }""",
        {"n": "size", "key": "in n", "lut": "in 256 8", "out": "out n", "last": "out 2"},
    ),
}  # fmt: skip


def infer(folder, code, *, suffix=".cpp", entry=None):
    path = folder / f"code{suffix}"
    path.write_text(code)
    return infer_task(path, entry=entry)


def described(task: Task) -> dict[str, str]:
    return {
        arg.name: " ".join([arg.role.value, *(extent.text for extent in arg.shape)]) if arg.role else arg.kind.value
        for arg in task.args
    }


@pytest.mark.parametrize("name", STYLES)
def test_what_is_guessed(tmp_path, name):
    code, expected = STYLES[name]
    inferred = infer(tmp_path, code)
    assert described(inferred.task) == expected
    assert inferred.task.entry == name and inferred.task.check_sizes and inferred.task.bench_sizes
    (tmp_path / "task.toml").write_text(inferred.toml_text)
    assert load_task(tmp_path) == inferred.task, "the text says the same as the record"
    named = {arg.name for arg in inferred.task.args}
    assert all(any(f"`{arg}`" in guess for guess in inferred.guesses) for arg in named)


DRIVER = """
#include <cstdio>
#include <cstdlib>
#include <cstring>
static unsigned state = 12345;
static unsigned next() { return state = state * 1664525u + 1013904223u, state >> 8; }
static long drawn(long low, long high) { return low + (long)(next() % (unsigned)(high - low)); }
template <class T> T* array(long count) { return (T*)malloc(count * sizeof(T)); }
struct any { void* data; template <class T> operator T*() const { return (T*)data; } };  // long* or long long*: an int64 is either
template <class T> void starts(T* data, long count, long last) {
    for (long i = 0; i < count; i++) data[i] = (T)(i == count - 1 ? last : i * last / count);
}
int main(int, char** given) {
int poison = atoi(given[1]);
"""


def filled(arg, sizes) -> str:
    """The statement that gives an array its values: those that its init asks for, small positive ones for floats."""
    name, count = arg.name, arg.element_count(sizes)
    if arg.role is Role.OUT:
        return f"memset({name}, poison, {count} * sizeof(*{name}));"
    if arg.init.kind == "csr_row_ptr":
        return f"starts({name}, {count}, {arg.init.number('nnz', sizes)});"
    low, high = 1, 5
    if arg.init.kind == "integers":
        low, high = (int(arg.init.number(end, sizes)) for end in ("low", "high"))
    fields = [f".{field}" for field, _ in arg.dtype.fields] if isinstance(arg.dtype, StructType) else [""]
    draws = " ".join(f"{name}[i]{field} = drawn({low}, {high});" for field in fields)
    if arg.init.kind == "sorted":
        draws = f"{name}[i] = i;"
    return f"for (long i = 0; i < {count}; i++) {{ {draws} }}"


def driver(task: Task) -> str:
    """A main that calls the entry at every check shape with arrays of exactly the guessed extents, `out` arrays full of its argument."""
    lines = [task.reference.source.text, DRIVER]
    for sizes in task.check_sizes:
        lines.append("{ state = 7;")
        for arg in task.args:
            kind = arg.dtype.c_name
            if arg.kind is not ArgKind.ARRAY:
                value = arg.init.parameters.get("values", [1])[-1] if arg.init is not None else arg.value
                lines.append(f"{kind} {arg.name} = {sizes.get(arg.name, value)};")
                continue
            lines.append(f"{kind}* {arg.name} = array<{kind}>({arg.element_count(sizes)});")
            lines.append(filled(arg, sizes))
        given = [f"any{{(void*){arg.name}}}" if arg.role else arg.name for arg in task.args]
        lines.append(f"{task.entry}({', '.join(given)});")
        for arg in task.args:
            if arg.is_output:
                lines.append(f"fwrite({arg.name}, 1, {arg.size_bytes(sizes)}, stdout);")
        lines += [f"free((void*){arg.name});" for arg in task.args if arg.role] + ["}"]
    return "\n".join([*lines, "}"])


def outputs(task: Task, folder: Path) -> tuple[bytes, bytes]:
    """What the entry writes at every check shape, run under sanitizers, for each of two contents of the `out` arrays."""
    program = folder / "run"
    program.with_suffix(".cpp").write_text(driver(task))
    flags = ["-std=c++17", "-O0", "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    built = subprocess.run(
        ["g++", *flags, program.with_suffix(".cpp"), "-o", program], capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    written = []
    for poison in (0x5A, 0xA5):
        done = subprocess.run([program, str(poison)], capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()[:2000]
        written.append(done.stdout)
    return written[0], written[1]


@pytest.mark.parametrize("name", STYLES)
def test_every_guess_holds_when_it_runs(tmp_path, name):
    """No access leaves the guessed extents, and what is called an output does not depend on what it held before."""
    if shutil.which("g++") is None:
        pytest.skip("g++ is not installed")
    task = infer(tmp_path, STYLES[name][0]).task
    first, second = outputs(task, tmp_path)
    assert first == second
    assert any(arg.is_output for arg in task.args) == bool(first)


@pytest.mark.parametrize(
    "body",
    [
        "if (i == 0 || i == n - 1) y[i] = x[i]; else y[i] = x[i - 1] + x[i + 1];",
        "if (i != 0 && n - 1 != i) y[i] = x[i - 1] + x[i + 1]; else y[i] = x[i];",
        "y[i] = i == n - 1 ? x[i] : x[i + 1];",
        "if (i == n - 1) { y[i] = 0; continue; } y[i] = x[i + 1];",
        "y[i] = i + 1 == n ? x[i] : x[i + 1];",
    ],
)
def test_the_last_place_left_out_by_an_equality(tmp_path, body):
    code = f"void f(int n, const float* x, float* y) {{ for (int i = 0; i < n; ++i) {{ {body} }} }}"
    assert described(infer(tmp_path, code).task)["x"] == "in n"


@pytest.mark.parametrize(
    "high",
    [
        "i + r < n ? i + r : n - 1",
        "i + r >= n ? n - 1 : i + r",
        "n > i + r ? i + r : n - 1",
        "n <= i + r ? n - 1 : i + r",
        "n - 1 < i + r ? n - 1 : i + r",
    ],
)
def test_a_window_that_ends_at_the_last_place(tmp_path, high):
    code = f"""void f(int n, int r, const float* x, float* y) {{
    for (int i = 0; i < n; ++i) {{
        float s = 0;
        for (int k = i; k <= ({high}); ++k) s += x[k];
        y[i] = s;
    }}
}}"""
    assert described(infer(tmp_path, code).task)["x"] == "in n"


def test_another_place_left_out_says_nothing_of_the_last(tmp_path):
    code = (
        "void f(int n, const float* x, float* y) { for (int i = 0; i < n; ++i) y[i] = i == n - 2 ? 0.0f : x[i + 1]; }"
    )
    assert described(infer(tmp_path, code).task)["x"] == "in n + 1"


def test_a_window_that_is_clamped_by_conditions(tmp_path):
    code = """void blur(int n, int r, const float* p, float* q) {
    for (int i = 0; i < n; ++i) {
        int lo = i - r, hi = i + r;
        if (lo < 0) lo = 0;
        if (hi > n - 1) hi = n - 1;
        float s = 0;
        for (int k = lo; k <= hi; ++k) s += p[k];
        q[i] = s;
    }
}"""
    task = infer(tmp_path, code).task
    assert described(task) == {"n": "size", "r": "size", "p": "in n", "q": "out n"}
    assert {"r": min(row["r"] for row in task.check_sizes)} == {"r": 1} and any(
        row["r"] > 1 for row in task.check_sizes
    )


@pytest.mark.parametrize(
    ("compared", "values"),
    [
        ("t[i] == ' '", (0, 1, 2, 3, 32)),
        ("t[i] != (unsigned char)0x22 && t[i] != '\\n'", (0, 1, 2, 3, 10, 34)),
        ("t[i] == MARK", (0, 1, 2, 3, 200)),
        ("t[i] == 2", None),
    ],
)
def test_what_elements_are_compared_with_is_among_them(tmp_path, compared, values):
    code = f"const int MARK = 200;\nvoid count(int n, const unsigned char* t, int* c) {{ for (int i = 0; i < n; ++i) c[i] = {compared}; }}"
    init = next(arg.init for arg in infer(tmp_path, code).task.args if arg.name == "t")
    if values is None:
        assert init.kind == "integers" and init.parameters == {"low": 0, "high": 4}
    else:
        assert init.kind == "choice" and init.parameters == {"values": values}


def test_truths_are_bytes_of_zero_and_one(tmp_path):
    code = "void f(int n, const bool* m, bool* y, bool turned) { for (int i = 0; i < n; ++i) y[i] ^= turned ? m[i] == 3 : !m[i]; }"
    task = infer(tmp_path, code).task
    drawn = {arg.name: arg.init.parameters for arg in task.args if arg.init is not None}
    assert drawn == {"m": {"low": 0, "high": 2}, "y": {"low": 0, "high": 2}, "turned": {"values": (0, 1)}}
    assert {arg.dtype.name for arg in task.args[1:]} == {"uint8"}


def test_index_arrays_and_delicate_arguments(tmp_path):
    count = infer(tmp_path, STYLES["count"][0]).task
    key = count.args[2]
    assert key.init.kind == "integers" and str(key.init.parameters["high"]) == "bins"
    assert count.bench_sizes[0]["bins"] == 256
    roots = infer(tmp_path, STYLES["roots"][0])
    assert {arg.init.kind for arg in roots.task.args if arg.init} == {"uniform"}
    assert any("`b` is a divisor" in guess for guess in roots.guesses)


def test_sizes_are_small_and_awkward_or_realistic(tmp_path):
    product = infer(tmp_path, STYLES["product"][0]).task
    assert {"m": 1, "n": 1, "k": 1} in product.check_sizes and product.bench_sizes == (
        {"m": 1024, "n": 1024, "k": 1024},
    )
    assert all(row["m"] * row["n"] * row["k"] <= 100_000 for row in product.check_sizes)
    assert product.tolerance.reduction_length.text == "k"
    laplace = infer(tmp_path, STYLES["laplace"][0]).task
    assert laplace.require == ("rows >= 3", "cols >= 3") and min(min(row.values()) for row in laplace.check_sizes) == 3
    repeated = infer(tmp_path, STYLES["repeated"][0]).task
    assert repeated.bench_sizes[0]["steps"] == 8 and repeated.bench_sizes[0]["n"] >= 2**20


def test_a_cuda_file_starts_at_its_host_function(tmp_path):
    code = """
    __device__ float twice(float v) { return v + v; }
    __global__ void kernel(int count, int width, const float* in, float* out) {
        int x = blockIdx.x * blockDim.x + threadIdx.x;
        int y = blockIdx.y * blockDim.y + threadIdx.y;
        if (x >= width || y >= count) return;
        out[y * width + x] = twice(in[y * width + x]);
    }
    extern "C" void launch(int rows, int cols, const float* a, float* b) {
        dim3 grid((cols + 15) / 16, (rows + 15) / 16);
        kernel<<<grid, dim3(16, 16)>>>(rows, cols, a, b);
    }
    """
    task = infer(tmp_path, code, suffix=".cu").task
    assert task.entry == "launch" and [b.name for b in task.baselines] == ["naive"]
    assert described(task) == {"rows": "size", "cols": "size", "a": "in rows cols", "b": "out rows cols"}


SEVERAL = """
static float helper(float v) { return v * v; }
void first(int n, float* a) { for (int i = 0; i < n; i++) a[i] = helper(a[i]); }
void second(int n, float* a) { for (int i = 0; i < n; i++) a[i] = 1.0f; }
int main() { first(0, nullptr); return 0; }
"""


def test_several_functions_are_listed(tmp_path):
    with pytest.raises(
        TaskError, match=r"has 2 functions: first \(line 3\), second \(line 4\) \(choose one with --entry NAME\)"
    ):
        infer(tmp_path, SEVERAL)
    assert infer(tmp_path, SEVERAL, entry="second").task.entry == "second"
    with pytest.raises(TaskError, match="did you mean 'first'"):
        infer(tmp_path, SEVERAL, entry="frist")


@pytest.mark.parametrize(
    ("code", "line", "words"),
    [
        ("void f(int n, const int* idx, const float* t, float* o) {\n for (int i = 0; i < n; i++) o[i] = t[idx[i] + idx[0] * idx[i]];\n}", 2, ["contents of 'idx'", 'name = "t"', "[[args]]", "regrapht init code.cpp"]),
        ("void f(int n, const float* x, const float* v, float* y) {\n for (int i = 0; i < n; i++)\n  y[i] += v[(int)(x[i] * 0.5f)];\n}", 3, ["0.5f"]),
        ("void f(int n, float* a) {\n int k = 0;\n while (k < n) { a[k] = 1; k *= 2; }\n}", 3, ["'k', which changes its value"]),
        ("void f(int n, float* a, float* b) {\n float* p = a;\n if (n > 3) { p = b; p++; }\n *p = 1;\n}", 4, ["pointer 'p', which is set anew"]),
        ("void f(int n, const int* x, float* a) {\n for (int i = 0, k = 0; i < n; i++) {\n  a[k] = 1; if (x[i]) k++; }\n}", 3, ["only some turns"]),
        ("#include <string.h>\nvoid f(int n, float* a) {\n memset(a, 0, n * 4);\n}", 3, ["handed to 'memset'"]),
        ("struct P { float x[300]; };\nvoid f(int n, P* a) { a[0].x[1] = n; }", 2, ["of type 'P'", "arrays of constant length"]),
        ("void f(int n, const float* t, const float* x, float* y) {\n for (int i = 0; i < n; i++) { int k = (int)(x[i] * 0.5f); if (k < n) y[i] = t[k]; }\n}", 2, ["may be negative"]),
        ("void f(int n, float* a) { }", 1, ["never uses"]),
        ("void f(int n, const float* a) { for (int i = 0; i < n; i++) (void)a[i]; }", 1, ["returns nothing"]),
        ("void f(int n, float* a) {\n for (int i = 0; i < n; i++ a[i] = 1;\n}", 2, ["does not parse"]),
    ],
)  # fmt: skip
def test_what_cannot_be_guessed_says_what_to_write(tmp_path, code, line, words):
    with pytest.raises(TaskError) as caught:
        infer(tmp_path, code)
    message = str(caught.value)
    assert f"code.cpp: line {line}: " in message or not line, message
    assert caught.value.remedy and all(word in message for word in words), message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("name", "remedy"), [("missing.cpp", "path of"), ("text.py", ".cpp"), ("empty.cpp", "define one")]
)
def test_files_that_are_no_code(tmp_path, name, remedy):
    (tmp_path / "empty.cpp").write_text("")
    (tmp_path / "text.py").write_text("x = 1")
    with pytest.raises(TaskError, match=remedy):
        infer_task(tmp_path / name)
