// Voxel stiffness: eight lanes for each element; each fetches one corner and forms one force, values travel by shuffles.
#include <cuda_runtime.h>

__global__ void product(int elements, const int* corner, const float* density, const float* K, const float* u, float* y) {
    long long slot = (long long)blockIdx.x * blockDim.x + threadIdx.x;  // element and corner
    int e = slot / 8, i = slot % 8;
    bool real = e < elements;  // lanes past the end stay for the shuffles
    int node = real ? corner[slot] : 0;
    float value = real ? density[e] * u[node] : 0.0f;
    float force = 0.0f;
    for (int j = 0; j < 8; ++j) force += K[8 * i + j] * __shfl_sync(0xffffffffu, value, j, 8);
    if (real) atomicAdd(y + node, force);
}

extern "C" void voxel_stiffness(int elements, int nodes, const int* corner, const float* density, const float* K, const float* u,
                                float* y) {
    cudaMemsetAsync(y, 0, nodes * sizeof(float));
    if (elements > 0) product<<<(elements + 31) / 32, 256>>>(elements, corner, density, K, u, y);
}
