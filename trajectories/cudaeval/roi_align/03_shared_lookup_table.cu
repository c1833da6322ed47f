// Regions: places and weights of all rows and columns of samples are found once a block, and threads go over boxes and channels as one range.
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

constexpr int kChannels = 16, kMost = 64;

__global__ void align(int channels, int height, int width, int out, const float* __restrict__ feature, const Box* __restrict__ region, float* __restrict__ result) {
    __shared__ Spot rows[2 * kMost], cols[2 * kMost];
    const int r = blockIdx.x, first = blockIdx.y * kChannels, boxes = out * out;
    const Box box = region[r];
    const float high = (box.y1 - box.y0) / out, wide = (box.x1 - box.x0) / out;
    for (int k = threadIdx.x; k < 2 * out && k < 2 * kMost; k += 256) {
        rows[k] = spot(box.y0 + (k / 2 + 0.25f + 0.5f * (k % 2)) * high, height);
        cols[k] = spot(box.x0 + (k / 2 + 0.25f + 0.5f * (k % 2)) * wide, width);
    }
    __syncthreads();
    const int count = min(kChannels, channels - first) * boxes;
    for (int at = threadIdx.x; at < count; at += 256) {
        const int c = first + at / boxes, i = at % boxes / out, j = at % out;
        const float* plane = feature + (size_t)c * height * width;
        float sum = 0;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const int v = 2 * i + k / 2, u = 2 * j + k % 2;
            const Spot y = v < 2 * kMost ? rows[v] : spot(box.y0 + (i + 0.25f + 0.5f * (k / 2)) * high, height);
            const Spot x = u < 2 * kMost ? cols[u] : spot(box.x0 + (j + 0.25f + 0.5f * (k % 2)) * wide, width);
            sum += sample(plane, width, y, x);
        }
        result[((size_t)r * channels + first) * boxes + at] = sum / 4;
    }
}

extern "C" void roi_align(int regions, int channels, int height, int width, int out, const float* feature, const Box* region, float* result) {
    align<<<dim3(regions, (channels + kChannels - 1) / kChannels), 256>>>(channels, height, width, out, feature, region, result);
}
