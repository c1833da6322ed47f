// The part of cuBLAS that the transform engine calls, as plain loops: what BLAS means by its arguments is what matters here.
//
// Matrices are stored by columns: element (r, c) of `a` is a[r + c * lda]. Arguments that the library documents as invalid are refused with
// CUBLAS_STATUS_INVALID_VALUE and nothing is computed; so are empty sums, because BLAS then may leave the result as it was. A `beta` of 0 does
// not read the old result.
#pragma once

enum cublasStatus_t { CUBLAS_STATUS_SUCCESS = 0, CUBLAS_STATUS_NOT_INITIALIZED = 1, CUBLAS_STATUS_INVALID_VALUE = 7 };
enum cublasOperation_t { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1 };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST = 0 };
enum cublasMath_t { CUBLAS_DEFAULT_MATH = 0, CUBLAS_TF32_TENSOR_OP_MATH = 3 };
struct light_blas_state {
    bool host_pointers = false;
};
typedef light_blas_state* cublasHandle_t;

static const char* cublasGetStatusString(cublasStatus_t status) { return status == CUBLAS_STATUS_SUCCESS ? "success" : "refused"; }
static cublasStatus_t cublasCreate(cublasHandle_t* handle) {
    *handle = new light_blas_state;
    return CUBLAS_STATUS_SUCCESS;
}
static cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t) {
    handle->host_pointers = true;
    return CUBLAS_STATUS_SUCCESS;
}
static cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t) { return CUBLAS_STATUS_SUCCESS; }

namespace light {
inline bool ready(cublasHandle_t handle) { return handle != nullptr && handle->host_pointers; }

template <class T>
cublasStatus_t gemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, long long m, long long n, long long k,
                    const T* alpha, const T* a, long long lda, const T* b, long long ldb, const T* beta, T* c, long long ldc) {
    if (!ready(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
    const auto at_least = [](long long ld, long long rows) { return ld >= 1 && ld >= rows; };
    if (m < 0 || n < 0 || k <= 0 || !at_least(lda, op_a == CUBLAS_OP_N ? m : k) || !at_least(ldb, op_b == CUBLAS_OP_N ? k : n) ||
        !at_least(ldc, m))
        return CUBLAS_STATUS_INVALID_VALUE;
    for (long long column = 0; column < n; ++column)
        for (long long row = 0; row < m; ++row) {
            T sum = 0;
            for (long long p = 0; p < k; ++p) {
                const T left = op_a == CUBLAS_OP_N ? a[row + p * lda] : a[p + row * lda];
                const T right = op_b == CUBLAS_OP_N ? b[p + column * ldb] : b[column + p * ldb];
                sum += left * right;
            }
            T& result = c[row + column * ldc];
            result = *alpha * sum + (*beta == 0 ? T(0) : *beta * result);
        }
    return CUBLAS_STATUS_SUCCESS;
}

template <class T>
cublasStatus_t gemv(cublasHandle_t handle, cublasOperation_t op, long long m, long long n, const T* alpha, const T* a, long long lda,
                    const T* x, long long incx, const T* beta, T* y, long long incy) {
    if (!ready(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (m <= 0 || n <= 0 || lda < m || incx == 0 || incy == 0) return CUBLAS_STATUS_INVALID_VALUE;
    if (incx < 0 || incy < 0) return CUBLAS_STATUS_INVALID_VALUE;  // BLAS would count from the other end
    const long long rows = op == CUBLAS_OP_N ? m : n, terms = op == CUBLAS_OP_N ? n : m;
    for (long long row = 0; row < rows; ++row) {
        T sum = 0;
        for (long long p = 0; p < terms; ++p) sum += (op == CUBLAS_OP_N ? a[row + p * lda] : a[p + row * lda]) * x[p * incx];
        T& result = y[row * incy];
        result = *alpha * sum + (*beta == 0 ? T(0) : *beta * result);
    }
    return CUBLAS_STATUS_SUCCESS;
}
}  // namespace light

#define LIGHT_BLAS(T, LETTER, SUFFIX, COUNT)                                                                                                   \
    static cublasStatus_t cublas##LETTER##gemm##SUFFIX(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, COUNT m,         \
                                                       COUNT n, COUNT k, const T* alpha, const T* a, COUNT lda, const T* b, COUNT ldb,         \
                                                       const T* beta, T* c, COUNT ldc) {                                                       \
        return light::gemm<T>(handle, op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);                                               \
    }                                                                                                                                          \
    static cublasStatus_t cublas##LETTER##gemmStridedBatched##SUFFIX(                                                                          \
        cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, COUNT m, COUNT n, COUNT k, const T* alpha, const T* a,          \
        COUNT lda, long long to_a, const T* b, COUNT ldb, long long to_b, const T* beta, T* c, COUNT ldc, long long to_c, COUNT count) {       \
        cublasStatus_t worst = CUBLAS_STATUS_SUCCESS;                                                                                          \
        for (long long p = 0; p < count && worst == CUBLAS_STATUS_SUCCESS; ++p)                                                                \
            worst = light::gemm<T>(handle, op_a, op_b, m, n, k, alpha, a + p * to_a, lda, b + p * to_b, ldb, beta, c + p * to_c, ldc);         \
        return worst;                                                                                                                          \
    }                                                                                                                                          \
    static cublasStatus_t cublas##LETTER##gemv##SUFFIX(cublasHandle_t handle, cublasOperation_t op, COUNT m, COUNT n, const T* alpha,          \
                                                       const T* a, COUNT lda, const T* x, COUNT incx, const T* beta, T* y, COUNT incy) {       \
        return light::gemv<T>(handle, op, m, n, alpha, a, lda, x, incx, beta, y, incy);                                                        \
    }                                                                                                                                          \
    static cublasStatus_t cublas##LETTER##gemvStridedBatched##SUFFIX(                                                                          \
        cublasHandle_t handle, cublasOperation_t op, COUNT m, COUNT n, const T* alpha, const T* a, COUNT lda, long long to_a, const T* x,      \
        COUNT incx, long long to_x, const T* beta, T* y, COUNT incy, long long to_y, COUNT count) {                                            \
        cublasStatus_t worst = CUBLAS_STATUS_SUCCESS;                                                                                          \
        for (long long p = 0; p < count && worst == CUBLAS_STATUS_SUCCESS; ++p)                                                                \
            worst = light::gemv<T>(handle, op, m, n, alpha, a + p * to_a, lda, x + p * to_x, incx, beta, y + p * to_y, incy);                  \
        return worst;                                                                                                                          \
    }
LIGHT_BLAS(float, S, , int)
LIGHT_BLAS(float, S, _64, long long)
LIGHT_BLAS(double, D, , int)
LIGHT_BLAS(double, D, _64, long long)
