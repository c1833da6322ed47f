#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// matvec: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void matvec_1_map(int rows, int cols, const float* A, const float* x, float* y) {
    const int row = blockIdx.x * 256 + threadIdx.x;
    float sum;
    if (row < rows) {
        sum = 0.0f;
        for (int col = 0; col < cols; ++col) {
            sum += A[(unsigned long long)row * cols + col] * x[col];
        }
        y[row] = sum;
    }
}

extern "C" void matvec(int rows, int cols, const float* A, const float* x, float* y) {
    if (rows >= 1) {
        matvec_1_map<<<(rows - 1) / 256 + 1, 256>>>(rows, cols, A, x, y);
    }
}