// Loans: one loan a thread, in device memory, an atomic a month for the worst debt.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void pay(int loans, int months, const int* rate, const int* payment, const int* holiday, int64_t* debt, int* month, int64_t* interest, long long* worst) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= loans) return;
    month[i] = 0;
    interest[i] = 0;
    for (int m = 1; m <= months; ++m) {
        const long long grown = (debt[i] * rate[i] + 60000) / 120000;
        interest[i] += grown;
        debt[i] += grown;
        if (m > holiday[i]) debt[i] -= min((long long)payment[i], (long long)debt[i]);
        if (debt[i] == 0 && month[i] == 0) month[i] = m;
        atomicMax(worst, (long long)debt[i]);
    }
}

extern "C" void loan_schedules(int loans, int months, const int32_t* rate, const int32_t* payment, const int32_t* holiday, int64_t* debt, int32_t* month,
                               int64_t* interest, int64_t* worst) {
    cudaMemsetAsync(worst, 0, sizeof(int64_t));
    pay<<<(loans + 127) / 128, 128>>>(loans, months, rate, payment, holiday, debt, month, interest, reinterpret_cast<long long*>(worst));
}
