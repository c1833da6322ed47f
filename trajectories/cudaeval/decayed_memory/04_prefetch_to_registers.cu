// Decayed memory: the next step's keys, queries and values are on their way while this step is added up.
#include <cuda_runtime.h>

constexpr int kTeam = 8, kCells = 8;  // cells i = lane + 8 * c of a column

__global__ void remember(int steps, int heads, int width, const float* __restrict__ decay, const float* __restrict__ q, const float* __restrict__ k,
                         const float* __restrict__ v, float* __restrict__ memory, float* __restrict__ y) {
    const int lane = threadIdx.x % kTeam, j = blockIdx.y * 16 + threadIdx.x / kTeam, h = blockIdx.x;
    const bool live = j < width;
    float* column = memory + (size_t)h * width * width + j;
    const float keep = decay[h];
    float cell[kCells], key[kCells], query[kCells], value;
    const auto fetch = [&](int t) {
        const size_t at = ((size_t)t * heads + h) * width;
        value = live ? v[at + j] : 0.0f;
#pragma unroll
        for (int c = 0; c < kCells; ++c) {
            const int i = lane + kTeam * c;
            key[c] = i < width ? k[at + i] : 0.0f;
            query[c] = i < width ? q[at + i] : 0.0f;
        }
    };
#pragma unroll
    for (int c = 0; c < kCells; ++c) cell[c] = live && lane + kTeam * c < width ? column[(lane + kTeam * c) * width] : 0.0f;
    if (steps > 0) fetch(0);
    for (int t = 0; t < steps; ++t) {
        float now[kCells], sum = 0.0f;
#pragma unroll
        for (int c = 0; c < kCells; ++c) {
            cell[c] = keep * cell[c] + key[c] * value;
            now[c] = query[c];
        }
        if (t + 1 < steps) fetch(t + 1);
#pragma unroll
        for (int c = 0; c < kCells; ++c) sum += now[c] * cell[c];
#pragma unroll
        for (int apart = 1; apart < kTeam; apart *= 2) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
        if (live && lane == 0) y[((size_t)t * heads + h) * width + j] = sum;
    }
#pragma unroll
    for (int c = 0; c < kCells; ++c)
        if (live && lane + kTeam * c < width) column[(lane + kTeam * c) * width] = cell[c];
}

extern "C" void decayed_memory(int steps, int heads, int width, const float* decay, const float* q, const float* k, const float* v, float* memory,
                               float* y) {
    remember<<<dim3(heads, (width + 15) / 16), 128>>>(steps, heads, width, decay, q, k, v, memory, y);
}
