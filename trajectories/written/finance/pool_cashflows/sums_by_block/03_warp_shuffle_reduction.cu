// Loan pool cash flows, one thread per loan; warps add their month in registers before the atomics.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

using Sum = unsigned long long;  // what atomicAdd takes; sums are never negative

constexpr unsigned int kAll = 0xffffffffu;

__device__ Sum sum_of_warp(long long value) {  // in lane 0
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(kAll, value, distance);
    return (Sum)value;
}

__global__ void project(int loans, int months, const long long* balance, const int* rate, const long long* payment,
                        Sum* interest_due, Sum* principal_paid, int* still_open) {
    const int l = blockIdx.x * kThreads + threadIdx.x;
    const long long monthly = l < loans ? rate[l] : 0, instalment = l < loans ? payment[l] : 0;
    long long left = l < loans ? balance[l] : 0;
    for (int m = 0; m < months && __any_sync(kAll, left > 0); ++m) {
        const long long interest = left * monthly / 1000000;
        const long long principal = max(0LL, min(left, instalment - interest));
        left -= principal;
        const Sum interests = sum_of_warp(interest), principals = sum_of_warp(principal);
        const int open = __popc(__ballot_sync(kAll, left > 0));
        if (threadIdx.x % 32 == 0) {
            atomicAdd(interest_due + m, interests);
            atomicAdd(principal_paid + m, principals);
            atomicAdd(still_open + m, open);
        }
    }
}

extern "C" void pool_cashflows(int loans, int months, const long long* balance, const int* rate,
                               const long long* payment, long long* interest_due, long long* principal_paid,
                               int* still_open) {
    cudaMemsetAsync(interest_due, 0, months * sizeof(Sum));
    cudaMemsetAsync(principal_paid, 0, months * sizeof(Sum));
    cudaMemsetAsync(still_open, 0, months * sizeof(int));
    project<<<(loans - 1) / kThreads + 1, kThreads>>>(loans, months, balance, rate, payment,
                                                      reinterpret_cast<Sum*>(interest_due),
                                                      reinterpret_cast<Sum*>(principal_paid), still_open);
}
