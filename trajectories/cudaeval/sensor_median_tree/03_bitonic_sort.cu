// Sensor medians: five values stay in registers and pass a sorting network; flagged ones become the largest.
#include <cuda_runtime.h>

#include <cstdint>

__device__ void order(int& a, int& b) {
    const int low = min(a, b);
    b = max(a, b);
    a = low;
}

__device__ int median_of(const int32_t* reading, int flags) {
    int good[5];
#pragma unroll
    for (int s = 0; s < 5; ++s) good[s] = flags >> s & 1 ? 0x7fffffff : reading[s];
    order(good[0], good[1]);
    order(good[3], good[4]);
    order(good[2], good[4]);
    order(good[2], good[3]);
    order(good[0], good[3]);
    order(good[0], good[2]);
    order(good[1], good[4]);
    order(good[1], good[3]);
    order(good[1], good[2]);
    const int n = 5 - __popc(flags & 31);
    return n == 5 ? good[2] : n == 4 ? (good[1] + good[2]) >> 1 : n == 3 ? good[1] : n == 2 ? (good[0] + good[1]) >> 1 : good[0];
}

__global__ void medians(int ticks, int band, const int32_t* reading, const uint8_t* flags, int32_t* value, int32_t* strikes) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    int from = min(t, ticks - 1);
    while (from >= 0 && flags[from] == 31) --from;
    const int held = from < 0 ? 0 : median_of(reading + 5 * (size_t)from, flags[from]);
    if (t < ticks) value[t] = held;
    for (int s = 0; s < 5; ++s) {
        const int struck = __syncthreads_count(t < ticks && !(flags[t] >> s & 1) && abs(reading[5 * (size_t)t + s] - held) > band);
        if (threadIdx.x == 0 && struck) atomicAdd(&strikes[s], struck);
    }
}

extern "C" void sensor_median_tree(int ticks, int band, const int32_t* reading, const uint8_t* flags, int32_t* value, int32_t* strikes) {
    cudaMemsetAsync(strikes, 0, 5 * sizeof(int32_t));
    medians<<<(ticks + 255) / 256, 256>>>(ticks, band, reading, flags, value, strikes);
}
