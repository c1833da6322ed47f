// Optical flow: four rounds of a tile in one launch.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kAcross = 32, kDown = 8;

struct Size {
    int height, width;
};

__device__ int held(int i, int end) { return min(max(i, 0), end - 1); }

__device__ size_t place(Size s, int y, int x) { return (size_t)held(y, s.height) * s.width + held(x, s.width); }

// How brightness changes across, down, and from the first picture to the second.
__device__ float3 change_at(Size s, const uint8_t* before, const uint8_t* after, int y, int x) {
    const size_t west = place(s, y, x - 1), east = place(s, y, x + 1), north = place(s, y - 1, x), south = place(s, y + 1, x);
    const size_t here = place(s, y, x);
    return make_float3(0.25f * (before[east] - before[west] + after[east] - after[west]),
                       0.25f * (before[south] - before[north] + after[south] - after[north]), (float)(after[here] - before[here]));
}

// The last of the four is one over what the miss is divided by.
__device__ float2 corrected(float2 mean, float4 c) {
    const float step = (c.x * mean.x + c.y * mean.y + c.z) * c.w;
    return make_float2(mean.x - c.x * step, mean.y - c.y * step);
}

__global__ void begin(Size s, float stiffness, const uint8_t* before, const uint8_t* after, float4* change, float2* field) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x >= s.width || y >= s.height) return;
    const float3 c = change_at(s, before, after, y, x);
    const size_t at = place(s, y, x);
    change[at] = make_float4(c.x, c.y, c.z, 1.0f / (stiffness + c.x * c.x + c.y * c.y));
    field[at] = corrected(make_float2(0.0f, 0.0f), change[at]);
}

constexpr int kRim = 4, kTileX = 32, kTileY = 16, kPitch = kTileX + 2 * kRim, kLines = kTileY + 2 * kRim, kThreads = 256;

// Up to four rounds of a tile whose rim shrinks by one each; cells beyond the picture are never computed, edges are held.
__global__ void __launch_bounds__(kThreads)
    refine(Size s, int rounds, const float4* change, const float2* field, float2* next) {
    __shared__ float4 change_here[kLines * kPitch];
    __shared__ float2 tile[2][kLines * kPitch];
    const int left = blockIdx.x * kTileX - kRim, top = blockIdx.y * kTileY - kRim;
    const int low_x = max(-left, 0), low_y = max(-top, 0);
    const int high_x = min(s.width - 1 - left, kPitch - 1), high_y = min(s.height - 1 - top, kLines - 1);
    for (int i = threadIdx.x; i < kLines * kPitch; i += kThreads) {
        const int y = top + i / kPitch, x = left + i % kPitch;
        if (y < 0 || x < 0 || y >= s.height || x >= s.width) continue;
        change_here[i] = change[(size_t)y * s.width + x];
        tile[0][i] = field[(size_t)y * s.width + x];
    }
    __syncthreads();
    int now = 0;
    for (int round = 1; round <= rounds; ++round, now = 1 - now) {
        for (int i = threadIdx.x; i < (kLines - 2) * (kPitch - 2); i += kThreads) {
            const int v = 1 + i / (kPitch - 2), u = 1 + i % (kPitch - 2);
            const bool live = v >= round && u >= round && v < kLines - round && u < kPitch - round;
            if (!live || v < low_y || u < low_x || v > high_y || u > high_x) continue;
            const float2* upper = tile[now] + max(v - 1, low_y) * kPitch;
            const float2* middle = tile[now] + v * kPitch;
            const float2* lower = tile[now] + min(v + 1, high_y) * kPitch;
            const int west = max(u - 1, low_x), east = min(u + 1, high_x);
            const float sides_x = upper[u].x + middle[west].x + middle[east].x + lower[u].x;
            const float sides_y = upper[u].y + middle[west].y + middle[east].y + lower[u].y;
            const float corners_x = upper[west].x + upper[east].x + lower[west].x + lower[east].x;
            const float corners_y = upper[west].y + upper[east].y + lower[west].y + lower[east].y;
            const float2 mean = make_float2(sides_x / 6.0f + corners_x / 12.0f, sides_y / 6.0f + corners_y / 12.0f);
            tile[1 - now][v * kPitch + u] = corrected(mean, change_here[v * kPitch + u]);
        }
        __syncthreads();
    }
    for (int i = threadIdx.x; i < kTileY * kTileX; i += kThreads) {
        const int v = kRim + i / kTileX, u = kRim + i % kTileX;
        if (v <= high_y && u <= high_x) next[(size_t)(top + v) * s.width + left + u] = tile[now][v * kPitch + u];
    }
}

extern "C" void flow_rounds(int height, int width, int rounds, float stiffness, const uint8_t* before, const uint8_t* after,
                            float* motion) {
    const Size s = {height, width};
    const size_t pixels = (size_t)height * width;
    const dim3 block(kAcross, kDown), grid((width - 1) / kAcross + 1, (height - 1) / kDown + 1);
    const dim3 tiles((width - 1) / kTileX + 1, (height - 1) / kTileY + 1);
    const int launches = (rounds - 1 + kRim - 1) / kRim;
    float4* change = nullptr;
    cudaMalloc(&change, pixels * (sizeof(float4) + sizeof(float2)));
    float2* field[2] = {reinterpret_cast<float2*>(motion), reinterpret_cast<float2*>(change + pixels)};
    begin<<<grid, block>>>(s, stiffness, before, after, change, field[launches % 2]);
    for (int l = launches, left = rounds - 1; l > 0; --l, left -= kRim) {
        refine<<<tiles, kThreads>>>(s, min(left, kRim), change, field[l % 2], field[(l - 1) % 2]);
    }
    cudaFree(change);
}
