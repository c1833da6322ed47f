// Voxel centroids: ranks and list in one pass: a block looks back at those before it.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

__device__ int voxel_of(int x, int y, int z, int side, int edge) { return (z / edge * side + y / edge) * side + x / edge; }

// Two sums are added at once, one in each half of a long word: neither reaches 2^32.
__global__ void add_points(int points, int side, int edge, const int16_t* point, unsigned long long* tally) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= points) return;
    const int x = point[3 * i], y = point[3 * i + 1], z = point[3 * i + 2];
    unsigned long long* own = tally + 2 * (size_t)voxel_of(x, y, z, side, edge);
    atomicAdd(own, 1ull << 32 | (unsigned)(x % edge));
    atomicAdd(own + 1, (unsigned long long)(y % edge) << 32 | (unsigned)(z % edge));
}

// What is told of a voxel that has returns: sums in the halves of two long words.
__device__ void write_voxel(int voxel, int at, int side, int edge, ulonglong2 tally, int32_t* place, int32_t* returns, int16_t* centre) {
    const uint32_t many = tally.x >> 32;
    place[at] = voxel;
    returns[at] = many;
    centre[3 * at] = voxel % side * edge + (uint32_t)tally.x / many;
    centre[3 * at + 1] = voxel / side % side * edge + (uint32_t)(tally.y >> 32) / many;
    centre[3 * at + 2] = voxel / side / side * edge + (uint32_t)tally.y / many;
}

// How many threads before this one say yes, and how many of the block: by votes of warps.
__device__ int2 rank(bool yes) {
    __shared__ int votes[kThreads / 32];
    const unsigned vote = __ballot_sync(~0u, yes);
    if (threadIdx.x % 32 == 0) votes[threadIdx.x / 32] = __popc(vote);
    __syncthreads();
    int2 found = make_int2(__popc(vote & ((1u << threadIdx.x % 32) - 1)), 0);
#pragma unroll
    for (int w = 0; w < kThreads / 32; ++w) {
        if (w < (int)threadIdx.x / 32) found.x += votes[w];
        found.y += votes[w];
    }
    return found;
}

constexpr uint32_t kOwn = 1u << 30, kAll = 2u << 30;  // what a state tells: voxels of its block, or of all up to it

// A block ranks its voxels and looks back at the states of those before it, 32 at a time, until one tells of all.
__global__ void __launch_bounds__(kThreads) list_voxels(int cells, int side, int edge, const ulonglong2* tally, uint32_t* state,
                                                        int32_t* place, int32_t* returns, int16_t* centre, int32_t* voxels) {
    __shared__ int block, earlier;
    if (threadIdx.x == 0) block = atomicAdd(state, 1);
    __syncthreads();
    const int b = block, i = b * kThreads + threadIdx.x;
    const ulonglong2 own = i < cells ? tally[i] : make_ulonglong2(0, 0);
    const bool occupied = own.x >> 32 != 0;
    const int2 r = rank(occupied);
    if (threadIdx.x < 32) {
        uint32_t* told = state + 1;
        if (threadIdx.x == 0) atomicExch(told + b, (b == 0 ? kAll : kOwn) | r.y);
        int sum = 0;
        for (int nearest = b - 1; nearest >= 0; nearest -= 32) {
            const int at = nearest - (int)threadIdx.x;
            uint32_t seen = kAll;
            while (at >= 0 && (seen = atomicOr(told + at, 0)) == 0) __nanosleep(32);
            const unsigned all = __ballot_sync(~0u, seen >= kAll);
            const bool counts = all == 0 || (int)threadIdx.x < __ffs(all);
            sum += __reduce_add_sync(~0u, counts ? seen & (kOwn - 1) : 0u);
            if (all) break;
        }
        if (threadIdx.x == 0) {
            if (b > 0) atomicExch(told + b, kAll | (sum + r.y));
            earlier = sum;
            if (b + 1 == (int)gridDim.x) *voxels = sum + r.y;
        }
    }
    __syncthreads();
    if (occupied) write_voxel(i, earlier + r.x, side, edge, own, place, returns, centre);
}

extern "C" void voxel_centroids(int points, int side, const int16_t* point, int32_t* place, int32_t* returns, int16_t* centre,
                                int32_t* voxels) {
    const int cells = side * side * side, edge = (4096 + side - 1) / side, blocks = (cells - 1) / kThreads + 1;
    ulonglong2* tally = nullptr;
    const size_t bytes = (size_t)cells * 16 + (blocks + 1) * sizeof(uint32_t);
    cudaMalloc(&tally, bytes);
    cudaMemsetAsync(tally, 0, bytes);  // the sums and, behind them, the states
    uint32_t* state = reinterpret_cast<uint32_t*>(tally + cells);
    add_points<<<(points - 1) / kThreads + 1, kThreads>>>(points, side, edge, point, reinterpret_cast<unsigned long long*>(tally));
    list_voxels<<<blocks, kThreads>>>(cells, side, edge, tally, state, place, returns, centre, voxels);
    cudaFree(tally);
}
