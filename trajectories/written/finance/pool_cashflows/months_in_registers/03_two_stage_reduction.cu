// Loan pool cash flows, eight months per launch; sums go from registers to blocks to a final kernel, without atomics.
#include <cuda_runtime.h>

#include <algorithm>

constexpr int kThreads = 256;
constexpr int kBlocks = 528;
constexpr int kChunk = 8;  // months per launch
constexpr int kWarps = kThreads / 32;

using Sum = unsigned long long;

__device__ Sum sum_of_warp(Sum value) {  // in lane 0
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
    return value;
}

// partial[(quantity * months + month) * blocks + block]; quantities are interest, principal, open loans.
__global__ void project(int loans, int first_month, int months, const long long* balance, const int* rate,
                        const long long* payment, long long* left_over, Sum* partial) {
    __shared__ Sum warp_sum[3 * kChunk][kWarps];
    Sum sums[3][kChunk] = {};
    for (int l = blockIdx.x * kThreads + threadIdx.x; l < loans; l += gridDim.x * kThreads) {
        const long long monthly = rate[l], instalment = payment[l];
        long long left = balance[l];
#pragma unroll
        for (int m = 0; m < kChunk; ++m) {
            const long long interest = left * monthly / 1000000;
            const long long principal = max(0LL, min(left, instalment - interest));
            left -= principal;
            sums[0][m] += (Sum)interest;
            sums[1][m] += (Sum)principal;
            sums[2][m] += left > 0;
        }
        left_over[l] = left;
    }
#pragma unroll
    for (int q = 0; q < 3; ++q) {
#pragma unroll
        for (int m = 0; m < kChunk; ++m) {
            const Sum total = sum_of_warp(sums[q][m]);
            if (threadIdx.x % 32 == 0) warp_sum[q * kChunk + m][threadIdx.x / 32] = total;
        }
    }
    __syncthreads();
    if (threadIdx.x >= 3 * kChunk) return;
    const int quantity = threadIdx.x / kChunk, month = first_month + threadIdx.x % kChunk;
    Sum total = 0;
    for (int w = 0; w < kWarps; ++w) total += warp_sum[threadIdx.x][w];
    if (month < months) partial[((size_t)quantity * months + month) * gridDim.x + blockIdx.x] = total;
}

__global__ void finish(int months, int blocks, const Sum* partial, long long* interest_due, long long* principal_paid,
                       int* still_open) {
    const int month = blockIdx.x, quantity = threadIdx.x / 32, lane = threadIdx.x % 32;
    const Sum* from = partial + ((size_t)quantity * months + month) * blocks;
    Sum total = 0;
    for (int block = lane; block < blocks; block += 32) total += from[block];
    total = sum_of_warp(total);
    if (lane != 0) return;
    if (quantity == 0) interest_due[month] = (long long)total;
    if (quantity == 1) principal_paid[month] = (long long)total;
    if (quantity == 2) still_open[month] = (int)total;
}

extern "C" void pool_cashflows(int loans, int months, const long long* balance, const int* rate,
                               const long long* payment, long long* interest_due, long long* principal_paid,
                               int* still_open) {
    const int blocks = std::min(kBlocks, (loans - 1) / kThreads + 1);
    long long* left = nullptr;
    Sum* partial = nullptr;
    cudaMalloc(&left, loans * sizeof(long long));
    cudaMalloc(&partial, 3 * (size_t)months * blocks * sizeof(Sum));
    for (int first = 0; first < months; first += kChunk)
        project<<<blocks, kThreads>>>(loans, first, months, first == 0 ? balance : left, rate, payment, left, partial);
    finish<<<months, 3 * 32>>>(months, blocks, partial, interest_due, principal_paid, still_open);
    cudaFree(partial);
    cudaFree(left);
}
