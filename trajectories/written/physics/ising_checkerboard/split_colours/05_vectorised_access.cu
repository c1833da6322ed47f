// Ising sweeps: each colour in an array of its own, four spins a thread as packed bytes.
#include <cuda_runtime.h>

#include <cstdint>

__device__ uint32_t random_bits(uint32_t seed, uint32_t site, uint32_t sweep) {
    uint32_t v = seed + 2654435769u * site + 2246822507u * sweep;
    v = (v ^ v >> 16) * 2146121005u;
    v = (v ^ v >> 15) * 2221713035u;
    return v ^ v >> 16;
}

// Copies between the lattice and the two colour arrays, which follow each other in `split`.
__global__ void convert(int height, int width, bool merge, int8_t* spins, int8_t* split) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    size_t half = (size_t)height * (width / 2);
    size_t place = ((x + y) & 1) * half + (size_t)y * (width / 2) + x / 2;
    size_t site = (size_t)y * width + x;
    if (merge)
        spins[site] = split[place];
    else
        split[place] = spins[site];
}

__global__ void update_colour(int height, int half_width, int colour, uint32_t seed, int sweep, const uint32_t* accept,
                              int8_t* mine, const int8_t* other, int* total) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int spin = 0;
    if (j < half_width && y < height) {
        int parity = (y + colour) & 1;  // x = 2 j + parity
        const int8_t* above = other + (size_t)(y == 0 ? height - 1 : y - 1) * half_width;
        const int8_t* below = other + (size_t)(y == height - 1 ? 0 : y + 1) * half_width;
        const int8_t* row = other + (size_t)y * half_width;
        int side = parity ? (j == half_width - 1 ? 0 : j + 1) : (j == 0 ? half_width - 1 : j - 1);
        int sum = above[j] + below[j] + row[j] + row[side];
        size_t place = (size_t)y * half_width + j;
        spin = mine[place];
        uint32_t site = (uint32_t)(2 * place + parity);
        if (random_bits(seed, site, (uint32_t)sweep) < accept[(spin * sum + 4) / 2]) spin = -spin;
        mine[place] = (int8_t)spin;
    }
    int warp_sum = __reduce_add_sync(0xFFFFFFFFu, spin);
    if (threadIdx.x == 0 && warp_sum != 0) atomicAdd(total, warp_sum);
}

// As update_colour, for four sites a thread; half_width is a multiple of four.
__global__ void update_words(int height, int half_width, int colour, uint32_t seed, int sweep, const uint32_t* accept,
                             int8_t* mine, const int8_t* other, int* total) {
    const int words = half_width / 4;
    int w = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int sum_of_four = 0;
    if (w < words && y < height) {
        int parity = (y + colour) & 1;
        const int8_t* row = other + (size_t)y * half_width;
        uint32_t here = reinterpret_cast<const uint32_t*>(row)[w];
        uint32_t above = reinterpret_cast<const uint32_t*>(other + (size_t)(y == 0 ? height - 1 : y - 1) * half_width)[w];
        uint32_t below = reinterpret_cast<const uint32_t*>(other + (size_t)(y == height - 1 ? 0 : y + 1) * half_width)[w];
        uint32_t side;
        if (parity)
            side = here >> 8 | (uint32_t)(uint8_t)row[w == words - 1 ? 0 : 4 * w + 4] << 24;
        else
            side = here << 8 | (uint8_t)row[w == 0 ? half_width - 1 : 4 * w - 1];
        uint32_t sums = __vadd4(__vadd4(here, side), __vadd4(above, below));
        size_t place = (size_t)y * half_width + 4 * w;
        uint32_t* word = reinterpret_cast<uint32_t*>(mine + place);
        uint32_t old = *word, changed = 0;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            int spin = (int8_t)(old >> 8 * k), sum = (int8_t)(sums >> 8 * k);
            uint32_t site = (uint32_t)(2 * (place + k) + parity);
            if (random_bits(seed, site, (uint32_t)sweep) < accept[(spin * sum + 4) / 2]) spin = -spin;
            changed |= (uint32_t)(uint8_t)spin << 8 * k;
            sum_of_four += spin;
        }
        *word = changed;
    }
    int warp_sum = __reduce_add_sync(0xFFFFFFFFu, sum_of_four);
    if (threadIdx.x == 0 && warp_sum != 0) atomicAdd(total, warp_sum);
}

extern "C" void ising_checkerboard(int height, int width, int sweeps, uint32_t seed, const uint32_t* accept,
                                   int8_t* spins, int* magnetisation) {
    dim3 block(32, 8), grid((width - 1) / block.x + 1, (height - 1) / block.y + 1);
    bool packed = width % 8 == 0;
    dim3 half_grid((width / (packed ? 8 : 2) - 1) / block.x + 1, grid.y);
    auto update = packed ? update_words : update_colour;
    size_t half = (size_t)height * (width / 2);
    int8_t* split = nullptr;
    cudaMalloc(&split, 2 * half);
    cudaMemsetAsync(magnetisation, 0, sweeps * sizeof(int));
    convert<<<grid, block>>>(height, width, false, spins, split);
    for (int sweep = 0; sweep < sweeps; ++sweep)
        for (int colour = 0; colour < 2; ++colour)
            update<<<half_grid, block>>>(height, width / 2, colour, seed, sweep, accept, split + colour * half,
                                         split + (1 - colour) * half, magnetisation + sweep);
    convert<<<grid, block>>>(height, width, true, spins, split);
    cudaFree(split);
}
