// Display window: a thread for each pixel counts into a table in global memory, a thread for each frame walks it.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kLevels = 65536;

__global__ void count_pixels(long long total, int pixels, const uint16_t* image, unsigned* table) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < total) atomicAdd(&table[i / pixels * kLevels + image[i]], 1u);
}

__global__ void find_levels(int frames, unsigned low_rank, unsigned high_rank, const unsigned* table, int32_t* low, int32_t* high) {
    int f = blockIdx.x * blockDim.x + threadIdx.x;
    if (f >= frames) return;
    unsigned below = 0;
    for (int level = 0; level < kLevels; ++level) {
        unsigned count = table[(size_t)f * kLevels + level];
        if (low_rank - below < count) low[f] = level;  // unsigned: false, too, where below is past the rank
        if (high_rank - below < count) high[f] = level;
        below += count;
    }
}

extern "C" void display_window(int frames, int pixels, int low_permille, int high_permille, const uint16_t* image, int32_t* low,
                               int32_t* high) {
    long long low_rank = (long long)low_permille * (pixels - 1) / 1000, high_rank = (long long)high_permille * (pixels - 1) / 1000;
    long long total = (long long)frames * pixels;
    size_t bytes = (size_t)frames * kLevels * sizeof(unsigned);
    unsigned* table = nullptr;
    cudaMalloc(&table, bytes);
    cudaMemsetAsync(table, 0, bytes);
    count_pixels<<<(unsigned)((total + 255) / 256), 256>>>(total, pixels, image, table);
    find_levels<<<(frames + 31) / 32, 32>>>(frames, (unsigned)low_rank, (unsigned)high_rank, table, low, high);
    cudaFree(table);
}
