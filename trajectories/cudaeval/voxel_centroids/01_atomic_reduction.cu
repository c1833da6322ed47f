// Voxel centroids: a thread a point adds to its voxel, one thread lists the voxels.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

__device__ int voxel_of(int x, int y, int z, int side, int edge) { return (z / edge * side + y / edge) * side + x / edge; }

__global__ void add_points(int points, int side, int edge, const int16_t* point, uint32_t* tally) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= points) return;
    const int x = point[3 * i], y = point[3 * i + 1], z = point[3 * i + 2];
    uint32_t* own = tally + 4 * (size_t)voxel_of(x, y, z, side, edge);
    atomicAdd(own, 1);
    atomicAdd(own + 1, x % edge);
    atomicAdd(own + 2, y % edge);
    atomicAdd(own + 3, z % edge);
}

// What is told of a voxel that has returns.
__device__ void write_voxel(int voxel, int at, int side, int edge, const uint32_t* tally, int32_t* place, int32_t* returns,
                            int16_t* centre) {
    place[at] = voxel;
    returns[at] = tally[0];
    centre[3 * at] = voxel % side * edge + tally[1] / tally[0];
    centre[3 * at + 1] = voxel / side % side * edge + tally[2] / tally[0];
    centre[3 * at + 2] = voxel / side / side * edge + tally[3] / tally[0];
}

__global__ void list_voxels(int cells, int side, int edge, const uint32_t* tally, int32_t* place, int32_t* returns, int16_t* centre,
                            int32_t* voxels) {
    int found = 0;
    for (int i = 0; i < cells; ++i) {
        if (tally[4 * (size_t)i] != 0) write_voxel(i, found++, side, edge, tally + 4 * (size_t)i, place, returns, centre);
    }
    *voxels = found;
}

extern "C" void voxel_centroids(int points, int side, const int16_t* point, int32_t* place, int32_t* returns, int16_t* centre,
                                int32_t* voxels) {
    const int cells = side * side * side, edge = (4096 + side - 1) / side;
    uint32_t* tally = nullptr;
    cudaMalloc(&tally, (size_t)cells * 16);
    cudaMemsetAsync(tally, 0, (size_t)cells * 16);
    add_points<<<(points - 1) / kThreads + 1, kThreads>>>(points, side, edge, point, tally);
    list_voxels<<<1, 1>>>(cells, side, edge, tally, place, returns, centre, voxels);
    cudaFree(tally);
}
