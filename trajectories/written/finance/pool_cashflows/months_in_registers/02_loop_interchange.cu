// Loan pool cash flows, eight months per launch; a thread strides over loans and keeps the sums in registers.
#include <cuda_runtime.h>

#include <algorithm>

constexpr int kThreads = 256;
constexpr int kBlocks = 528;
constexpr int kChunk = 8;  // months per launch

using Sum = unsigned long long;  // what atomicAdd takes; sums are never negative

// `balance` is read, `left` written: the same array from the second chunk on.
__global__ void project(int loans, int months, const long long* balance, const int* rate, const long long* payment,
                        long long* left_over, Sum* interest_due, Sum* principal_paid, int* still_open) {
    Sum interests[kChunk] = {}, principals[kChunk] = {};
    int open[kChunk] = {};
    for (int l = blockIdx.x * kThreads + threadIdx.x; l < loans; l += gridDim.x * kThreads) {
        const long long monthly = rate[l], instalment = payment[l];
        long long left = balance[l];
#pragma unroll
        for (int m = 0; m < kChunk; ++m) {
            const long long interest = left * monthly / 1000000;
            const long long principal = max(0LL, min(left, instalment - interest));
            left -= principal;
            interests[m] += (Sum)interest;
            principals[m] += (Sum)principal;
            open[m] += left > 0;
        }
        left_over[l] = left;
    }
#pragma unroll
    for (int m = 0; m < kChunk; ++m) {
        if (m >= months) break;
        atomicAdd(interest_due + m, interests[m]);
        atomicAdd(principal_paid + m, principals[m]);
        atomicAdd(still_open + m, open[m]);
    }
}

extern "C" void pool_cashflows(int loans, int months, const long long* balance, const int* rate,
                               const long long* payment, long long* interest_due, long long* principal_paid,
                               int* still_open) {
    long long* left = nullptr;
    cudaMalloc(&left, loans * sizeof(long long));
    cudaMemsetAsync(interest_due, 0, months * sizeof(Sum));
    cudaMemsetAsync(principal_paid, 0, months * sizeof(Sum));
    cudaMemsetAsync(still_open, 0, months * sizeof(int));
    const int blocks = std::min(kBlocks, (loans - 1) / kThreads + 1);
    for (int first = 0; first < months; first += kChunk)
        project<<<blocks, kThreads>>>(loans, months - first, first == 0 ? balance : left, rate, payment, left,
                                      reinterpret_cast<Sum*>(interest_due) + first,
                                      reinterpret_cast<Sum*>(principal_paid) + first, still_open + first);
    cudaFree(left);
}
