// cuBLAS in float32: a row-major product is the column-major product of the transposes, in the other order.
#include <cublas_v2.h>
#include <cstdlib>

namespace {

// What cannot be computed must not look fast: it ends the process instead.
void require(cublasStatus_t status) {
    if (status != CUBLAS_STATUS_SUCCESS) std::abort();
}

// Made once: it takes far longer than a product.
cublasHandle_t handle() {
    static cublasHandle_t made = [] {
        cublasHandle_t fresh;
        require(cublasCreate(&fresh));
        return fresh;
    }();
    return made;
}

}  // namespace

extern "C" void matmul(int m, int n, int k, const float* a, const float* b, float* c) {
    const float one = 1.0f, zero = 0.0f;
    require(cublasSgemm(handle(), CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b, n, a, k, &zero, c, n));
}
