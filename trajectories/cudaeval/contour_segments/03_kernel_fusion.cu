// Contour segments: a block scans its counts where it has found them.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

struct Segment {
    float ax, ay, bx, by;
};

// Two bits for each side that a segment joins: 0 upper, 1 right, 2 lower, 3 left.
__constant__ uint8_t kJoined[16] = {0, 3, 4, 7, 9, 147, 8, 11, 14, 2, 228, 6, 13, 1, 12, 0};

__device__ int count_of(int above) { return above == 0 || above == 15 ? 0 : above == 5 || above == 10 ? 2 : 1; }

__device__ int corners_above(const float* height, int cols, int64_t cell, float level) {
    const float* upper = height + cell / (cols - 1) * cols + cell % (cols - 1);
    const float* lower = upper + cols;
    return (upper[0] > level) + 2 * (upper[1] > level) + 4 * (lower[1] > level) + 8 * (lower[0] > level);
}

__device__ float2 cross(const float* height, int cols, int y, int x, int side, float level) {
    const int from_y = y + (side == 2), from_x = x + (side == 1);
    const bool upright = side == 1 || side == 3;
    const float a = height[(size_t)from_y * cols + from_x];
    const float b = height[(size_t)(from_y + upright) * cols + from_x + !upright];
    const float part = (level - a) / (b - a);
    return upright ? make_float2(from_x, from_y + part) : make_float2(from_x + part, from_y);
}

__device__ void write_segments(const float* height, int cols, int64_t cell, float level, int above, Segment* segment) {
    const int y = cell / (cols - 1), x = cell % (cols - 1);
    int joined = kJoined[above];
    for (int k = 0; k < count_of(above); ++k, joined >>= 4) {
        const float2 a = cross(height, cols, y, x, joined & 3, level), b = cross(height, cols, y, x, joined >> 2 & 3, level);
        segment[k].ax = a.x;
        segment[k].ay = a.y;
        segment[k].bx = b.x;
        segment[k].by = b.y;
    }
}

// The sum of the values before this thread's one, and of all of the block's.
__device__ int2 scan_block(int value) {
    __shared__ int sum[kThreads];
    const int i = threadIdx.x;
    sum[i] = value;
    __syncthreads();
    for (int step = 1; step < kThreads; step *= 2) {
        const int before = i >= step ? sum[i - step] : 0;
        __syncthreads();
        sum[i] += before;
        __syncthreads();
    }
    const int2 found = make_int2(sum[i] - value, sum[kThreads - 1]);
    __syncthreads();
    return found;
}

__global__ void count_segments(int64_t cells, int cols, float level, const float* height, int* first, int* total) {
    const int64_t cell = (int64_t)blockIdx.x * kThreads + threadIdx.x;
    const int2 sum = scan_block(cell < cells ? count_of(corners_above(height, cols, cell, level)) : 0);
    if (cell < cells) first[cell] = sum.x;
    if (threadIdx.x == 0) total[blockIdx.x] = sum.y;
}

__global__ void scan_totals(int blocks, int* total, int32_t* segments) {
    int before = 0;
    for (int begin = 0; begin < blocks; begin += kThreads) {
        const int i = begin + threadIdx.x;
        const int2 sum = scan_block(i < blocks ? total[i] : 0);
        if (i < blocks) total[i] = before + sum.x;
        before += sum.y;
    }
    if (threadIdx.x == 0) *segments = before;
}

__global__ void emit(int64_t cells, int cols, float level, const float* height, const int* first, const int* total, Segment* segment) {
    const int64_t cell = (int64_t)blockIdx.x * kThreads + threadIdx.x;
    if (cell >= cells) return;
    write_segments(height, cols, cell, level, corners_above(height, cols, cell, level), segment + total[blockIdx.x] + first[cell]);
}

extern "C" void contour_segments(int rows, int cols, float level, const float* height, Segment* segment, int32_t* segments) {
    const int64_t cells = (int64_t)(rows - 1) * (cols - 1);
    const int blocks = (int)((cells - 1) / kThreads + 1);
    int* first = nullptr;
    cudaMalloc(&first, (cells + blocks) * sizeof(int));
    int* total = first + cells;
    count_segments<<<blocks, kThreads>>>(cells, cols, level, height, first, total);
    scan_totals<<<1, kThreads>>>(blocks, total, segments);
    emit<<<blocks, kThreads>>>(cells, cols, level, height, first, total, segment);
    cudaFree(first);
}
