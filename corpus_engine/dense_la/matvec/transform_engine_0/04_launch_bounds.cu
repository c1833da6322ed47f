#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// matvec: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// thread_coarsening(points 2): several points a thread.
// loop_unrolling(factor 4): innermost loops unrolled.
// launch_bounds(blocks 2): registers limited, so that several blocks share a multiprocessor.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void __launch_bounds__(256, 2) matvec_1_map(int rows, int cols, const float* A, const float* x, float* y) {
#pragma unroll
    for (int part = 0; part < 2; ++part) {
        const int row = blockIdx.x * 512 + threadIdx.x + part * 256;
        float sum;
        if (row < rows) {
            sum = 0.0f;
#pragma unroll 4
            for (int col = 0; col < cols; ++col) {
                sum += A[(unsigned long long)row * cols + col] * x[col];
            }
            y[row] = sum;
        }
    }
}

extern "C" void matvec(int rows, int cols, const float* A, const float* x, float* y) {
    if (rows >= 1) {
        matvec_1_map<<<(rows - 1) / 512 + 1, 256>>>(rows, cols, A, x, y);
    }
}