// Voxel stiffness: a thread for each element, the element matrix in constant memory.
#include <cuda_runtime.h>

__constant__ float stiffness[64];

__global__ void product(int elements, const int* corner, const float* density, const float* u, float* y) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= elements) return;
    int at[8];
    float value[8];
#pragma unroll
    for (int j = 0; j < 8; ++j) at[j] = corner[8ll * e + j];
#pragma unroll
    for (int j = 0; j < 8; ++j) value[j] = density[e] * u[at[j]];  // eight gathers in flight
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        float force = 0.0f;
#pragma unroll
        for (int j = 0; j < 8; ++j) force += stiffness[8 * i + j] * value[j];
        atomicAdd(y + at[i], force);
    }
}

extern "C" void voxel_stiffness(int elements, int nodes, const int* corner, const float* density, const float* K, const float* u,
                                float* y) {
    cudaMemsetAsync(y, 0, nodes * sizeof(float));
    cudaMemcpyToSymbolAsync(stiffness, K, 64 * sizeof(float), 0, cudaMemcpyDeviceToDevice);
    if (elements > 0) product<<<(elements + 255) / 256, 256>>>(elements, corner, density, u, y);
}
