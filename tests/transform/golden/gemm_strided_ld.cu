#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// gemm_strided_ld: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void gemm_strided_ld_1_map(int m, int n, int k, int lda, float alpha, const float* a, const float* b,
                                      float* c) {
    const unsigned int point = blockIdx.x * 256 + threadIdx.x;
    const int col = point % n;
    const int row = point / n;
    double total;
    if (row < m) {
        total = 0;
        for (int p = 0; p < k; ++p) {
            total += a[row * lda + p] * b[p * n + col];
        }
        c[row * n + col] = alpha * (float)total;
    }
}

extern "C" void gemm_strided_ld(int m, int n, int k, int lda, float alpha, const float* a, const float* b, float* c) {
    if (m >= 1 && n >= 1) {
        gemm_strided_ld_1_map<<<((long long)m * n - 1) / 256 + 1, 256>>>(m, n, k, lda, alpha, a, b, c);
    }
}