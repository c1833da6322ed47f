// Agreement of slices: the terms of all cells are found side by side and added up by a tree.
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

// A block a pair; a thread has the term of one cell.
__global__ void compare(int n, const uint8_t* fixed, const uint8_t* moving, int32_t* joint, float* agreement) {
    __shared__ int by_fixed[16], by_moving[16];
    fixed += (long long)blockIdx.x * n;
    moving += (long long)blockIdx.x * n;
    int32_t* cell = joint + 256ll * blockIdx.x;
    cell[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += kThreads) atomicAdd(cell + (fixed[i] >> 4 << 4 | moving[i] >> 4), 1);
    __syncthreads();
    add_sides_up(cell, by_fixed, by_moving);
    const float sum = sum_of(term(cell[threadIdx.x], by_fixed[threadIdx.x / 16], by_moving[threadIdx.x % 16], n));
    if (threadIdx.x == 0) agreement[blockIdx.x] = sum;
}

extern "C" void slice_agreement(int pairs, int n, const uint8_t* fixed, const uint8_t* moving, int32_t* joint, float* agreement) {
    compare<<<pairs, kThreads>>>(n, fixed, moving, joint, agreement);
}
