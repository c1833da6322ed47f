// Voxel stiffness: eight lanes for each element; a fixed grid, so that each lane keeps its row of K in registers.
#include <cuda_runtime.h>

constexpr int kBlocks = 1056;  // eight of 256 threads for each of 132 multiprocessors

__global__ void product(int elements, const int* corner, const float* density, const float* K, const float* u, float* y) {
    int i = threadIdx.x % 8, team = (blockIdx.x * blockDim.x + threadIdx.x) / 8, teams = gridDim.x * blockDim.x / 8;
    float row[8];
#pragma unroll
    for (int j = 0; j < 8; ++j) row[j] = K[8 * i + j];
    for (int first = team - team % 4; first < elements; first += teams) {  // the four teams of a warp leave together
        int e = first + team % 4;
        bool real = e < elements;
        int node = real ? corner[8ll * e + i] : 0;
        float value = real ? density[e] * u[node] : 0.0f;
        float force = 0.0f;
#pragma unroll
        for (int j = 0; j < 8; ++j) force += row[j] * __shfl_sync(0xffffffffu, value, j, 8);
        if (real) atomicAdd(y + node, force);
    }
}

extern "C" void voxel_stiffness(int elements, int nodes, const int* corner, const float* density, const float* K, const float* u,
                                float* y) {
    cudaMemsetAsync(y, 0, nodes * sizeof(float));
    int blocks = (elements + 31) / 32;
    if (blocks > kBlocks) blocks = kBlocks;
    if (elements > 0) product<<<blocks, 256>>>(elements, corner, density, K, u, y);
}
