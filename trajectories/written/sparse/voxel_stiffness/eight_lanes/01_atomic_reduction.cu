// Voxel stiffness: a thread for each element adds its eight corner forces with atomics.
#include <cuda_runtime.h>

__global__ void product(int elements, const int* corner, const float* density, const float* K, const float* u, float* y) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= elements) return;
    const int* at = corner + 8ll * e;
    for (int i = 0; i < 8; ++i) {
        float force = 0.0f;
        for (int j = 0; j < 8; ++j) force += K[8 * i + j] * u[at[j]];
        atomicAdd(y + at[i], density[e] * force);
    }
}

extern "C" void voxel_stiffness(int elements, int nodes, const int* corner, const float* density, const float* K, const float* u,
                                float* y) {
    cudaMemsetAsync(y, 0, nodes * sizeof(float));
    if (elements > 0) product<<<(elements + 255) / 256, 256>>>(elements, corner, density, K, u, y);
}
