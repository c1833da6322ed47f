// Charge frames: x and y of a charge are one load.
#include <cuda_runtime.h>

#include <cstddef>

constexpr int kSide = 32, kPoints = kSide * kSide, kReach = 3;

// The three mesh points along one axis that a place touches, and its share of each.
struct Axis {
    int first;
    float share[3];
};

__device__ Axis axis_of(float place) {
    const float nearest = rintf(place), d = place - nearest;
    return {(int)nearest - 1, {0.5f * (0.5f - d) * (0.5f - d), 0.75f - d * d, 0.5f * (0.5f + d) * (0.5f + d)}};
}

__device__ int wrapped(int k) { return k & (kSide - 1); }

// Adds a charge to a mesh.
__device__ void spread_one(float x, float y, float charge, float* mesh) {
    const Axis across = axis_of(x), down = axis_of(y);
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            atomicAdd(&mesh[wrapped(down.first + r) * kSide + wrapped(across.first + c)], charge * down.share[r] * across.share[c]);
}

__device__ float gather_one(float x, float y, const float* mesh) {
    const Axis across = axis_of(x), down = axis_of(y);
    float sum = 0.0f;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            sum += down.share[r] * across.share[c] * mesh[wrapped(down.first + r) * kSide + wrapped(across.first + c)];
    return sum;
}

// Smooths a mesh in shared memory along x into `half`, then along y in place.
__device__ void smooth_mesh(const float* tap, float* mesh, float* half) {
    for (int i = threadIdx.x; i < kPoints; i += 256) {
        const float* row = mesh + i / kSide * kSide;
        float sum = 0.0f;
        for (int d = -kReach; d <= kReach; ++d) sum += tap[d + kReach] * row[wrapped(i + d)];
        half[i] = sum;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < kPoints; i += 256) {
        float sum = 0.0f;
        for (int d = -kReach; d <= kReach; ++d) sum += tap[d + kReach] * half[(i + d * kSide) & (kPoints - 1)];
        mesh[i] = sum;
    }
    __syncthreads();
}

// The sum over a block of 256; known to thread 0.
__device__ float block_sum(float value) {
    __shared__ float part[8];
    for (int apart = 16; apart > 0; apart /= 2) value += __shfl_xor_sync(0xffffffffu, value, apart);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int w = 1; w < 8; ++w) value += part[w];
    return value;
}

__global__ void solve(int charges, const float2* __restrict__ place, const float* __restrict__ charge, const float* __restrict__ tap,
                      float* __restrict__ potential, float* __restrict__ energy) {
    __shared__ float mesh[kPoints], half[kPoints], own[2 * kReach + 1];
    if (threadIdx.x <= 2 * kReach) own[threadIdx.x] = tap[threadIdx.x];
    for (int i = threadIdx.x; i < kPoints; i += 256) mesh[i] = 0.0f;
    __syncthreads();
    const size_t first = (size_t)blockIdx.x * charges;
    for (size_t i = first + threadIdx.x; i < first + charges; i += 256) {
        const float2 at = place[i];
        spread_one(at.x, at.y, charge[i], mesh);
    }
    __syncthreads();
    smooth_mesh(own, mesh, half);
    float sum = 0.0f;
    for (size_t i = first + threadIdx.x; i < first + charges; i += 256) {
        const float2 at = place[i];
        const float value = gather_one(at.x, at.y, mesh);
        potential[i] = value;
        sum += 0.5f * charge[i] * value;
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) energy[blockIdx.x] = sum;
}

extern "C" void charge_frames(int frames, int charges, const float* place, const float* charge, const float* tap, float* potential,
                              float* energy) {
    solve<<<frames, 256>>>(charges, reinterpret_cast<const float2*>(place), charge, tap, potential, energy);
}
