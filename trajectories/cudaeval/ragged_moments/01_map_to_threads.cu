// Ragged moments: one meter a thread, two passes over its readings.
#include <cuda_runtime.h>

#include <cstdint>

__device__ bool counted(float reading, double& x) {
    x = floorf(reading * 16.0f);
    return reading >= 0.0f;
}

__global__ void moments(int meters, int readings, const int32_t* start, const float* reading, int32_t* valid, double* mean, double* spread,
                        int32_t* mark) {
    const int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= meters) return;
    const int begin = start[g], end = g + 1 == meters ? readings : start[g + 1];
    double x, sum = 0.0, squares = 0.0;
    int count = 0, below = 0, above = 0;
    for (int i = begin; i < end; ++i)
        if (counted(reading[i], x)) {
            sum += x;
            ++count;
        }
    valid[g] = count;
    mean[g] = spread[g] = 0.0;
    mark[g] = 0;
    if (count < 2) return;
    const double average = sum / count;
    for (int i = begin; i < end; ++i)
        if (counted(reading[i], x)) {
            squares += (x - average) * (x - average);
            below += x * count < sum;
            above += x * count > sum;
        }
    mean[g] = average;
    spread[g] = sqrt(squares / (count - 1));
    mark[g] = below > above ? 1 : below < above ? -1 : 0;
}

extern "C" void ragged_moments(int meters, int readings, const int32_t* start, const float* reading, int32_t* valid, double* mean,
                               double* spread, int32_t* mark) {
    moments<<<(meters + 127) / 128, 128>>>(meters, readings, start, reading, valid, mean, spread, mark);
}
