// Regions: a thread keeps where its four samples lie and goes through 16 channels with them.
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

constexpr int kChannels = 16;

__global__ void align(int channels, int height, int width, int out, const float* feature, const Box* region, float* result) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y, first = blockIdx.z * kChannels;
    if (at >= out * out) return;
    const int i = at / out, j = at % out;
    const Box box = region[r];
    const float high = (box.y1 - box.y0) / out, wide = (box.x1 - box.x0) / out;
    const Spot y0 = spot(box.y0 + (i + 0.25f) * high, height), y1 = spot(box.y0 + (i + 0.75f) * high, height);
    const Spot x0 = spot(box.x0 + (j + 0.25f) * wide, width), x1 = spot(box.x0 + (j + 0.75f) * wide, width);
    for (int c = first; c < min(channels, first + kChannels); ++c) {
        const float* plane = feature + (size_t)c * height * width;
        const float sum = sample(plane, width, y0, x0) + sample(plane, width, y0, x1) + sample(plane, width, y1, x0) + sample(plane, width, y1, x1);
        result[((size_t)r * channels + c) * out * out + at] = sum / 4;
    }
}

extern "C" void roi_align(int regions, int channels, int height, int width, int out, const float* feature, const Box* region, float* result) {
    align<<<dim3((out * out + 63) / 64, regions, (channels + kChannels - 1) / kChannels), 64>>>(channels, height, width, out, feature, region, result);
}
