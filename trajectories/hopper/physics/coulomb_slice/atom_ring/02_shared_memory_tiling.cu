// Coulomb potential on a plane: tiles of atoms in shared memory.
#include <cuda_runtime.h>

constexpr int kX = 32, kY = 8;
constexpr int kTile = kX * kY;  // atoms in shared memory at a time

__global__ void __launch_bounds__(kX * kY)
    sum_atoms(int height, int width, int atoms, float spacing, const float4* atom, float* potential) {
    __shared__ float4 tile[kTile];
    int x = blockIdx.x * kX + threadIdx.x, y = blockIdx.y * kY + threadIdx.y, t = threadIdx.y * kX + threadIdx.x;
    float sum = 0.0f;
    for (int first = 0; first < atoms; first += kTile) {
        if (first + t < atoms) tile[t] = atom[first + t];
        __syncthreads();
        int count = min(kTile, atoms - first);
        for (int a = 0; a < count; ++a) {
            float dx = x * spacing - tile[a].x, dy = y * spacing - tile[a].y, dz = tile[a].z;
            sum += tile[a].w * rsqrtf(dx * dx + dy * dy + dz * dz);
        }
        __syncthreads();
    }
    if (x < width && y < height) potential[(size_t)y * width + x] = sum;
}

extern "C" void coulomb_slice(int height, int width, int atoms, float spacing, const float* atom, float* potential) {
    dim3 blocks((width + kX - 1) / kX, (height + kY - 1) / kY);
    sum_atoms<<<blocks, dim3(kX, kY)>>>(height, width, atoms, spacing, reinterpret_cast<const float4*>(atom), potential);
}
