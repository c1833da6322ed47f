// Contour segments: one pass: blocks publish their counts and look back at those before them.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

struct alignas(16) Segment {
    float ax, ay, bx, by;
};

// Two bits for each side that a segment joins: 0 upper, 1 right, 2 lower, 3 left.
__constant__ uint8_t kJoined[16] = {0, 3, 4, 7, 9, 147, 8, 11, 14, 2, 228, 6, 13, 1, 12, 0};

__device__ int count_of(int above) { return above == 0 || above == 15 ? 0 : above == 5 || above == 10 ? 2 : 1; }


struct Corners {
    float value[4];  // clockwise from the upper left
};

__device__ Corners corners_of(const float* height, int cols, int64_t cell) {
    const float* upper = height + cell / (cols - 1) * cols + cell % (cols - 1);
    return {{upper[0], upper[1], upper[cols + 1], upper[cols]}};
}

__device__ int corners_above(const Corners& c, float level) {
    return (c.value[0] > level) + 2 * (c.value[1] > level) + 4 * (c.value[2] > level) + 8 * (c.value[3] > level);
}

__device__ float2 cross(const Corners& c, int y, int x, int side, float level) {
    const float a = side == 0 || side == 3 ? c.value[0] : side == 1 ? c.value[1] : c.value[3];
    const float b = side == 0 ? c.value[1] : side == 3 ? c.value[3] : c.value[2];
    const float part = (level - a) / (b - a);
    const bool upright = side == 1 || side == 3;
    return upright ? make_float2(x + (side == 1), y + part) : make_float2(x + part, y + (side == 2));
}

__device__ void write_segments(const Corners& c, int cols, int64_t cell, float level, int above, Segment* segment) {
    const int y = cell / (cols - 1), x = cell % (cols - 1);
    int joined = kJoined[above];
    for (int k = 0; k < count_of(above); ++k, joined >>= 4) {
        const float2 a = cross(c, y, x, joined & 3, level), b = cross(c, y, x, joined >> 2 & 3, level);
        segment[k] = {a.x, a.y, b.x, b.y};
    }
}

// The sum of the values before this thread's one, and of all of the block's.
__device__ int2 scan_block(int value) {
    __shared__ int of_warp[kThreads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int sum = value;
    for (int step = 1; step < 32; step *= 2) {
        const int before = __shfl_up_sync(~0u, sum, step);
        if (lane >= step) sum += before;
    }
    if (lane == 31) of_warp[warp] = sum;
    __syncthreads();
    int before = 0, all = 0;
    for (int w = 0; w < kThreads / 32; ++w) {
        if (w == warp) before = all;
        all += of_warp[w];
    }
    __syncthreads();
    return make_int2(before + sum - value, all);
}

constexpr unsigned long long kOwn = 1ull << 32, kAll = 2ull << 32;  // what a state's sum covers: its block, or all up to it

// A block takes a ticket, publishes its count and adds up those before it until it meets one that covers all.
__global__ void __launch_bounds__(kThreads) find_segments(int64_t cells, int cols, float level, const float* height, Segment* segment,
                                                          int32_t* segments, unsigned long long* state) {
    __shared__ int ticket, before;
    if (threadIdx.x == 0) ticket = (int)atomicAdd(state, 1ull);
    __syncthreads();
    const int block = ticket;
    const int64_t cell = (int64_t)block * kThreads + threadIdx.x;
    Corners corner = {};
    int above = 0;
    if (cell < cells) {
        corner = corners_of(height, cols, cell);
        above = corners_above(corner, level);
    }
    const int2 sum = scan_block(count_of(above));
    if (threadIdx.x < 32) {
        unsigned long long* own = state + 1 + block;
        if (threadIdx.x == 0) atomicExch(own, (block == 0 ? kAll : kOwn) | (unsigned)sum.y);
        int earlier = 0;
        for (int last = block - 1; last >= 0; last -= 32) {  // a warp looks at 32 states at a time
            const int at = last - (int)threadIdx.x;
            unsigned long long seen = kAll;
            while (at >= 0 && (seen = atomicAdd(state + 1 + at, 0ull)) < kOwn) __nanosleep(20);
            const unsigned whole = __ballot_sync(~0u, seen >= kAll);
            const int nearest = whole ? __ffs(whole) - 1 : 31;
            int part = (int)threadIdx.x <= nearest ? (int)(unsigned)seen : 0;
            for (int half = 16; half > 0; half /= 2) part += __shfl_xor_sync(~0u, part, half);
            earlier += part;
            if (whole) break;
        }
        if (threadIdx.x == 0) {
            if (block > 0) atomicExch(own, kAll | (unsigned)(earlier + sum.y));
            before = earlier;
            if (block == (int)gridDim.x - 1) *segments = earlier + sum.y;
        }
    }
    __syncthreads();
    if (above != 0) write_segments(corner, cols, cell, level, above, segment + before + sum.x);
}

extern "C" void contour_segments(int rows, int cols, float level, const float* height, Segment* segment, int32_t* segments) {
    const int64_t cells = (int64_t)(rows - 1) * (cols - 1);
    const int blocks = (int)((cells - 1) / kThreads + 1);
    unsigned long long* state = nullptr;
    cudaMalloc(&state, (blocks + 1) * sizeof(unsigned long long));
    cudaMemsetAsync(state, 0, (blocks + 1) * sizeof(unsigned long long));
    find_segments<<<blocks, kThreads>>>(cells, cols, level, height, segment, segments, state);
    cudaFree(state);
}
