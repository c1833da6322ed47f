// Bag peaks: one number of a bag a thread.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

__global__ void pool(int bags, int width, const int32_t* offset, const int32_t* item, const float* weight, const float* table, float* peak,
                     int32_t* winner) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (size_t)bags * width) return;
    const int b = i / width, d = i % width;
    float best = -INFINITY;
    int32_t who = -1;
    for (int k = offset[b]; k < offset[b + 1]; ++k) {
        const float value = weight[k] * table[(size_t)item[k] * width + d];
        if (value <= best) continue;
        best = value;
        who = item[k];
    }
    peak[i] = who < 0 ? 0.0f : best;
    winner[i] = who;
}

extern "C" void bag_peaks(int bags, int items, int rows, int width, const int32_t* offset, const int32_t* item, const float* weight,
                          const float* table, float* peak, int32_t* winner) {
    (void)items;
    (void)rows;
    pool<<<(unsigned)(((size_t)bags * width + 127) / 128), 128>>>(bags, width, offset, item, weight, table, peak, winner);
}
