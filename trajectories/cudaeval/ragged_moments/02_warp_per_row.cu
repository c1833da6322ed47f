// Ragged moments: a warp has a meter; its lanes read side by side and add up by shuffles.
#include <cuda_runtime.h>

#include <cstdint>

__device__ bool counted(float reading, double& x) {
    x = floorf(reading * 16.0f);
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
    double x, sum = 0.0, squares = 0.0;
    int count = 0, below = 0, above = 0;
    for (int i = begin + lane; i < end; i += 32)
        if (counted(reading[i], x)) {
            sum += x;
            ++count;
        }
    sum = lanes_sum(sum);
    count = lanes_sum(count);
    if (lane == 0) {
        valid[g] = count;
        mean[g] = spread[g] = 0.0;
        mark[g] = 0;
    }
    if (count < 2) return;
    const double average = sum / count;
    for (int i = begin + lane; i < end; i += 32)
        if (counted(reading[i], x)) {
            squares += (x - average) * (x - average);
            below += x * count < sum;
            above += x * count > sum;
        }
    squares = lanes_sum(squares);
    const int lead = lanes_sum(below - above);
    if (lane) return;
    mean[g] = average;
    spread[g] = sqrt(squares / (count - 1));
    mark[g] = lead > 0 ? 1 : lead < 0 ? -1 : 0;
}

extern "C" void ragged_moments(int meters, int readings, const int32_t* start, const float* reading, int32_t* valid, double* mean,
                               double* spread, int32_t* mark) {
    moments<<<(meters + 3) / 4, 128>>>(meters, readings, start, reading, valid, mean, spread, mark);
}
