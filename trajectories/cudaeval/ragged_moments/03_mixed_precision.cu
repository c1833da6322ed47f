// Ragged moments: sums of whole sixteenths are taken in 64-bit integers, and the spread comes from them, exactly.
#include <cuda_runtime.h>

#include <cstdint>

__device__ bool counted(float reading, int& x) {
    x = (int)floorf(reading * 16.0f);
    return reading >= 0.0f;
}

template <typename T>
__device__ T lanes_sum(T value) {
    for (int apart = 16; apart > 0; apart /= 2) value += __shfl_xor_sync(0xffffffffu, value, apart);
    return value;
}

__global__ void moments(int meters, int readings, const int32_t* start, const float* reading, int32_t* valid, double* mean, double* spread,
                        int32_t* mark) {
    const int g = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (g >= meters) return;
    const int begin = start[g], end = g + 1 == meters ? readings : start[g + 1];
    long long sum = 0, squares = 0;
    int x, count = 0, lead = 0;
    for (int i = begin + lane; i < end; i += 32)
        if (counted(reading[i], x)) {
            sum += x;
            squares += x * x;
            ++count;
        }
    sum = lanes_sum(sum);
    squares = lanes_sum(squares);
    count = lanes_sum(count);
    if (lane == 0) {
        valid[g] = count;
        mean[g] = spread[g] = 0.0;
        mark[g] = 0;
    }
    if (count < 2) return;

    for (int i = begin + lane; i < end; i += 32)
        if (counted(reading[i], x)) {
            const long long here = (long long)x * count;
            lead += (here < sum) - (here > sum);
        }
    lead = lanes_sum(lead);
    if (lane) return;
    mean[g] = (double)sum / count;
    spread[g] = sqrt((double)(squares * count - sum * sum) / count / (count - 1));
    mark[g] = lead > 0 ? 1 : lead < 0 ? -1 : 0;
}

extern "C" void ragged_moments(int meters, int readings, const int32_t* start, const float* reading, int32_t* valid, double* mean,
                               double* spread, int32_t* mark) {
    moments<<<(meters + 3) / 4, 128>>>(meters, readings, start, reading, valid, mean, spread, mark);
}
