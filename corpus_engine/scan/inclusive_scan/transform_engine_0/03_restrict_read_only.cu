#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// inclusive_scan: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// block_scan(threads 256): a running value found by blocks of threads.
// restrict_read_only: __restrict__ pointers, read-only ones const.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

// Every thread of the block gets the sum of the values of all threads before it, by shuffles; `total` is that of all.
__device__ inline int block_scan_sum_int_of_256(int value, int& total) {
    __shared__ int of_warp[8];
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    for (int distance = 1; distance < 32; distance *= 2) {
        const int other = __shfl_up_sync(0xffffffffu, value, distance);
        if (lane >= distance) {
            value = other + value;
        }
    }
    if (lane == 31) {
        of_warp[warp] = value;
    }
    int before = __shfl_up_sync(0xffffffffu, value, 1);
    if (lane == 0) {
        before = 0;
    }
    __syncthreads();
    total = 0;
    for (int number = 0; number < 8; ++number) {
        if (number == warp) {
            before = total + before;
        }
        total = total + of_warp[number];
    }
    __syncthreads();
    return before;
}

// Every thread of the block gets the sum of all their values, by shuffles in and then across its warps.
__device__ inline int block_sum_int(int value) {
    __shared__ int of_warp[8];
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    for (int distance = 16; distance > 0; distance /= 2) {
        const int other = __shfl_xor_sync(0xffffffffu, value, distance);
        value = value + other;
    }
    if (lane == 0) {
        of_warp[warp] = value;
    }
    __syncthreads();
    value = lane < 8 ? of_warp[lane] : 0;
    for (int distance = 16; distance > 0; distance /= 2) {
        const int other = __shfl_xor_sync(0xffffffffu, value, distance);
        value = value + other;
    }
    __syncthreads();
    return value;
}

__global__ void inclusive_scan_1_scalars(int* sum) { sum[0] = 0; }

__global__ void inclusive_scan_2_block_sums(int n, const int* __restrict__ in, int* __restrict__ sum_parts_1) {
    const long long strips = (n - 1) / 256 / gridDim.x + 1;
    const long long first = blockIdx.x * strips * 256;
    const long long end = min(first + strips * 256, (long long)n);
    int sum_added = 0;
    for (long long point = first + threadIdx.x; point < end; point += 256) {
        const int i = point;
        sum_added += in[i];
    }
    sum_added = block_sum_int(sum_added);
    if (threadIdx.x == 0) {
        sum_parts_1[blockIdx.x] = sum_added;
    }
}

__global__ void inclusive_scan_3_block_starts(int* __restrict__ sum, int* __restrict__ sum_parts_1, int parts_left) {
    const int start = sum[0];
    const int sum_added = (int)threadIdx.x < parts_left ? sum_parts_1[threadIdx.x] : 0;
    int total;
    const int before = block_scan_sum_int_of_256(sum_added, total);
    if ((int)threadIdx.x < parts_left) {
        sum_parts_1[threadIdx.x] = start + before;
    }
    if (threadIdx.x == 0) {
        sum[0] = start + total;
    }
}

__global__ void inclusive_scan_4_scan(int n, const int* __restrict__ in, int* __restrict__ out,
                                      int* __restrict__ sum_parts_1) {
    const long long strips = (n - 1) / 256 / gridDim.x + 1;
    const long long first = blockIdx.x * strips * 256;
    const long long end = min(first + strips * 256, (long long)n);
    int carry = sum_parts_1[blockIdx.x];
    for (long long strip = first; strip < end; strip += 256) {
        const int i = strip + threadIdx.x;
        int sum_added = 0;
        if (strip + threadIdx.x < end) {
            sum_added += in[i];
        }
        int total;
        int sum_here = carry + block_scan_sum_int_of_256(sum_added, total);
        if (strip + threadIdx.x < end) {
            sum_here += in[i];
            out[i] = sum_here;
        }
        carry = carry + total;
    }
}

extern "C" void inclusive_scan(int n, const int* in, int* out) {
    int* sum = nullptr;
    int* sum_parts_1 = nullptr;
    if (cudaMalloc(&sum, sizeof(int)) == cudaSuccess && cudaMalloc(&sum_parts_1, 256 * sizeof(int)) == cudaSuccess) {
        inclusive_scan_1_scalars<<<1, 1>>>(sum);
        if (n >= 1) {
            const int blocks = min((n - 1) / 256 + 1, 256);
            inclusive_scan_2_block_sums<<<blocks, 256>>>(n, in, sum_parts_1);
            const int parts_left = blocks;
            inclusive_scan_3_block_starts<<<1, 256>>>(sum, sum_parts_1, parts_left);
            inclusive_scan_4_scan<<<blocks, 256>>>(n, in, out, sum_parts_1);
        }
    }
    cudaFree(sum);
    cudaFree(sum_parts_1);
}