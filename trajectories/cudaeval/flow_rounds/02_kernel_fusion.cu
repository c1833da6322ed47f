// Optical flow: a round takes the mean and corrects it at once, to and fro between two fields.
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

__device__ float2 corrected(float2 mean, float across, float down, float later, float stiffness) {
    const float step = (across * mean.x + down * mean.y + later) / (stiffness + across * across + down * down);
    return make_float2(mean.x - across * step, mean.y - down * step);
}

__global__ void find_changes(Size s, const uint8_t* before, const uint8_t* after, float* across, float* down, float* later) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x >= s.width || y >= s.height) return;
    const float3 c = change_at(s, before, after, y, x);
    const size_t at = place(s, y, x);
    across[at] = c.x;
    down[at] = c.y;
    later[at] = c.z;
}

__device__ float2 mean_around(Size s, const float2* field, int y, int x) {
    float2 side = make_float2(0.0f, 0.0f), corner = side;
#pragma unroll
    for (int k = 0; k < 9; ++k) {
        if (k == 4) continue;
        const float2 m = field[place(s, y + k / 3 - 1, x + k % 3 - 1)];
        float2& sum = k % 2 ? side : corner;
        sum.x += m.x;
        sum.y += m.y;
    }
    return make_float2(side.x / 6.0f + corner.x / 12.0f, side.y / 6.0f + corner.y / 12.0f);
}

__global__ void refine(Size s, float stiffness, const float* across, const float* down, const float* later, const float2* field,
                       float2* next) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x >= s.width || y >= s.height) return;
    const size_t at = place(s, y, x);
    next[at] = corrected(mean_around(s, field, y, x), across[at], down[at], later[at], stiffness);
}

extern "C" void flow_rounds(int height, int width, int rounds, float stiffness, const uint8_t* before, const uint8_t* after,
                            float* motion) {
    const Size s = {height, width};
    const size_t pixels = (size_t)height * width;
    const dim3 block(kAcross, kDown), grid((width - 1) / kAcross + 1, (height - 1) / kDown + 1);
    float2* other = nullptr;
    cudaMalloc(&other, pixels * 5 * sizeof(float));
    float *across = reinterpret_cast<float*>(other + pixels), *down = across + pixels, *later = down + pixels;
    float2* field[2] = {reinterpret_cast<float2*>(motion), other};  // the last round ends in the first one
    find_changes<<<grid, block>>>(s, before, after, across, down, later);
    cudaMemsetAsync(field[rounds % 2], 0, pixels * sizeof(float2));
    for (int left = rounds; left > 0; --left) {
        refine<<<grid, block>>>(s, stiffness, across, down, later, field[left % 2], field[(left - 1) % 2]);
    }
    cudaFree(other);
}
