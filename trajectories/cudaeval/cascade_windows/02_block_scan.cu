// Cascade of box features: a warp sums a row up, 32 pixels at a time.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kWindow = 24;
constexpr int kPerStage = 8;
constexpr int kVotes = 5;
constexpr int kThreads = 128;

__global__ void sum_rows(int height, int width, const uint8_t* pixel, uint32_t* table) {
    const int y = (blockIdx.x * kThreads + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (y >= height) return;
    uint32_t* row = table + (size_t)(y + 1) * (width + 1);
    uint32_t sum = 0;
    if (lane == 0) row[0] = 0;
    for (int first = 0; first < width; first += 32) {
        const int x = first + lane;
        uint32_t value = x < width ? pixel[(size_t)y * width + x] : 0;
        for (int step = 1; step < 32; step *= 2) {
            const uint32_t before = __shfl_up_sync(~0u, value, step);
            if (lane >= step) value += before;
        }
        value += sum;
        if (x < width) row[x + 1] = value;
        sum = __shfl_sync(~0u, value, 31);
    }
}

__global__ void sum_columns(int height, int width, uint32_t* table) {
    const int x = blockIdx.x * kThreads + threadIdx.x;
    if (x > width) return;
    uint32_t sum = 0;
    table[x] = 0;
    for (int y = 1; y <= height; ++y) table[(size_t)y * (width + 1) + x] = sum += table[(size_t)y * (width + 1) + x];
}

__device__ uint32_t box_sum(const uint32_t* corner, size_t pitch, int columns, int rows) {
    return corner[rows * pitch + columns] - corner[rows * pitch] - corner[columns] + corner[0];
}

__global__ void classify(int height, int width, int stages, const uint32_t* table, const uint8_t* box, const int32_t* threshold,
                         uint8_t* stages_passed) {
    const size_t pitch = width + 1, columns_out = width - kWindow + 1;
    const size_t at = (size_t)blockIdx.x * kThreads + threadIdx.x;
    if (at >= columns_out * (height - kWindow + 1)) return;
    const int y = at / columns_out, x = at % columns_out;
    int passed = 0;
    while (passed < stages) {
        int votes = 0;
        for (int f = kPerStage * passed; f < kPerStage * (passed + 1); ++f) {
            const uint8_t* shape = box + 4 * f;
            const uint32_t* corner = table + (y + shape[1]) * pitch + x + shape[0];
            const int columns = 1 + shape[2] % 6, rows = 1 + shape[3] % 12;
            const uint32_t left = box_sum(corner, pitch, columns, rows), right = box_sum(corner + columns, pitch, columns, rows);
            votes += (int32_t)(left - right) > threshold[f];
        }
        if (votes < kVotes) break;
        ++passed;
    }
    stages_passed[at] = passed;
}

extern "C" void cascade_windows(int height, int width, int stages, const uint8_t* pixel, const uint8_t* box, const int32_t* threshold,
                                uint8_t* stages_passed) {
    uint32_t* table = nullptr;
    cudaMalloc(&table, (size_t)(height + 1) * (width + 1) * sizeof(uint32_t));
    sum_rows<<<(height - 1) / (kThreads / 32) + 1, kThreads>>>(height, width, pixel, table);
    sum_columns<<<width / kThreads + 1, kThreads>>>(height, width, table);
    const size_t windows = (size_t)(height - kWindow + 1) * (width - kWindow + 1);
    const int blocks = (int)((windows - 1) / kThreads + 1);
    classify<<<blocks, kThreads>>>(height, width, stages, table, box, threshold, stages_passed);
    cudaFree(table);
}
