// Agreement of slices: sixteen positions are loaded at once.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;  // a cell of the joint counts each

__device__ float term(int both, int a, int b, int n) {
    if (both == 0) return 0;
    const float share = (float)both / n;
    return share * logf(share / ((float)a / n * ((float)b / n)));
}

// The sum over all threads of the block, for the first of them.
__device__ float sum_of(float value) {
    __shared__ float work[kThreads];
    work[threadIdx.x] = value;
    for (int apart = kThreads / 2; apart > 0; apart /= 2) {
        __syncthreads();
        if (threadIdx.x < apart) work[threadIdx.x] += work[threadIdx.x + apart];
    }
    __syncthreads();
    return work[0];
}

// Sums of a row of sixteen cells, by threads 0 .. 15, and of a column, by threads 16 .. 31.
__device__ void add_sides_up(const int* cell, int* by_fixed, int* by_moving) {
    const int k = threadIdx.x % 16;
    int sum = 0;
    if (threadIdx.x < 16) {
        for (int b = 0; b < 16; ++b) sum += cell[16 * k + b];
        by_fixed[k] = sum;
    } else if (threadIdx.x < 32) {
        for (int a = 0; a < 16; ++a) sum += cell[16 * a + k];
        by_moving[k] = sum;
    }
    __syncthreads();
}

// The cell that bytes k of both words belong to.
__device__ int cell_of(unsigned a, unsigned b, int k) { return (a >> 8 * k & 0xf0) | (b >> (8 * k + 4) & 0xf); }

// Counts positions by cells. Sixteen of them are loaded at once where rows allow it.
template <bool kWide>
__device__ void count(int n, const uint8_t* fixed, const uint8_t* moving, int* cell) {
    if constexpr (kWide) {
        for (int i = threadIdx.x; i < n / 16; i += kThreads) {
            const uint4 f = ((const uint4*)fixed)[i], m = ((const uint4*)moving)[i];
            const unsigned a[4] = {f.x, f.y, f.z, f.w}, b[4] = {m.x, m.y, m.z, m.w};
#pragma unroll
            for (int k = 0; k < 16; ++k) atomicAdd(cell + cell_of(a[k / 4], b[k / 4], k % 4), 1);
        }
    } else {
        for (int i = threadIdx.x; i < n; i += kThreads) atomicAdd(cell + cell_of(fixed[i], moving[i], 0), 1);
    }
}

// A block a pair, whose counts are in shared memory; a thread has the term of one cell.
template <bool kWide>
__global__ void compare(int n, const uint8_t* fixed, const uint8_t* moving, int32_t* joint, float* agreement) {
    __shared__ int cell[256], by_fixed[16], by_moving[16];
    fixed += (long long)blockIdx.x * n;
    moving += (long long)blockIdx.x * n;
    cell[threadIdx.x] = 0;
    __syncthreads();
    count<kWide>(n, fixed, moving, cell);
    __syncthreads();
    joint[256ll * blockIdx.x + threadIdx.x] = cell[threadIdx.x];
    add_sides_up(cell, by_fixed, by_moving);
    const float sum = sum_of(term(cell[threadIdx.x], by_fixed[threadIdx.x / 16], by_moving[threadIdx.x % 16], n));
    if (threadIdx.x == 0) agreement[blockIdx.x] = sum;
}

extern "C" void slice_agreement(int pairs, int n, const uint8_t* fixed, const uint8_t* moving, int32_t* joint, float* agreement) {
    const bool wide = n % 16 == 0 && ((uintptr_t)fixed | (uintptr_t)moving) % 16 == 0;
    (wide ? compare<true> : compare<false>)<<<pairs, kThreads>>>(n, fixed, moving, joint, agreement);
}
