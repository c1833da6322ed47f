// Regions: one box of one channel a thread.
#include <cuda_runtime.h>

struct Box { float x0, y0, x1, y1; };

struct Spot {
    int low, high;
    float part;
};

// the two cells around a coordinate, and the weight of the second
__device__ Spot spot(float at, int count) {
    at = fminf(fmaxf(at, 0.0f), (float)(count - 1));
    const int low = (int)at;
    return {low, min(low + 1, count - 1), at - low};
}

__device__ float sample(const float* plane, int width, Spot y, Spot x) {
    const float upper = (1 - x.part) * plane[y.low * width + x.low] + x.part * plane[y.low * width + x.high];
    const float lower = (1 - x.part) * plane[y.high * width + x.low] + x.part * plane[y.high * width + x.high];
    return (1 - y.part) * upper + y.part * lower;
}

__global__ void align(long long total, int channels, int height, int width, int out, const float* feature, const Box* region, float* result) {
    const long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= total) return;
    const int j = at % out, i = at / out % out, c = at / (out * out) % channels, r = at / ((long long)out * out * channels);
    const Box box = region[r];
    const float high = (box.y1 - box.y0) / out, wide = (box.x1 - box.x0) / out;
    const float* plane = feature + (size_t)c * height * width;
    float sum = 0;
    for (int k = 0; k < 4; ++k)
        sum += sample(plane, width, spot(box.y0 + (i + 0.25f + 0.5f * (k / 2)) * high, height), spot(box.x0 + (j + 0.25f + 0.5f * (k % 2)) * wide, width));
    result[at] = sum / 4;
}

extern "C" void roi_align(int regions, int channels, int height, int width, int out, const float* feature, const Box* region, float* result) {
    const long long total = (long long)regions * channels * out * out;
    align<<<(unsigned)((total + 255) / 256), 256>>>(total, channels, height, width, out, feature, region, result);
}
