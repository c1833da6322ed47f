// Voxel centroids: four sums are two long words, with two atomics a point.
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

// What is told of a voxel that has returns.
__device__ void write_voxel(int voxel, int at, int side, int edge, const unsigned long long* tally, int32_t* place, int32_t* returns,
                            int16_t* centre) {
    place[at] = voxel;
    returns[at] = (uint32_t)(tally[0] >> 32);
    centre[3 * at] = voxel % side * edge + (uint32_t)tally[0] / (uint32_t)(tally[0] >> 32);
    centre[3 * at + 1] = voxel / side % side * edge + (uint32_t)(tally[1] >> 32) / (uint32_t)(tally[0] >> 32);
    centre[3 * at + 2] = voxel / side / side * edge + (uint32_t)tally[1] / (uint32_t)(tally[0] >> 32);
}

// How many threads before this one say yes, and how many of the block.
__device__ int2 rank(bool yes) {
    __shared__ int count[kThreads];
    count[threadIdx.x] = yes;
    __syncthreads();
    for (int step = 1; step < kThreads; step *= 2) {
        const int more = (int)threadIdx.x >= step ? count[threadIdx.x - step] : 0;
        __syncthreads();
        count[threadIdx.x] += more;
        __syncthreads();
    }
    return make_int2(count[threadIdx.x] - yes, count[kThreads - 1]);
}

__global__ void rank_voxels(int cells, const unsigned long long* tally, int* first, int* total) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    const int2 r = rank(i < cells && tally[2 * (size_t)i] >> 32 != 0);
    if (i < cells) first[i] = r.x;
    if (threadIdx.x == 0) total[blockIdx.x] = r.y;
}

// The totals' prefix sums by one warp, 32 at a time.
__global__ void add_totals(int blocks, int* total, int32_t* voxels) {
    int before = 0;
    for (int b = threadIdx.x; b - (int)threadIdx.x < blocks; b += 32) {
        const int own = b < blocks ? total[b] : 0;
        int sum = own;
        for (int step = 1; step < 32; step *= 2) {
            const int more = __shfl_up_sync(~0u, sum, step);
            if ((int)threadIdx.x >= step) sum += more;
        }
        if (b < blocks) total[b] = before + sum - own;
        before += __shfl_sync(~0u, sum, 31);
    }
    if (threadIdx.x == 0) *voxels = before;
}

__global__ void list_voxels(int cells, int side, int edge, const unsigned long long* tally, const int* first, const int* total,
                            int32_t* place, int32_t* returns, int16_t* centre) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i < cells && tally[2 * (size_t)i] >> 32 != 0) {
        write_voxel(i, total[blockIdx.x] + first[i], side, edge, tally + 2 * (size_t)i, place, returns, centre);
    }
}

extern "C" void voxel_centroids(int points, int side, const int16_t* point, int32_t* place, int32_t* returns, int16_t* centre,
                                int32_t* voxels) {
    const int cells = side * side * side, edge = (4096 + side - 1) / side, blocks = (cells - 1) / kThreads + 1;
    unsigned long long* tally = nullptr;
    cudaMalloc(&tally, (size_t)cells * (16 + sizeof(int)) + blocks * sizeof(int));
    int *first = reinterpret_cast<int*>(tally + 2 * (size_t)cells), *total = first + cells;
    cudaMemsetAsync(tally, 0, (size_t)cells * 16);
    add_points<<<(points - 1) / kThreads + 1, kThreads>>>(points, side, edge, point, tally);
    rank_voxels<<<blocks, kThreads>>>(cells, tally, first, total);
    add_totals<<<1, 32>>>(blocks, total, voxels);
    list_voxels<<<blocks, kThreads>>>(cells, side, edge, tally, first, total, place, returns, centre);
    cudaFree(tally);
}
