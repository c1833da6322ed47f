// Straightening a picture: a thread a pixel.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kAcross = 32, kDown = 8;

__device__ float4 weights(float t) {
    return make_float4(((-0.5f * t + 1.0f) * t - 0.5f) * t, (1.5f * t - 2.5f) * t * t + 1.0f, ((-1.5f * t + 2.0f) * t + 0.5f) * t,
                       (0.5f * t - 0.5f) * t * t);
}

__device__ float2 locate(int y, int x, int height, int width, float bend) {
    const float cy = 0.5f * (height - 1), cx = 0.5f * (width - 1), dy = y - cy, dx = x - cx;
    const float ratio = 1.0f + bend * (dx * dx + dy * dy) / (cx * cx + cy * cy + 1.0f);
    return make_float2(cx + ratio * dx, cy + ratio * dy);
}

__device__ float blend(const uint8_t* row, int4 column, float4 w) {
    return w.x * row[column.x] + w.y * row[column.y] + w.z * row[column.z] + w.w * row[column.w];
}

__device__ int held(int i, int count) { return min(max(i, 0), count - 1); }

__global__ void remap(int height, int width, float bend, const uint8_t* taken, float* straight) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x >= width || y >= height) return;
    const float2 s = locate(y, x, height, width, bend);
    const int top = (int)floorf(s.y), left = (int)floorf(s.x);
    const float4 wy = weights(s.y - top), wx = weights(s.x - left);
    const int4 column = make_int4(held(left - 1, width), held(left, width), held(left + 1, width), held(left + 2, width));
    float sum = wy.x * blend(taken + (size_t)held(top - 1, height) * width, column, wx);
    sum += wy.y * blend(taken + (size_t)held(top, height) * width, column, wx);
    sum += wy.z * blend(taken + (size_t)held(top + 1, height) * width, column, wx);
    sum += wy.w * blend(taken + (size_t)held(top + 2, height) * width, column, wx);
    straight[(size_t)y * width + x] = sum;
}

extern "C" void cubic_remap(int height, int width, float bend, const uint8_t* taken, float* straight) {
    const dim3 block(kAcross, kDown), grid((width - 1) / kAcross + 1, (height - 1) / kDown + 1);
    remap<<<grid, block>>>(height, width, bend, taken, straight);
}
