// Balances as differences of plain prefix sums: a balance is the sum so far, less the sum before the account, plus its opening.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kSlices = 16384;  // threads that sum and scan a slice each

__global__ void sum_slices(long long entries, long long length, const long long* amount, long long* sums) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    long long sum = 0;
    for (long long i = k * length; i < min((k + 1) * length, entries); ++i) sum += amount[i];
    sums[k] = sum;
}

__global__ void chain(long long* sums) {
    long long before = 0;
    for (int k = 0; k < kSlices; ++k) {
        long long sum = sums[k];
        sums[k] = before;
        before += sum;
    }
}

// Prefix sums to balance; at an account's first entry also what has to be added to all of its prefix sums.
__global__ void scan_slices(long long entries, long long length, const int* account, const long long* opening, const long long* amount,
                            const long long* sums, long long* balance, long long* shift) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    long long running = sums[k];
    for (long long i = k * length; i < min((k + 1) * length, entries); ++i) {
        int a = account[i];
        if (i == 0 || account[i - 1] != a) shift[a] = opening[a] - running;
        running += amount[i];
        balance[i] = running;
    }
}

__global__ void add_shift(long long entries, const int* account, const long long* shift, long long* balance) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < entries) balance[i] += shift[account[i]];
}

extern "C" void account_balances(long long entries, int accounts, const int* account, const long long* opening, const long long* amount,
                                 long long* balance) {
    if (entries == 0) return;
    long long length = (entries + kSlices - 1) / kSlices;
    long long* sums = nullptr;
    cudaMalloc(&sums, (kSlices + (size_t)accounts) * sizeof(long long));
    long long* shift = sums + kSlices;
    sum_slices<<<kSlices / 128, 128>>>(entries, length, amount, sums);
    chain<<<1, 1>>>(sums);
    scan_slices<<<kSlices / 128, 128>>>(entries, length, account, opening, amount, sums, balance, shift);
    add_shift<<<(unsigned)((entries + 255) / 256), 256>>>(entries, account, shift, balance);
    cudaFree(sums);
}
