// Epidemics: one person of a run a thread, one launch a day.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kNever = 65535, kSick = 5;

__device__ uint32_t draw(uint32_t a, uint32_t b) {
    uint32_t h = a ^ (b * 0x9e3779b9u + 0x7f4a7c15u);
    h = (h ^ h >> 16) * 0x7feb352du;
    h = (h ^ h >> 15) * 0x846ca68bu;
    return h ^ h >> 16;
}

__global__ void begin(int n, int days, const uint32_t* seed, int* caught, int* cases) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
    if (v >= n) return;
    const bool first = draw(seed[r], v) < 1u << 26;
    caught[(long long)r * n + v] = first ? 0 : kNever;
    if (first) atomicAdd(cases + (long long)r * days, 1);
}

__global__ void spread(int d, int n, int days, uint32_t chance, const uint16_t* contact, const uint32_t* seed, int* caught, int* cases) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
    if (v >= n) return;
    caught += (long long)r * n;
    const int mine = atomicAdd(caught + v, 0);
    if (mine >= d || mine + kSick < d) return;
    for (int k = 0; k < 4; ++k) {
        if (draw(seed[r] + d * 40503u, 4 * v + k) >= chance) continue;
        if (atomicMin(caught + contact[4 * v + k], d) == kNever) atomicAdd(cases + (long long)r * days + d, 1);
    }
}

__global__ void tell(long long all, const int* caught, uint16_t* day) {
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < all) day[i] = caught[i];
}

extern "C" void contagion_days(int n, int runs, int days, uint32_t chance, const uint16_t* contact, const uint32_t* seed, uint16_t* day,
                               int32_t* cases) {
    const long long all = (long long)n * runs;
    int* caught = nullptr;
    cudaMalloc(&caught, sizeof(int) * all);
    cudaMemsetAsync(cases, 0, sizeof(int) * runs * days);
    const dim3 grid((n - 1) / 256 + 1, runs);
    begin<<<grid, 256>>>(n, days, seed, caught, cases);
    for (int d = 1; d < days; ++d) spread<<<grid, 256>>>(d, n, days, chance, contact, seed, caught, cases);
    tell<<<(unsigned)((all - 1) / 256 + 1), 256>>>(all, caught, day);
    cudaFree(caught);
}
