// Sensor medians: one tick a thread; one without good sensors walks back to the last that has some.
#include <cuda_runtime.h>

#include <cstdint>

__device__ int median_of(const int32_t* reading, int flags) {
    int good[5], n = 0;
    for (int s = 0; s < 5; ++s)
        if (!(flags >> s & 1)) good[n++] = reading[s];
    for (int i = 1; i < n; ++i) {
        const int x = good[i];
        int at = i;
        for (; at > 0 && good[at - 1] > x; --at) good[at] = good[at - 1];
        good[at] = x;
    }
    return n % 2 ? good[n / 2] : (good[n / 2 - 1] + good[n / 2]) >> 1;
}

__global__ void medians(int ticks, int band, const int32_t* reading, const uint8_t* flags, int32_t* value, int32_t* strikes) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= ticks) return;
    int from = t;
    while (from >= 0 && flags[from] == 31) --from;
    const int held = from < 0 ? 0 : median_of(reading + 5 * (size_t)from, flags[from]);
    value[t] = held;
    for (int s = 0; s < 5; ++s)
        if (!(flags[t] >> s & 1) && abs(reading[5 * (size_t)t + s] - held) > band) atomicAdd(&strikes[s], 1);
}

extern "C" void sensor_median_tree(int ticks, int band, const int32_t* reading, const uint8_t* flags, int32_t* value, int32_t* strikes) {
    cudaMemsetAsync(strikes, 0, 5 * sizeof(int32_t));
    medians<<<(ticks + 255) / 256, 256>>>(ticks, band, reading, flags, value, strikes);
}
