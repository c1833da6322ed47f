"""Products of matrices in many spellings, and what only looks like one: inputs of the tests of `library_call` with cuBLAS.

Each has a head as `conftest.task_of` reads it. `CALLS` says which call a spelling has to become.
"""

MATRICES = """// shape: a = m * k
// shape: b = k * n
// shape: c = m * n
// check: m=1,n=1,k=1; m=7,n=5,k=3; m=17,n=33,k=9; m=4,n=6,k=0
"""
VECTORS = """// shape: a = m * n
// shape: x = n
// shape: y = m
// check: m=1,n=1; m=7,n=5; m=33,n=18; m=4,n=0
"""

_DOT = (
    MATRICES
    + """void dot(int m, int n, int k, const float* a, const float* b, float* c) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0.0f;
            for (int p = 0; p < k; p++) sum += a[i * k + p] * b[p * n + j];
            c[i * n + j] = sum;
        }
}
"""
)
_ROWS_OF_B = (
    MATRICES
    + """void rows_of_b(int m, int n, int k, const float* a, const float* b, float* c) {
    for (int i = 0; i < m; i++) {
        for (int q = 0; q < n; q++) c[i * n + q] = 0;
        for (int p = 0; p < k; p++) {
            const float factor = a[i * k + p];
            for (int j = 0; j < n; j++) c[i * n + j] += factor * b[p * n + j];
        }
    }
}
"""
)
_IN_PLACE = (
    MATRICES
    + """void in_place(int m, int n, int k, const double* a, const double* b, double* c) {
    for (int p = 0; p < k; p++)
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++) c[i * n + j] -= a[i * k + p] * b[p * n + j];
}
"""
)
_TRANSPOSED_A = (
    MATRICES
    + """void transposed_a(int m, int n, int k, const float* a, const float* b, float* c) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            c[i * n + j] = 0.0f;
            for (int p = 0; p < k; p++) c[i * n + j] += a[p * m + i] * b[p * n + j];
        }
}
"""
)
_TRANSPOSED_B = (
    MATRICES
    + """void transposed_b(int m, int n, int k, const float* a, const float* b, float* c) {
    for (int i = 0; i < m; i++) {
        const float* row = a + i * k;
        for (int j = 0; j < n; j++) {
            const float* other = b + j * k;
            float sum = 0.0f;
            for (int p = 0; p < k; p++) sum += row[p] * other[p];
            c[i * n + j] = sum;
        }
    }
}
"""
)
_BOTH_TRANSPOSED = (
    MATRICES
    + """void both_transposed(int m, int n, int k, const double* a, const double* b, double* c) {
    for (int j = n - 1; j >= 0; j--)
        for (int i = 0; i < m; ++i) {
            double sum = 0;
            for (int p = 0; p < k; ++p) sum = sum + b[j * k + p] * a[p * m + i];
            c[i * n + j] = sum;
        }
}
"""
)
_BY_COLUMNS = (
    MATRICES
    + """void by_columns(long m, long n, long k, const float* a, const float* b, float* c) {
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++) {
            float sum = 0.0f;
            for (long p = 0; p < k; p++) sum += a[p * m + i] * b[j * k + p];
            c[j * m + i] = sum;
        }
}
"""
)
_SCALED = (
    MATRICES
    + """void scaled(int m, int n, int k, double alpha, const double* a, const double* b, double beta, double* c) {
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = 0.0;
            for (int p = 0; p < k; ++p) sum += a[i * k + p] * b[p * n + j];
            c[i * n + j] = alpha * sum + beta * c[i * n + j];
        }
}
"""
)
_SCALED_FIRST = (
    MATRICES
    + """void scaled_first(int m, int n, int k, float alpha, float beta, const float* a, const float* b, float* c) {
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) c[i * n + j] *= beta;
        for (int p = 0; p < k; p++)
            for (int j = 0; j < n; j++) c[i * n + j] += alpha * a[i * k + p] * b[p * n + j];
    }
}
"""
)
_MEAN = (
    MATRICES
    + """void mean(int m, int n, int k, const float* a, const float* b, float* c) {
    const float share = 0.5f * sqrtf((float)(k + 1));
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = c[i * n + j];
            for (int p = 0; p < k; p++) sum += a[i * k + p] * b[p * n + j] * 2;
            c[i * n + j] = -(share * sum);
        }
}
"""
)
_FIXED_ROWS = """// shape: a = m * 24
// shape: b = 24 * 40
// shape: c = m * 40
// check: m=1; m=19
void fixed_rows(int m, const float a[][24], const float b[][40], float c[][40]) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < 40; j++) {
            float sum = 0;
            for (int p = 0; p < 24; p++) sum += a[i][p] * b[p][j];
            c[i][j] = sum;
        }
}
"""
_PART = """// shape: a = m * lda + 3
// shape: b = k * 50
// shape: c = m * n
// check: m=1,n=1,k=1,lda=1; m=7,n=5,k=3,lda=6; m=9,n=40,k=13,lda=13
// require: k <= lda
// require: n <= 40
void part(unsigned m, unsigned n, unsigned k, unsigned lda, const float* a, const float* b, float* c) {
    for (unsigned i = 0; i < m; i++)
        for (unsigned j = 0; j < n; j++) {
            float sum = 0.0f;
            for (unsigned p = 0; p < k; p++) sum += a[3 + i * lda + p] * b[p * 50 + j + 7];
            c[i * n + j] = sum;
        }
}
"""
_INNER = """// shape: a = n * n
// shape: b = n * n
// shape: c = n * n
// check: n=2; n=9; n=20
void inner(int n, const double* a, const double* b, double* c) {
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n - 1; j++)
            for (int p = 2; p < n; p++) c[i * n + j] += a[i * n + p] * b[p * n + j];
}
"""
_BATCH_OF_ONE = (
    MATRICES
    + """void batch_of_one(int m, int n, int k, const float* a, const float* b, float* c) {
    for (int t = 0; t < 1; t++)
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++) {
                float sum = 0.0f;
                for (int p = 0; p < k; p++) sum += a[t * m * k + i * k + p] * b[t * k * n + p * n + j];
                c[t * m * n + i * n + j] = sum;
            }
}
"""
)
_BATCH = """// shape: a = count * m * k
// shape: b = k * n
// shape: c = count * m * n
// check: count=1,m=1,n=1,k=1; count=3,m=7,n=5,k=4
void batch(int count, int m, int n, int k, const float* a, const float* b, float* c) {
    for (int t = 0; t < count; t++)
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++) {
                float sum = 0.0f;
                for (int p = 0; p < k; p++) sum += a[(t * m + i) * k + p] * b[p * n + j];
                c[(t * m + i) * n + j] = sum;
            }
}
"""
_GEMV = (
    VECTORS
    + """void matvec(int m, int n, const float* a, const float* x, float* y) {
    for (int i = 0; i < m; i++) {
        float sum = 0.0f;
        for (int j = 0; j < n; j++) sum += a[i * n + j] * x[j];
        y[i] = sum;
    }
}
"""
)
_GEMV_COLUMNS = (
    VECTORS
    + """void matvec_columns(int m, int n, const double* a, const double* x, double* y) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) y[i] += x[j] * a[j * m + i];
}
"""
)
_GEMV_TRANSPOSED = """// shape: a = m * n
// shape: x = m
// shape: y = n
// check: m=1,n=1; m=7,n=5; m=33,n=18
void matvec_transposed(int m, int n, float alpha, const float* a, const float* x, float* y) {
    for (int j = 0; j < n; j++) y[j] = 0.0f;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) y[j] += alpha * a[i * n + j] * x[i];
}
"""
_GEMV_STRIDED = """// shape: a = m * n
// shape: x = 3 * n
// shape: y = 2 * m
// check: m=1,n=1; m=7,n=5; m=33,n=18
void matvec_strided(int m, int n, float beta, const float* a, const float* x, float* y) {
    for (int i = 0; i < m; i++) {
        float sum = beta * y[2 * i + 1];
        for (int j = 0; j < n; j++) sum += a[i * n + j] * x[j * 3 + 2];
        y[2 * i + 1] = sum;
    }
}
"""
_GEMV_BATCH = """// shape: a = count * m * n
// shape: x = count * n
// shape: y = count * m
// check: count=1,m=1,n=1; count=3,m=7,n=5
void matvec_batch(int count, int m, int n, const double* a, const double* x, double* y) {
    for (int t = 0; t < count; t++)
        for (int i = 0; i < m; i++) {
            double sum = 0;
            for (int j = 0; j < n; j++) sum += a[t * m * n + i * n + j] * x[t * n + j];
            y[t * m + i] = sum;
        }
}
"""
_NAMES = """// shape: alpha = status * handle
// shape: check = status * handle
// shape: beta = handle * handle
// check: status=1,handle=1; status=7,handle=5
void names(int status, int handle, float blas_handle, const float* alpha, const float* beta, float* check) {
    for (int made = 0; made < status; made++)
        for (int j = 0; j < handle; j++) {
            float cublasSgemm = 0.0f;
            for (int p = 0; p < handle; p++) cublasSgemm += alpha[made * handle + p] * beta[p * handle + j];
            check[made * handle + j] = 2 * blas_handle * cublasSgemm;
        }
}
"""
_STEPS = """// shape: a = steps * n * n
// shape: x = n
// shape: y = n
// check: steps=1,n=1; steps=3,n=7; steps=0,n=4
#define SHARE 0.25f
void steps(int steps, int n, const float* a, float* x, float* y) {
    for (int s = 0; s < steps; s++) {
        for (int i = 0; i < n; i++) {
            float sum = 0.0f;
            for (int j = 0; j < n; j++) sum += SHARE * a[s * n * n + i * n + j] * x[j];
            y[i] = sum;
        }
        for (int i = 0; i < n; i++) x[i] = y[i] + s;
    }
}
"""
SPELLINGS = {
    "dot": _DOT,
    "rows_of_b": _ROWS_OF_B,
    "in_place": _IN_PLACE,
    "transposed_a": _TRANSPOSED_A,
    "transposed_b": _TRANSPOSED_B,
    "both_transposed": _BOTH_TRANSPOSED,
    "by_columns": _BY_COLUMNS,
    "scaled": _SCALED,
    "scaled_first": _SCALED_FIRST,
    "mean": _MEAN,
    "fixed_rows": _FIXED_ROWS,
    "part": _PART,
    "inner": _INNER,
    "batch_of_one": _BATCH_OF_ONE,
    "batch": _BATCH,
    "matvec": _GEMV,
    "matvec_columns": _GEMV_COLUMNS,
    "matvec_transposed": _GEMV_TRANSPOSED,
    "matvec_strided": _GEMV_STRIDED,
    "matvec_batch": _GEMV_BATCH,
    "names": _NAMES,
    "steps": _STEPS,
}
CALLS = {
    "dot": "cublasSgemm(blas_handle(), CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &alpha, b, n, a, k, &beta, c, n)",
    "rows_of_b": "cublasSgemm(blas_handle(), CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &alpha, b, n, a, k, &beta, c, n)",
    "in_place": "cublasDgemm(blas_handle(), CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &alpha, b, n, a, k, &beta, c, n)",
    "transposed_a": "cublasSgemm(blas_handle(), CUBLAS_OP_N, CUBLAS_OP_T, n, m, k, &alpha, b, n, a, m, &beta, c, n)",
    "transposed_b": "cublasSgemm(blas_handle(), CUBLAS_OP_T, CUBLAS_OP_N, n, m, k, &alpha, b, k, a, k, &beta, c, n)",
    "both_transposed": "cublasDgemm(blas_handle(), CUBLAS_OP_T, CUBLAS_OP_T, n, m, k, &alpha, b, k, a, m, &beta, c, n)",
    "by_columns": "cublasSgemm_64(blas_handle(), CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, a, m, b, k, &beta, c, m)",
    "scaled": "cublasDgemm(blas_handle(), CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &alpha, b, n, a, k, &beta, c, n)",
    "fixed_rows": "cublasSgemm(blas_handle(), CUBLAS_OP_N, CUBLAS_OP_N, 40, m, 24, &alpha, b, 40, a, 24, &beta, c, 40)",
    "part": "cublasSgemm_64(blas_handle(), CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &alpha, b + 7, 50, a + 3, lda, &beta, c, n)",
    "batch": "cublasSgemmStridedBatched(blas_handle(), CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &alpha, b, n, 0, a, k, "
    "(long long)k * m, &beta, c, n, (long long)m * n, count)",
    "matvec": "cublasSgemv(blas_handle(), CUBLAS_OP_T, n, m, &alpha, a, n, x, 1, &beta, y, 1)",
    "matvec_columns": "cublasDgemv(blas_handle(), CUBLAS_OP_N, m, n, &alpha, a, m, x, 1, &beta, y, 1)",
    "matvec_transposed": "cublasSgemv(blas_handle(), CUBLAS_OP_N, n, m, &alpha, a, n, x, 1, &beta, y, 1)",
    "steps": "cublasSgemv(blas_handle(), CUBLAS_OP_T, n, n, &alpha, a + n * n * s, n, x, 1, &beta, y, 1)",
    "matvec_strided": "cublasSgemv(blas_handle(), CUBLAS_OP_T, n, m, &alpha, a, n, x + 2, 3, &beta, y + 1, 2)",
}


