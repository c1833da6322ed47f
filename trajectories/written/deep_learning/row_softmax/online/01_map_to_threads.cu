// Softmax of each row, one thread per row.
#include <cuda_runtime.h>

__global__ void softmax_kernel(int rows, int cols, const float* in, float* out) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    const float* x = in + (size_t)r * cols;
    float* y = out + (size_t)r * cols;
    float largest = x[0];
    for (int c = 1; c < cols; ++c) largest = fmaxf(largest, x[c]);
    float sum = 0.0f;
    for (int c = 0; c < cols; ++c) {
        y[c] = expf(x[c] - largest);
        sum += y[c];
    }
    for (int c = 0; c < cols; ++c) y[c] /= sum;
}

extern "C" void row_softmax(int rows, int cols, const float* in, float* out) {
    const int threads = 256;
    softmax_kernel<<<(rows - 1) / threads + 1, threads>>>(rows, cols, in, out);
}
