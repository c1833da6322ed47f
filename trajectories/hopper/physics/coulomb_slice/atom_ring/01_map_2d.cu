// Coulomb potential on a plane: a thread for each grid point.
#include <cuda_runtime.h>

__global__ void sum_atoms(int height, int width, int atoms, float spacing, const float* atom, float* potential) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0.0f;
    for (int a = 0; a < atoms; ++a) {
        float dx = x * spacing - atom[4 * a], dy = y * spacing - atom[4 * a + 1], dz = atom[4 * a + 2];
        sum += atom[4 * a + 3] / sqrtf(dx * dx + dy * dy + dz * dz);
    }
    potential[(size_t)y * width + x] = sum;
}

extern "C" void coulomb_slice(int height, int width, int atoms, float spacing, const float* atom, float* potential) {
    dim3 threads(32, 8), blocks((width + 31) / 32, (height + 7) / 8);
    sum_atoms<<<blocks, threads>>>(height, width, atoms, spacing, atom, potential);
}
