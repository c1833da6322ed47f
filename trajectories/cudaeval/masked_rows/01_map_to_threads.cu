// Product with masked rows: one row a thread.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void multiply(int rows, int words, const uint32_t* mask, const float* kept, const float* x, float* y) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    const float* value = kept + 32LL * r * words;
    float sum = 0.0f;
    for (int w = 0; w < words; ++w)
        for (uint32_t left = mask[(long long)r * words + w]; left != 0; left &= left - 1)
            sum += *value++ * x[32 * w + __ffs((int)left) - 1];
    y[r] = sum;
}

extern "C" void masked_rows(int rows, int words, const uint32_t* mask, const float* kept, const float* x, float* y) {
    multiply<<<(rows - 1) / 64 + 1, 64>>>(rows, words, mask, kept, x, y);
}
