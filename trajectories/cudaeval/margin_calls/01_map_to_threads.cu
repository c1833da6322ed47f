// Margin calls: one account a thread, an atomic for each that is called.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void mark(int accounts, const int32_t* start, const int32_t* instrument, const int32_t* lots, const int32_t* move, const int32_t* margin,
                     int64_t* balance, int64_t* need, uint8_t* called, unsigned long long* short_of) {
    const int a = blockIdx.x * blockDim.x + threadIdx.x;
    if (a >= accounts) return;
    long long gain = 0, wanted = 0;
    for (int k = start[a]; k < start[a + 1]; ++k) {
        gain += (long long)lots[k] * move[instrument[k]];
        wanted += (long long)abs(lots[k]) * margin[instrument[k]];
    }
    const long long now = balance[a] + gain;
    balance[a] = now;
    need[a] = wanted;
    called[a] = now < wanted;
    if (now < wanted) atomicAdd(short_of, (unsigned long long)(wanted - now));
}

extern "C" void margin_calls(int accounts, int, int, const int32_t* row_start, const int32_t* instrument, const int32_t* lots, const int32_t* move,
                             const int32_t* margin, int64_t* balance, int64_t* need, uint8_t* called, int64_t* short_of) {
    cudaMemsetAsync(short_of, 0, sizeof(int64_t));
    mark<<<(accounts + 127) / 128, 128>>>(accounts, row_start, instrument, lots, move, margin, balance, need, called,
                                         reinterpret_cast<unsigned long long*>(short_of));
}
