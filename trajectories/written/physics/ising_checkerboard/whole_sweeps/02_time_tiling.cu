// Ising sweeps: a block makes a whole sweep of its tile in shared memory, with a halo of two sites.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kTileX = 64, kTileY = 16;
constexpr int kPitch = kTileX + 4, kRows = kTileY + 4;
constexpr int kThreads = 256;

__device__ uint32_t random_bits(uint32_t seed, uint32_t site, uint32_t sweep) {
    uint32_t v = seed + 2654435769u * site + 2246822507u * sweep;
    v = (v ^ v >> 16) * 2146121005u;
    v = (v ^ v >> 15) * 2221713035u;
    return v ^ v >> 16;
}

__device__ int wrapped(int i, int extent) {
    i %= extent;
    return i < 0 ? i + extent : i;
}

struct Sweep {
    int height, width, number;
    uint32_t seed;
    const uint32_t* accept;
};

// Updates the tile's sites of one colour, `ring` sites beyond its border included.
__device__ void update_tile(const Sweep& sweep, int colour, int ring, int x0, int y0, int8_t (*tile)[kPitch]) {
    const int across = kTileX + 2 * ring, down = kTileY + 2 * ring;
    for (int i = threadIdx.x; i < across * down; i += kThreads) {
        int tx = i % across - ring + 2, ty = i / across - ring + 2;
        int gx = x0 + tx - 2, gy = y0 + ty - 2;
        if (((gx + gy) & 1) != colour) continue;
        int sum = tile[ty - 1][tx] + tile[ty + 1][tx] + tile[ty][tx - 1] + tile[ty][tx + 1];
        int spin = tile[ty][tx];
        uint32_t site = (uint32_t)(wrapped(gy, sweep.height) * sweep.width + wrapped(gx, sweep.width));
        if (random_bits(sweep.seed, site, (uint32_t)sweep.number) < sweep.accept[(spin * sum + 4) / 2])
            tile[ty][tx] = (int8_t)-spin;
    }
}

__global__ void sweep_tiles(Sweep sweep, const int8_t* before, int8_t* after) {
    __shared__ int8_t tile[kRows][kPitch];
    const int x0 = blockIdx.x * kTileX, y0 = blockIdx.y * kTileY;
    for (int i = threadIdx.x; i < kRows * kPitch; i += kThreads) {
        int tx = i % kPitch, ty = i / kPitch;
        int gx = wrapped(x0 + tx - 2, sweep.width), gy = wrapped(y0 + ty - 2, sweep.height);
        tile[ty][tx] = before[(size_t)gy * sweep.width + gx];
    }
    __syncthreads();
    update_tile(sweep, 0, 1, x0, y0, tile);
    __syncthreads();
    update_tile(sweep, 1, 0, x0, y0, tile);
    __syncthreads();
    for (int i = threadIdx.x; i < kTileX * kTileY; i += kThreads) {
        int tx = i % kTileX, ty = i / kTileX;
        if (x0 + tx < sweep.width && y0 + ty < sweep.height)
            after[(size_t)(y0 + ty) * sweep.width + x0 + tx] = tile[ty + 2][tx + 2];
    }
}

__global__ void add_spins(int sites, const int8_t* spins, int* total) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < sites) atomicAdd(total, (int)spins[i]);
}

extern "C" void ising_checkerboard(int height, int width, int sweeps, uint32_t seed, const uint32_t* accept,
                                   int8_t* spins, int* magnetisation) {
    dim3 grid((width - 1) / kTileX + 1, (height - 1) / kTileY + 1);
    int sites = height * width;
    int8_t* scratch = nullptr;
    cudaMalloc(&scratch, sites);
    cudaMemsetAsync(magnetisation, 0, sweeps * sizeof(int));
    int8_t *before = spins, *after = scratch;
    for (int number = 0; number < sweeps; ++number) {
        sweep_tiles<<<grid, kThreads>>>(Sweep{height, width, number, seed, accept}, before, after);
        add_spins<<<(sites - 1) / 256 + 1, 256>>>(sites, after, magnetisation + number);
        int8_t* swapped = before;
        before = after;
        after = swapped;
    }
    if (before != spins) cudaMemcpyAsync(spins, before, sites, cudaMemcpyDeviceToDevice);
    cudaFree(scratch);
}
