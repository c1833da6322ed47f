// Loan pool cash flows; four loans per lane, warps add with one instruction, blocks keep sums by month.
#include <cuda_runtime.h>

#include <algorithm>

constexpr int kThreads = 256;
constexpr int kLoans = 4;      // per lane
constexpr int kBlocks = 1056;  // at most; each walks over many loans
constexpr int kMostMonths = 480;
constexpr unsigned int kAll = 0xffffffffu;

using Sum = unsigned long long;  // what atomicAdd takes; sums are never negative

struct Months {
    Sum interest[kMostMonths], principal[kMostMonths];
    int open[kMostMonths];
};

struct Loan {
    int left;
    unsigned int monthly;
    int instalment;
};

// kLoans loans for each lane; one that does not exist has balance 0.
__device__ void add_loans(int months, Loan (&loan)[kLoans], Months& sums) {
    int open = 1;
    for (int m = 0; m < months && open > 0; ++m) {
        unsigned int interest_sum = 0, principal_sum = 0, open_sum = 0;
#pragma unroll
        for (int k = 0; k < kLoans; ++k) {
            const int interest = (int)((Sum)loan[k].left * loan[k].monthly / 1000000u);
            const int principal = max(0, min(loan[k].left, loan[k].instalment - interest));
            loan[k].left -= principal;
            interest_sum += interest;
            principal_sum += principal;
            open_sum += loan[k].left > 0;
        }
        const Sum interests = __reduce_add_sync(kAll, interest_sum);  // below 2^32: see the task's bounds
        const Sum principals = __reduce_add_sync(kAll, principal_sum);
        open = (int)__reduce_add_sync(kAll, open_sum);
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
    const int share = kThreads * kLoans;
    for (int first = blockIdx.x * share; first < loans; first += gridDim.x * share) {
        Loan loan[kLoans];
#pragma unroll
        for (int k = 0; k < kLoans; ++k) {
            const int l = first + k * kThreads + threadIdx.x;
            loan[k] = {0, 0, 0};
            if (l < loans) loan[k] = {(int)balance[l], (unsigned int)rate[l], (int)payment[l]};
        }
        add_loans(months, loan, sums);
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
    project<<<std::min(kBlocks, (loans - 1) / (kThreads * kLoans) + 1), kThreads>>>(
        loans, months, balance, rate, payment, reinterpret_cast<Sum*>(interest_due),
        reinterpret_cast<Sum*>(principal_paid), still_open);
}
