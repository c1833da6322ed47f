// Decayed memory: one column of one head a thread, its memory in global memory.
#include <cuda_runtime.h>

__global__ void remember(int steps, int heads, int width, const float* decay, const float* q, const float* k, const float* v, float* memory, float* y) {
    const int j = threadIdx.x, h = blockIdx.x;
    if (j >= width) return;
    float* column = memory + (size_t)h * width * width + j;
    for (int t = 0; t < steps; ++t) {
        const size_t at = ((size_t)t * heads + h) * width;
        float sum = 0.0f;
        for (int i = 0; i < width; ++i) {
            column[i * width] = decay[h] * column[i * width] + k[at + i] * v[at + j];
            sum += q[at + i] * column[i * width];
        }
        y[at + j] = sum;
    }
}

extern "C" void decayed_memory(int steps, int heads, int width, const float* decay, const float* q, const float* k, const float* v, float* memory,
                               float* y) {
    remember<<<heads, (width + 31) / 32 * 32>>>(steps, heads, width, decay, q, k, v, memory, y);
}
