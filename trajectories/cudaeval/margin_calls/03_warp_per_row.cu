// Margin calls: eight lanes an account, and a block adds its missing cents up before one atomic.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void pair_up(int instruments, const int32_t* move, const int32_t* margin, int2* terms) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < instruments) terms[i] = make_int2(move[i], margin[i]);
}

__global__ void mark(int accounts, const int32_t* start, const int32_t* instrument, const int32_t* lots, const int2* __restrict__ terms,
                     int64_t* balance, int64_t* need, uint8_t* called, unsigned long long* short_of) {
    __shared__ unsigned long long total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    const int a = (blockIdx.x * blockDim.x + threadIdx.x) / 8, lane = threadIdx.x % 8;
    long long gain = 0, wanted = 0;
    for (int k = a < accounts ? start[a] + lane : 0, end = a < accounts ? start[a + 1] : 0; k < end; k += 8) {
        const int2 own = terms[instrument[k]];
        const int held = lots[k];
        gain += (long long)held * own.x;
        wanted += (long long)abs(held) * own.y;
    }
    for (int apart = 4; apart > 0; apart /= 2) {
        gain += __shfl_xor_sync(0xffffffffu, gain, apart);
        wanted += __shfl_xor_sync(0xffffffffu, wanted, apart);
    }
    if (a < accounts && lane == 0) {
        const long long now = balance[a] + gain;
        balance[a] = now;
        need[a] = wanted;
        called[a] = now < wanted;
        if (now < wanted) atomicAdd(&total, (unsigned long long)(wanted - now));
    }
    __syncthreads();
    if (threadIdx.x == 0 && total) atomicAdd(short_of, total);
}

extern "C" void margin_calls(int accounts, int, int instruments, const int32_t* row_start, const int32_t* instrument, const int32_t* lots, const int32_t* move,
                             const int32_t* margin, int64_t* balance, int64_t* need, uint8_t* called, int64_t* short_of) {
    cudaMemsetAsync(short_of, 0, sizeof(int64_t));
    int2* terms = nullptr;
    cudaMallocAsync(&terms, sizeof(int2) * instruments, 0);
    pair_up<<<(instruments + 255) / 256, 256>>>(instruments, move, margin, terms);
    mark<<<(accounts + 15) / 16, 128>>>(accounts, row_start, instrument, lots, terms, balance, need, called,
                                         reinterpret_cast<unsigned long long*>(short_of));
    cudaFreeAsync(terms, 0);
}
