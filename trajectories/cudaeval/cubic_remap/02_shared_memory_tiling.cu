// Straightening a picture: the part of the picture that a block needs is read once, to shared memory.
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

constexpr int kTileX = 64, kTileY = 24;

__device__ int held(int i, int count) { return min(max(i, 0), count - 1); }

__device__ float blend(const uint8_t* four, float4 w) { return w.x * four[0] + w.y * four[1] + w.z * four[2] + w.w * four[3]; }

// What a block's pixels are taken from is a rectangle little larger than the block. It is brought to shared memory, with the edges of the
// picture held; should it be too large, each pixel is taken on its own.
__global__ void remap(int height, int width, float bend, const uint8_t* taken, float* straight) {
    __shared__ uint8_t tile[kTileY][kTileX];
    __shared__ int low_x, low_y, high_x, high_y;
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    const bool wanted = x < width && y < height;
    const float2 s = locate(min(y, height - 1), min(x, width - 1), height, width, bend);
    const int top = (int)floorf(s.y) - 1, left = (int)floorf(s.x) - 1;
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        low_x = high_x = left;
        low_y = high_y = top;
    }
    __syncthreads();
    const int first = __reduce_min_sync(~0u, left), last = __reduce_max_sync(~0u, left);
    const int upper = __reduce_min_sync(~0u, top), lower = __reduce_max_sync(~0u, top);
    if (threadIdx.x == 0) {
        atomicMin(&low_x, first);
        atomicMax(&high_x, last);
        atomicMin(&low_y, upper);
        atomicMax(&high_y, lower);
    }
    __syncthreads();
    const int across = high_x - low_x + 4, down = high_y - low_y + 4;
    const bool fits = across <= kTileX && down <= kTileY;
    for (int v = threadIdx.y; fits && v < down; v += kDown) {
        const uint8_t* row = taken + (size_t)held(low_y + v, height) * width;
        for (int u = threadIdx.x; u < across; u += kAcross) tile[v][u] = row[held(low_x + u, width)];
    }
    __syncthreads();
    if (!wanted) return;
    const float4 wy = weights(s.y - (top + 1)), wx = weights(s.x - (left + 1));
    const float across_y[4] = {wy.x, wy.y, wy.z, wy.w};
    float sum = 0.0f;
#pragma unroll
    for (int v = 0; v < 4; ++v) {
        uint8_t four[4];
        const uint8_t* row = taken + (size_t)held(top + v, height) * width;
#pragma unroll
        for (int u = 0; u < 4; ++u) four[u] = fits ? tile[top - low_y + v][left - low_x + u] : row[held(left + u, width)];
        sum += across_y[v] * blend(four, wx);
    }
    straight[(size_t)y * width + x] = sum;
}

extern "C" void cubic_remap(int height, int width, float bend, const uint8_t* taken, float* straight) {
    const dim3 block(kAcross, kDown), grid((width - 1) / kAcross + 1, (height - 1) / kDown + 1);
    remap<<<grid, block>>>(height, width, bend, taken, straight);
}