def near(name: str, reason: str, *edits: tuple[str, str]) -> tuple[str, str, str]:
    """One of the spellings with some text replaced, so that it is no product: its entry, its text, and what the reason says."""
    text = SPELLINGS[name]
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    return name, text, reason


_SUM, _STORE = "sum += a[i * k + p] * b[p * n + j];", "c[i * n + j] = sum;"
_LOOP, _AFTER = "    for (int i", "b[p * n + j];\n        }\n"
NEAR_MISSES = {
    "a condition inside": near("dot", "a condition inside", (_SUM, f"if (a[i * k + p] > 0) {_SUM}")),
    "an affine condition": near("dot", "a condition inside", ("for (int p", "if (i != j) for (int p")),
    "a condition in the value": near(
        "dot", "depends on a condition", (_SUM, "sum += a[p] > 0 ? a[i * k + p] * b[p * n + j] : 0.0f;")
    ),
    "a triangle": near("dot", "the bounds of 'p' depend on 'i'", ("p < k", "p < min(k, i + 1)")),
    "half of the result": near("in_place", "the bounds of 'j' depend on 'i'", ("int j = 0;", "int j = i;")),
    "every other term": near("dot", "goes by steps of 2", ("p++", "p += 2")),
    "a function on top": near("dot", "'tanhf' is applied to the sum", (_STORE, "c[i * n + j] = tanhf(sum);")),
    "a rectifier on top": near(
        "dot", "the sum depends on a condition", (_STORE, "c[i * n + j] = sum > 0 ? sum : 0.0f;")
    ),
    "a function inside": near("dot", "'fabsf' is applied", (_SUM, "sum += fabsf(a[i * k + p] - b[p * n + j]);")),
    "a quotient": near("dot", "'/' is applied to the sum", (_STORE, "c[i * n + j] = sum / k;")),
    "a bias": near("dot", "adds elements of 'a'", (_STORE, "c[i * n + j] = sum + a[i * k];")),
    "a start elsewhere": near("dot", "starts neither from 0", ("sum = 0.0f", "sum = a[i * k]")),
    "a start of one": near("dot", "starts neither from 0", ("sum = 0.0f", "sum = 1.0f")),
    "a start twice": near(
        "dot", "is added twice", ("sum = 0.0f", "sum = c[i * n + j]"), (_STORE, "c[i * n + j] = sum + c[i * n + j];")
    ),
    "integers": near("dot", "its sum is int", ("float", "int"), ("0.0f", "0")),
    "a wider sum": near("dot", "computes in float, and its sum is double", ("float sum = 0.0f", "double sum = 0.0")),
    "a wider scale": near("dot", "computes in double, and its sum is float", (_STORE, "c[i * n + j] = 0.1 * sum;")),
    "a scale from the device": near(
        "dot",
        "'scale' is computed on the device",
        (_LOOP, f"    const float scale = a[0];\n{_LOOP}"),
        (_STORE, "c[i * n + j] = scale * sum;"),
    ),
    "the largest product": near(
        "dot", "by 'max', not by a sum", (_SUM, "sum = max(sum, a[i * k + p] * b[p * n + j]);")
    ),
    "a product of products": near("dot", "by '*', not by a sum", (_SUM, "sum *= a[i * k + p] * b[p * n + j];")),
    "one factor": near("dot", "no product of two elements", (_SUM, "sum += a[i * k + p];")),
    "three factors": near("dot", "a product of 3 elements", (_SUM, "sum += a[i * k + p] * a[p] * b[p * n + j];")),
    "two terms": near("dot", "several terms", (_SUM, "sum += a[i * k + p] * b[p * n + j] + a[i * k + p];")),
    "two sums": near("dot", "2 sums", (_SUM, f"{{ {_SUM} c[i * n + j] += a[i * k + p]; }}")),
    "in place": near("in_place", "reads 'c' as a factor and writes it", ("b[p * n + j]", "c[(m + p) * n + j]")),
    "sliding rows": near("dot", "lines of 'a' along 'i' do not overlap", ("a[i * k + p]", "a[i + p]")),
    "a line that may be longer": near(
        "part", "lines of 'a' along 'p' do not overlap", ("// require: k <= lda\n", ""), ("k=3,lda=6", "k=3,lda=3")
    ),
    "no unit stride": near("dot", "walks along 'a' element by element", ("a[i * k + p]", "a[(i * k + p) * 2]")),
    "a gather": near("dot", "'b' is not linear", ("b[p * n + j]", "b[(int)a[p] * n + j]")),
    "a square place": near("dot", "'b' is not linear", ("b[p * n + j]", "b[p * j]")),
    "backwards": near("matvec", "'x' is not walked forwards", ("x[j]", "x[n - 1 - j]")),
    "row by row": near("matvec", "both factors move along 'i'", ("x[j]", "x[i * n + j]")),
    "a running store": near("dot", "writes something else while it sums", (_SUM, f"{{ {_SUM} c[i * n + j] = sum; }}")),
    "a sum carried on": near("dot", "", ("float sum = 0.0f;", ""), (_LOOP, f"    float sum = 0.0f;\n{_LOOP}")),
    "a changing weight": near(
        "matvec",
        "'w' is handed from one turn",
        ("float sum = 0.0f;", "float sum = 0.0f, w = 1.0f;"),
        ("* x[j];", "* x[j] * w, w = w * 0.5f + 0.1f;"),
    ),
    "a restart inside": near(
        "rows_of_b",
        "2 sums",
        ("const float factor", "for (int j = 0; j < n; j++) c[i * n + j] *= 0.5f;\n const float factor"),
    ),
    "a start of fewer": near("rows_of_b", "other elements of 'c'", ("q < n", "q < n - 1")),
    "a start from elsewhere": near("rows_of_b", "starts neither from 0", ("+ q] = 0;", "+ q] = a[i];")),
    "work after the sum": near(
        "rows_of_b", "after the sum", (_AFTER, f"{_AFTER}        for (int j = 0; j < n; j++) c[i * n + j] *= 2.0f;\n")
    ),
}
"""Name -> entry, text, part of the reason."""
