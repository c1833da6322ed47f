// Balances as differences of plain prefix sums, the sums scanned once more in the last pass, so that they are never stored.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kTile = 1024;

// Inclusive sum over the block.
__device__ long long block_scan(long long value) {
    __shared__ long long totals[kTile / 32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int distance = 1; distance < 32; distance *= 2) {
        long long below = __shfl_up_sync(0xffffffffu, value, distance);
        if (lane >= distance) value += below;
    }
    __syncthreads();  // nobody still reads the last call's totals
    if (lane == 31) totals[warp] = value;
    __syncthreads();
    if (warp == 0) {
        long long total = totals[lane];
        for (int distance = 1; distance < 32; distance *= 2) {
            long long below = __shfl_up_sync(0xffffffffu, total, distance);
            if (lane >= distance) total += below;
        }
        totals[lane] = total;
    }
    __syncthreads();
    return warp > 0 ? value + totals[warp - 1] : value;
}

__global__ void sum_tiles(long long entries, const long long* amount, long long* sums) {
    long long i = (long long)blockIdx.x * kTile + threadIdx.x;
    long long sum = block_scan(i < entries ? amount[i] : 0);
    if (threadIdx.x == kTile - 1) sums[blockIdx.x] = sum;
}

// Replaces each sum by the sum of those before it; one block.
__global__ void chain(int tiles, long long* sums) {
    __shared__ long long carry;
    if (threadIdx.x == 0) carry = 0;
    for (int k0 = 0; k0 < tiles; k0 += kTile) {
        int k = k0 + threadIdx.x;
        long long own = k < tiles ? sums[k] : 0, through = block_scan(own);
        long long before = carry;
        if (k < tiles) sums[k] = before + through - own;
        __syncthreads();
        if (threadIdx.x == kTile - 1) carry = before + through;
        __syncthreads();
    }
}

// At an account's first entry, what has to be added to all of its prefix sums.
__global__ void find_shifts(long long entries, const int* account, const long long* opening, const long long* amount, const long long* sums,
                            long long* shift) {
    long long i = (long long)blockIdx.x * kTile + threadIdx.x, own = i < entries ? amount[i] : 0;
    long long through = sums[blockIdx.x] + block_scan(own);
    if (i >= entries) return;
    int a = account[i];
    if (i == 0 || account[i - 1] != a) shift[a] = opening[a] - (through - own);
}

__global__ void balances(long long entries, const int* account, const long long* amount, const long long* sums, const long long* shift,
                         long long* balance) {
    long long i = (long long)blockIdx.x * kTile + threadIdx.x;
    long long through = sums[blockIdx.x] + block_scan(i < entries ? amount[i] : 0);
    if (i < entries) balance[i] = through + shift[account[i]];
}

extern "C" void account_balances(long long entries, int accounts, const int* account, const long long* opening, const long long* amount,
                                 long long* balance) {
    if (entries == 0) return;
    int tiles = (int)((entries + kTile - 1) / kTile);
    long long* sums = nullptr;
    cudaMalloc(&sums, (tiles + (size_t)accounts) * sizeof(long long));
    long long* shift = sums + tiles;
    sum_tiles<<<tiles, kTile>>>(entries, amount, sums);
    chain<<<1, kTile>>>(tiles, sums);
    find_shifts<<<tiles, kTile>>>(entries, account, opening, amount, sums, shift);
    balances<<<tiles, kTile>>>(entries, account, amount, sums, shift, balance);
    cudaFree(sums);
}
