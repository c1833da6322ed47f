// Decayed memory: a thread keeps its column in registers for the whole sequence.
#include <cuda_runtime.h>

constexpr int kMost = 64;

__global__ void remember(int steps, int heads, int width, const float* decay, const float* q, const float* k, const float* v, float* memory, float* y) {
    const int j = threadIdx.x, h = blockIdx.x;
    if (j >= width) return;
    float* column = memory + (size_t)h * width * width + j;
    const float keep = decay[h];
    float cell[kMost];
#pragma unroll
    for (int i = 0; i < kMost; ++i) cell[i] = i < width ? column[i * width] : 0.0f;
    for (int t = 0; t < steps; ++t) {
        const size_t at = ((size_t)t * heads + h) * width;
        const float value = v[at + j];
        float sum = 0.0f;
#pragma unroll
        for (int i = 0; i < kMost; ++i) {
            if (i < width) {
                cell[i] = keep * cell[i] + k[at + i] * value;
                sum += q[at + i] * cell[i];
            }
        }
        y[at + j] = sum;
    }
#pragma unroll
    for (int i = 0; i < kMost; ++i)
        if (i < width) column[i * width] = cell[i];
}

extern "C" void decayed_memory(int steps, int heads, int width, const float* decay, const float* q, const float* k, const float* v, float* memory,
                               float* y) {
    remember<<<heads, (width + 31) / 32 * 32>>>(steps, heads, width, decay, q, k, v, memory, y);
}
