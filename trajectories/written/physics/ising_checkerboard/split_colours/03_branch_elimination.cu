// Ising sweeps: threads only for the sites of the colour, periodic neighbours by selection.
#include <cuda_runtime.h>

#include <cstdint>

__device__ uint32_t random_bits(uint32_t seed, uint32_t site, uint32_t sweep) {
    uint32_t v = seed + 2654435769u * site + 2246822507u * sweep;
    v = (v ^ v >> 16) * 2146121005u;
    v = (v ^ v >> 15) * 2221713035u;
    return v ^ v >> 16;
}

__global__ void update_colour(int height, int width, int colour, uint32_t seed, int sweep, const uint32_t* accept,
                              int8_t* spins, int* total) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int spin = 0;
    if (2 * j < width && y < height) {
        int x = 2 * j + ((y + colour) & 1);
        const int8_t* above = spins + (size_t)(y == 0 ? height - 1 : y - 1) * width;
        const int8_t* below = spins + (size_t)(y == height - 1 ? 0 : y + 1) * width;
        int8_t* row = spins + (size_t)y * width;
        int sum = above[x] + below[x] + row[x == 0 ? width - 1 : x - 1] + row[x == width - 1 ? 0 : x + 1];
        spin = row[x];
        if (random_bits(seed, (uint32_t)(y * width + x), (uint32_t)sweep) < accept[(spin * sum + 4) / 2]) spin = -spin;
        row[x] = (int8_t)spin;
    }
    int warp_sum = __reduce_add_sync(0xFFFFFFFFu, spin);
    if (threadIdx.x == 0 && warp_sum != 0) atomicAdd(total, warp_sum);
}

extern "C" void ising_checkerboard(int height, int width, int sweeps, uint32_t seed, const uint32_t* accept,
                                   int8_t* spins, int* magnetisation) {
    dim3 block(32, 8), grid((width / 2 - 1) / block.x + 1, (height - 1) / block.y + 1);
    cudaMemsetAsync(magnetisation, 0, sweeps * sizeof(int));
    for (int sweep = 0; sweep < sweeps; ++sweep)
        for (int colour = 0; colour < 2; ++colour)
            update_colour<<<grid, block>>>(height, width, colour, seed, sweep, accept, spins, magnetisation + sweep);
}
