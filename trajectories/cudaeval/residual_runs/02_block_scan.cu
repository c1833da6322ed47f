// Runs and levels of residual blocks: counts are scanned by teams of threads, then the totals of the teams.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kPlaces = 16;
constexpr int kThreads = 128;

// Place i of the zigzag, four bits each.
__device__ constexpr int zigzag(int i) { return (int)(0xfeb7adc963258410ull >> 4 * i & 15); }

__device__ void transform_line(int& a, int& b, int& c, int& d) {
    const int outer = a + d, inner = b + c, bend = b - c, slope = a - d;
    a = outer + inner;
    b = 2 * slope + bend;
    c = outer - inner;
    d = slope - 2 * bend;
}

__device__ void transform_block(int* v) {
#pragma unroll
    for (int y = 0; y < 4; ++y) transform_line(v[4 * y], v[4 * y + 1], v[4 * y + 2], v[4 * y + 3]);
#pragma unroll
    for (int x = 0; x < 4; ++x) transform_line(v[x], v[4 + x], v[8 + x], v[12 + x]);
}

__device__ int quantise(int place, int value, int coarseness) {
    const int odd = (place & 1) + (place >> 2 & 1), factor = odd == 0 ? 13107 : odd == 1 ? 8066 : 5243, shift = 15 + coarseness;
    const int size = (int)(((int64_t)abs(value) * factor + (1 << shift) / 3) >> shift);
    return value < 0 ? -size : size;
}

__device__ void load_block(int64_t block, int across, const int16_t* residual, int* v) {
    const int16_t* corner = residual + block / across * 16 * across + block % across * 4;
#pragma unroll
    for (int i = 0; i < kPlaces; ++i) v[i] = corner[i / 4 * 4 * (int64_t)across + i % 4];
}

__global__ void transform(int64_t blocks, int across, const int16_t* residual, int* value) {
    const int64_t block = (int64_t)blockIdx.x * kThreads + threadIdx.x;
    if (block >= blocks) return;
    int v[kPlaces];
    load_block(block, across, residual, v);
    transform_block(v);
    for (int i = 0; i < kPlaces; ++i) value[block * kPlaces + i] = v[i];
}

__global__ void count_levels(int64_t blocks, int coarseness, const int* value, int16_t* level, int32_t* start) {
    const int64_t block = (int64_t)blockIdx.x * kThreads + threadIdx.x;
    if (block >= blocks) return;
    int count = 0;
    for (int i = 0; i < kPlaces; ++i) {
        const int found = quantise(zigzag(i), value[block * kPlaces + zigzag(i)], coarseness);
        level[block * kPlaces + i] = found;
        count += found != 0;
    }
    start[block] = count;
}

// The sum of the values before this thread's one, and of all of the block's.
__device__ int2 scan_threads(int value) {
    __shared__ int partial[kThreads / 32];
    int sum = value;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        const int before = __shfl_up_sync(~0u, sum, step);
        sum += (int)(threadIdx.x % 32) >= step ? before : 0;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 31) partial[threadIdx.x / 32] = sum;
    __syncthreads();
    int2 found = make_int2(sum - value, 0);
#pragma unroll
    for (int w = 0; w < kThreads / 32; ++w) {
        found.x += w < (int)threadIdx.x / 32 ? partial[w] : 0;
        found.y += partial[w];
    }
    return found;
}

__global__ void scan_counts(int64_t blocks, int32_t* start, int32_t* total) {
    const int64_t block = (int64_t)blockIdx.x * kThreads + threadIdx.x;
    const int2 sum = scan_threads(block < blocks ? start[block] : 0);
    if (block < blocks) start[block] = sum.x;
    if (threadIdx.x == 0) total[blockIdx.x] = sum.y;
}

__global__ void scan_totals(int teams, int32_t* total, int32_t* codes) {
    int before = 0;
    for (int i = threadIdx.x; i - (int)threadIdx.x < teams; i += kThreads) {
        const int2 sum = scan_threads(i < teams ? total[i] : 0);
        if (i < teams) total[i] = before + sum.x;
        before += sum.y;
    }
    if (threadIdx.x == 0) *codes = before;
}

__global__ void write_codes(int64_t blocks, const int16_t* level, int32_t* start, const int32_t* total, uint16_t* code) {
    const int64_t block = (int64_t)blockIdx.x * kThreads + threadIdx.x;
    if (block >= blocks) return;
    const int first = start[block] + total[blockIdx.x];
    start[block] = first;
    uint16_t* next = code + first;
    for (int i = 0, run = 0; i < kPlaces; ++i, ++run) {
        const int found = level[block * kPlaces + i];
        if (found == 0) continue;
        *next++ = run << 12 | (found & 0xfff);
        run = -1;
    }
}

extern "C" void residual_runs(int down, int across, int coarseness, const int16_t* residual, int32_t* start, uint16_t* code,
                              int32_t* codes) {
    const int64_t blocks = (int64_t)down * across;
    const int teams = (int)((blocks - 1) / kThreads + 1);
    int* value = nullptr;
    cudaMalloc(&value, blocks * kPlaces * (sizeof(int) + sizeof(int16_t)) + teams * sizeof(int32_t));
    int32_t* total = value + blocks * kPlaces;
    int16_t* level = reinterpret_cast<int16_t*>(total + teams);
    transform<<<teams, kThreads>>>(blocks, across, residual, value);
    count_levels<<<teams, kThreads>>>(blocks, coarseness, value, level, start);
    scan_counts<<<teams, kThreads>>>(blocks, start, total);
    scan_totals<<<1, kThreads>>>(teams, total, codes);
    write_codes<<<teams, kThreads>>>(blocks, level, start, total, code);
    cudaFree(value);
}
