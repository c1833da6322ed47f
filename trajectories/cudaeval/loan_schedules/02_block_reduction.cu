// Loans: debts stay in registers; a warp settles its worst debt once, at the end.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void pay(int loans, int months, const int* rate, const int* payment, const int* holiday, int64_t* debt, int* month, int64_t* interest, long long* worst) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long most = 0;
    if (i < loans) {
        long long owed = debt[i], all = 0;
        const long long each = payment[i], by = rate[i];
        const int free = holiday[i];
        int when = 0;
        for (int m = 1; m <= months; ++m) {
            const long long grown = (owed * by + 60000) / 120000;
            all += grown;
            owed += grown;
            if (m > free) owed -= min(each, owed);
            if (owed == 0 && when == 0) when = m;
            most = max(most, owed);
        }
        debt[i] = owed;
        month[i] = when;
        interest[i] = all;
    }
    for (int apart = 16; apart > 0; apart /= 2) most = max(most, __shfl_xor_sync(0xffffffffu, most, apart));
    if (threadIdx.x % 32 == 0) atomicMax(worst, most);
}

extern "C" void loan_schedules(int loans, int months, const int32_t* rate, const int32_t* payment, const int32_t* holiday, int64_t* debt, int32_t* month,
                               int64_t* interest, int64_t* worst) {
    cudaMemsetAsync(worst, 0, sizeof(int64_t));
    pay<<<(loans + 127) / 128, 128>>>(loans, months, rate, payment, holiday, debt, month, interest, reinterpret_cast<long long*>(worst));
}
