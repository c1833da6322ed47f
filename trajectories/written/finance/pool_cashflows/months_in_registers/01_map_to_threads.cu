// Loan pool cash flows, one thread per loan with atomic sums by month.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

using Sum = unsigned long long;  // what atomicAdd takes; sums are never negative

__global__ void project(int loans, int months, const long long* balance, const int* rate, const long long* payment,
                        Sum* interest_due, Sum* principal_paid, int* still_open) {
    const int l = blockIdx.x * kThreads + threadIdx.x;
    if (l >= loans) return;
    long long left = balance[l];
    for (int m = 0; m < months; ++m) {
        const long long interest = left * rate[l] / 1000000;
        const long long principal = max(0LL, min(left, payment[l] - interest));
        left -= principal;
        atomicAdd(interest_due + m, (Sum)interest);
        atomicAdd(principal_paid + m, (Sum)principal);
        atomicAdd(still_open + m, left > 0 ? 1 : 0);
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
