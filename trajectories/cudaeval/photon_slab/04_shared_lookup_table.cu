// Photon histories: the table of path lengths waits in shared memory, and depth * bins stays below 2^27, so that 32 bits do.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 128;
constexpr int kThickness = 65536;
constexpr int kMostBins = 2048;
constexpr int kBlocks = 132 * 16;

__device__ uint32_t first_state(int photon) {
    uint32_t v = (uint32_t)(photon + 1) * 2654435761u + 97u;
    v ^= v >> 15;
    v *= 2246822519u;
    return v ^ v >> 13;
}

__device__ void add(uint64_t* to, unsigned int amount) { atomicAdd((unsigned long long*)to, amount); }

__global__ void follow(int photons, int bins, const int* path, uint64_t* absorbed, uint64_t* outside) {
    __shared__ unsigned int count[kMostBins + 2];  // the last two: outside
    __shared__ int length[1024];
    for (int k = threadIdx.x; k < 1024; k += kThreads) length[k] = path[k];
    for (int b = threadIdx.x; b < bins + 2; b += kThreads) count[b] = 0;
    __syncthreads();
    // A block follows at most 2^31 / kBlocks + kThreads photons, whose weights stay below 2^32 together.
    uint32_t state = 0;
    int depth = 0, direction = 0, weight = 0;
    for (int64_t p = blockIdx.x * kThreads + threadIdx.x; weight > 0 || p < photons;) {
        if (weight == 0) {
            state = first_state((int)p);
            depth = 0, direction = 256, weight = 4096;
            p += gridDim.x * kThreads;
        }
        state = state * 1664525u + 1013904223u;
        depth += direction * length[state >> 22] >> 8;
        if (depth < 0 || depth >= kThickness) {
            atomicAdd(&count[depth < 0 ? bins : bins + 1], weight);
            weight = 0;
            continue;
        }
        const int taken = weight < 16 ? weight : weight / 8;
        atomicAdd(&count[(unsigned int)(depth * bins) >> 16], taken);
        weight -= taken;
        direction = (int)((state >> 9) % 513) - 256;
    }
    __syncthreads();
    for (int b = threadIdx.x; b < bins + 2; b += kThreads) {
        if (count[b] > 0) add(b < bins ? &absorbed[b] : &outside[b - bins], count[b]);
    }
}

extern "C" void photon_slab(int photons, int bins, const int* path, uint64_t* absorbed, uint64_t* outside) {
    cudaMemsetAsync(absorbed, 0, bins * sizeof(uint64_t));
    cudaMemsetAsync(outside, 0, 2 * sizeof(uint64_t));
    follow<<<min(kBlocks, (photons - 1) / kThreads + 1), kThreads>>>(photons, bins, path, absorbed, outside);
}
