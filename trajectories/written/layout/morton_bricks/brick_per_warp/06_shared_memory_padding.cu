// Volume to Morton bricks: one warp per brick, vectors in and out, shared words permuted against bank conflicts.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kWarps = 4;  // bricks per block, neighbours along x

// The three bits of a coordinate, moved to bits 0, 3 and 6.
__device__ int spread(int c) { return (c & 1) | (c & 2) << 2 | (c & 4) << 4; }

// Where word w of a brick is kept: lanes whose words differ in bit 6 alone use different banks.
__device__ int kept_at(int w) { return w ^ (w >> 6 & 1) << 2; }

struct Eight {
    uint16_t value[8];  // one row of a brick
};

__device__ Eight load_row(const uint16_t* row, int x, int width, bool whole) {
    union {
        uint4 vector;
        Eight eight;
    } loaded;
    if (whole) {
        loaded.vector = *reinterpret_cast<const uint4*>(row + x);
    } else {
        for (int i = 0; i < 8; ++i) loaded.eight.value[i] = row[min(x + i, width - 1)];
    }
    return loaded.eight;
}

__global__ void make_bricks(int depth, int height, int width, int across, bool aligned, const uint16_t* volume,
                            uint16_t* bricks, uint16_t* low, uint16_t* high) {
    __shared__ __align__(16) uint32_t ordered[kWarps][256];  // a brick each, two voxels a word
    const int lane = threadIdx.x, bx = blockIdx.x * kWarps + threadIdx.y;
    if (bx >= across) return;  // the whole warp leaves
    const bool whole = aligned && 8 * bx + 8 <= width;
    uint32_t* mine = ordered[threadIdx.y];
    unsigned int least = 65535, most = 0;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        const int dy = lane & 7, dz = (lane >> 3) + 4 * half;
        int y = min(8 * (int)blockIdx.y + dy, height - 1), z = min(8 * (int)blockIdx.z + dz, depth - 1);
        Eight row = load_row(volume + ((size_t)z * height + y) * width, 8 * bx, width, whole);
        int base = spread(dy) << 1 | spread(dz) << 2;
#pragma unroll
        for (int x = 0; x < 8; x += 2) {
            mine[kept_at((base | spread(x)) >> 1)] = row.value[x] | (uint32_t)row.value[x + 1] << 16;
            least = min(least, min((unsigned int)row.value[x], (unsigned int)row.value[x + 1]));
            most = max(most, max((unsigned int)row.value[x], (unsigned int)row.value[x + 1]));
        }
    }
    least = __reduce_min_sync(0xFFFFFFFFu, least);
    most = __reduce_max_sync(0xFFFFFFFFu, most);
    __syncwarp();
    size_t brick = ((size_t)blockIdx.z * gridDim.y + blockIdx.y) * across + bx;
    uint4* out = reinterpret_cast<uint4*>(bricks + 512 * brick);
    // Vector v holds words 4 v to 4 v + 3, which stay together.
    out[lane] = reinterpret_cast<const uint4*>(mine)[kept_at(4 * lane) / 4];
    out[lane + 32] = reinterpret_cast<const uint4*>(mine)[kept_at(4 * (lane + 32)) / 4];
    if (lane == 0) {
        low[brick] = (uint16_t)least;
        high[brick] = (uint16_t)most;
    }
}

extern "C" void morton_bricks(int depth, int height, int width, const uint16_t* volume, uint16_t* bricks, uint16_t* low,
                              uint16_t* high) {
    int across = (width + 7) / 8;
    dim3 grid((across - 1) / kWarps + 1, (height + 7) / 8, (depth + 7) / 8);
    bool aligned = width % 8 == 0 && reinterpret_cast<uintptr_t>(volume) % 16 == 0;
    make_bricks<<<grid, dim3(32, kWarps)>>>(depth, height, width, across, aligned, volume, bricks, low, high);
}
