// Optical flow: means are taken from a tile with a rim in shared memory.
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

__global__ void refine(Size s, const float4* change, const float2* field, float2* next) {
    __shared__ float2 tile[kDown + 2][kAcross + 2];
    for (int v = threadIdx.y; v < kDown + 2; v += kDown) {
        for (int u = threadIdx.x; u < kAcross + 2; u += kAcross) {
            tile[v][u] = field[place(s, blockIdx.y * kDown + v - 1, blockIdx.x * kAcross + u - 1)];
        }
    }
    __syncthreads();
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x >= s.width || y >= s.height) return;
    float2 side = make_float2(0.0f, 0.0f), corner = side;
#pragma unroll
    for (int k = 0; k < 9; ++k) {
        if (k == 4) continue;
        const float2 m = tile[threadIdx.y + k / 3][threadIdx.x + k % 3];
        float2& sum = k % 2 ? side : corner;
        sum.x += m.x;
        sum.y += m.y;
    }
    const size_t at = place(s, y, x);
    next[at] = corrected(make_float2(side.x / 6.0f + corner.x / 12.0f, side.y / 6.0f + corner.y / 12.0f), change[at]);
}

extern "C" void flow_rounds(int height, int width, int rounds, float stiffness, const uint8_t* before, const uint8_t* after,
                            float* motion) {
    const Size s = {height, width};
    const size_t pixels = (size_t)height * width;
    const dim3 block(kAcross, kDown), grid((width - 1) / kAcross + 1, (height - 1) / kDown + 1);
    float4* change = nullptr;
    cudaMalloc(&change, pixels * (sizeof(float4) + sizeof(float2)));
    float2* field[2] = {reinterpret_cast<float2*>(motion), reinterpret_cast<float2*>(change + pixels)};
    begin<<<grid, block>>>(s, stiffness, before, after, change, field[(rounds - 1) % 2]);
    for (int left = rounds - 1; left > 0; --left) refine<<<grid, block>>>(s, change, field[left % 2], field[(left - 1) % 2]);
    cudaFree(change);
}
