// Balances: the thread of an account's first entry walks all of them.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void walk(long long entries, const int* account, const long long* opening, const long long* amount, long long* balance) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= entries) return;
    int mine = account[i];
    if (i > 0 && account[i - 1] == mine) return;
    long long running = opening[mine];
    for (; i < entries && account[i] == mine; ++i) {
        running += amount[i];
        balance[i] = running;
    }
}

extern "C" void account_balances(long long entries, int accounts, const int* account, const long long* opening, const long long* amount,
                                 long long* balance) {
    if (entries == 0) return;
    walk<<<(unsigned)((entries + 255) / 256), 256>>>(entries, account, opening, amount, balance);
}
