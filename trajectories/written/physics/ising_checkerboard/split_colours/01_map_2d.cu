// Ising sweeps: one launch per colour over all sites, magnetisation by one atomic per site.
#include <cuda_runtime.h>

#include <cstdint>

__device__ uint32_t random_bits(uint32_t seed, uint32_t site, uint32_t sweep) {
    uint32_t v = seed + 2654435769u * site + 2246822507u * sweep;
    v = (v ^ v >> 16) * 2146121005u;
    v = (v ^ v >> 15) * 2221713035u;
    return v ^ v >> 16;
}

__global__ void update_colour(int height, int width, int colour, uint32_t seed, int sweep, const uint32_t* accept,
                              int8_t* spins) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height || (x + y) % 2 != colour) return;
    const int8_t* above = spins + (size_t)((y + height - 1) % height) * width;
    const int8_t* below = spins + (size_t)((y + 1) % height) * width;
    int8_t* row = spins + (size_t)y * width;
    int sum = above[x] + below[x] + row[(x + width - 1) % width] + row[(x + 1) % width];
    if (random_bits(seed, (uint32_t)(y * width + x), (uint32_t)sweep) < accept[(row[x] * sum + 4) / 2])
        row[x] = (int8_t)-row[x];
}

__global__ void add_spins(int sites, const int8_t* spins, int* total) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < sites) atomicAdd(total, (int)spins[i]);
}

extern "C" void ising_checkerboard(int height, int width, int sweeps, uint32_t seed, const uint32_t* accept,
                                   int8_t* spins, int* magnetisation) {
    dim3 block(32, 8), grid((width - 1) / block.x + 1, (height - 1) / block.y + 1);
    int sites = height * width;
    cudaMemsetAsync(magnetisation, 0, sweeps * sizeof(int));
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        for (int colour = 0; colour < 2; ++colour)
            update_colour<<<grid, block>>>(height, width, colour, seed, sweep, accept, spins);
        add_spins<<<(sites - 1) / 256 + 1, 256>>>(sites, spins, magnetisation + sweep);
    }
}
