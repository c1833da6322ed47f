// Loan pool cash flows; persistent blocks keep sums by month in shared memory.
#include <cuda_runtime.h>

#include <algorithm>

constexpr int kThreads = 256;
constexpr int kBlocks = 1056;  // at most; each walks over many loans
constexpr int kMostMonths = 480;
constexpr unsigned int kAll = 0xffffffffu;

using Sum = unsigned long long;  // what atomicAdd takes; sums are never negative

struct Months {
    Sum interest[kMostMonths], principal[kMostMonths];
    int open[kMostMonths];
};

__device__ Sum sum_of_warp(long long value) {  // in lane 0
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(kAll, value, distance);
    return (Sum)value;
}

// One loan for each lane; a lane without a loan brings balance 0.
__device__ void add_loans(int months, long long left, long long monthly, long long instalment, Months& sums) {
    for (int m = 0; m < months && __any_sync(kAll, left > 0); ++m) {
        const long long interest = left * monthly / 1000000;
        const long long principal = max(0LL, min(left, instalment - interest));
        left -= principal;
        const Sum interests = sum_of_warp(interest), principals = sum_of_warp(principal);
        const int open = __popc(__ballot_sync(kAll, left > 0));
        if (threadIdx.x % 32 == 0) {
            atomicAdd(sums.interest + m, interests);
            atomicAdd(sums.principal + m, principals);
            atomicAdd(sums.open + m, open);
        }
    }
}

__global__ void project(int loans, int months, const long long* balance, const int* rate, const long long* payment,
                        Sum* interest_due, Sum* principal_paid, int* still_open) {
    __shared__ Months sums;
    for (int m = threadIdx.x; m < months; m += kThreads) {
        sums.interest[m] = sums.principal[m] = 0;
        sums.open[m] = 0;
    }
    __syncthreads();
    for (int first = blockIdx.x * kThreads; first < loans; first += gridDim.x * kThreads) {
        const int l = first + threadIdx.x;
        const bool exists = l < loans;
        add_loans(months, exists ? balance[l] : 0, exists ? rate[l] : 0, exists ? payment[l] : 0, sums);
    }
    __syncthreads();
    for (int m = threadIdx.x; m < months; m += kThreads) {
        if (sums.interest[m] == 0 && sums.principal[m] == 0) continue;  // no loan of this block paid in that month
        atomicAdd(interest_due + m, sums.interest[m]);
        atomicAdd(principal_paid + m, sums.principal[m]);
        atomicAdd(still_open + m, sums.open[m]);
    }
}

extern "C" void pool_cashflows(int loans, int months, const long long* balance, const int* rate,
                               const long long* payment, long long* interest_due, long long* principal_paid,
                               int* still_open) {
    cudaMemsetAsync(interest_due, 0, months * sizeof(Sum));
    cudaMemsetAsync(principal_paid, 0, months * sizeof(Sum));
    cudaMemsetAsync(still_open, 0, months * sizeof(int));
    project<<<std::min(kBlocks, (loans - 1) / kThreads + 1), kThreads>>>(
        loans, months, balance, rate, payment, reinterpret_cast<Sum*>(interest_due),
        reinterpret_cast<Sum*>(principal_paid), still_open);
}
