// Charge frames: one kernel a loop; one charge, one mesh point or one frame's energy a thread.
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

__global__ void spread(size_t all, int charges, const float* place, const float* charge, float* density) {
    const size_t i = (size_t)blockIdx.x * 128 + threadIdx.x;
    if (i < all) spread_one(place[2 * i], place[2 * i + 1], charge[i], density + i / charges * kPoints);
}

__global__ void smooth(const float* tap, const float* density, float* field) {
    const float* in = density + (size_t)blockIdx.x * kPoints;
    for (int i = threadIdx.x; i < kPoints; i += 256) {
        const int y = i / kSide, x = i % kSide;
        float sum = 0.0f;
        for (int dy = -kReach; dy <= kReach; ++dy)
            for (int dx = -kReach; dx <= kReach; ++dx)
                sum += tap[dy + kReach] * tap[dx + kReach] * in[wrapped(y + dy) * kSide + wrapped(x + dx)];
        field[(size_t)blockIdx.x * kPoints + i] = sum;
    }
}

__global__ void gather(size_t all, int charges, const float* place, const float* field, float* potential) {
    const size_t i = (size_t)blockIdx.x * 128 + threadIdx.x;
    if (i < all) potential[i] = gather_one(place[2 * i], place[2 * i + 1], field + i / charges * kPoints);
}

__global__ void add_up(int frames, int charges, const float* charge, const float* potential, float* energy) {
    const int f = blockIdx.x * 128 + threadIdx.x;
    if (f >= frames) return;
    float sum = 0.0f;
    for (size_t i = (size_t)f * charges; i < (size_t)(f + 1) * charges; ++i) sum += 0.5f * charge[i] * potential[i];
    energy[f] = sum;
}

extern "C" void charge_frames(int frames, int charges, const float* place, const float* charge, const float* tap, float* potential,
                              float* energy) {
    const size_t all = (size_t)frames * charges;
    const unsigned blocks = (unsigned)((all + 127) / 128);
    float *density = nullptr, *field = nullptr;
    cudaMallocAsync(&density, sizeof(float) * frames * kPoints, 0);
    cudaMallocAsync(&field, sizeof(float) * frames * kPoints, 0);
    cudaMemsetAsync(density, 0, sizeof(float) * frames * kPoints);
    spread<<<blocks, 128>>>(all, charges, place, charge, density);
    smooth<<<frames, 256>>>(tap, density, field);
    gather<<<blocks, 128>>>(all, charges, place, field, potential);
    add_up<<<(frames + 127) / 128, 128>>>(frames, charges, charge, potential, energy);
    cudaFreeAsync(density, 0);
    cudaFreeAsync(field, 0);
}
