#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// row_softmax: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void row_softmax_1_map(int rows, int cols, const float* in, float* out) {
    const int r = blockIdx.x * 256 + threadIdx.x;
    float largest;
    float sum;
    if (r < rows) {
        largest = in[(unsigned long long)r * cols];
        for (int c = 1; c < cols; ++c) {
            largest = fmaxf(largest, in[(unsigned long long)r * cols + c]);
        }
        sum = 0.0f;
        for (int c = 0; c < cols; ++c) {
            out[(unsigned long long)r * cols + c] = exp(in[(unsigned long long)r * cols + c] - largest);
            sum += out[(unsigned long long)r * cols + c];
        }
        for (int c = 0; c < cols; ++c) {
            out[(unsigned long long)r * cols + c] = out[(unsigned long long)r * cols + c] / sum;
        }
    }
}

extern "C" void row_softmax(int rows, int cols, const float* in, float* out) {
    if (rows >= 1) {
        row_softmax_1_map<<<(rows - 1) / 256 + 1, 256>>>(rows, cols, in, out);
    }
}