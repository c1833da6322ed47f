// Voxel stiffness: a thread for each element, its eight corner numbers in two 16-byte loads.
#include <cuda_runtime.h>

#include <cstdint>

__constant__ float stiffness[64];

__global__ void product(int elements, bool wide, const int* corner, const float* density, const float* u, float* y) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= elements) return;
    int at[8];
    float value[8];
    if (wide) {
        int4 low = reinterpret_cast<const int4*>(corner)[2ll * e], high = reinterpret_cast<const int4*>(corner)[2ll * e + 1];
        at[0] = low.x, at[1] = low.y, at[2] = low.z, at[3] = low.w, at[4] = high.x, at[5] = high.y, at[6] = high.z, at[7] = high.w;
    } else {
#pragma unroll
        for (int j = 0; j < 8; ++j) at[j] = corner[8ll * e + j];
    }
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
    bool wide = reinterpret_cast<uintptr_t>(corner) % 16 == 0;  // a row of corners is 32 bytes
    if (elements > 0) product<<<(elements + 255) / 256, 256>>>(elements, wide, corner, density, u, y);
}
