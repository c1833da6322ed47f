// Coulomb potential on a plane, one thread per grid point.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 8;

__global__ void slice(int height, int width, int atoms, float spacing, const float* atom, float* potential) {
    int x = blockIdx.x * kBlockX + threadIdx.x;
    int y = blockIdx.y * kBlockY + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0.0f;
    for (int a = 0; a < atoms; ++a) {
        float dx = x * spacing - atom[4 * a];
        float dy = y * spacing - atom[4 * a + 1];
        float dz = atom[4 * a + 2];
        sum += atom[4 * a + 3] / sqrtf(dx * dx + dy * dy + dz * dz);
    }
    potential[(size_t)y * width + x] = sum;
}

extern "C" void coulomb_slice(int height, int width, int atoms, float spacing, const float* atom, float* potential) {
    dim3 grid((width + kBlockX - 1) / kBlockX, (height + kBlockY - 1) / kBlockY);
    slice<<<grid, dim3(kBlockX, kBlockY)>>>(height, width, atoms, spacing, atom, potential);
}
