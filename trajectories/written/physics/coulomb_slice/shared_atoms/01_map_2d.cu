// Coulomb potential on a plane, one thread per grid point.
#include <cuda_runtime.h>

constexpr int kEdge = 16;

__global__ void slice(int height, int width, int atoms, float spacing, const float* atom, float* potential) {
    int x = blockIdx.x * kEdge + threadIdx.x;
    int y = blockIdx.y * kEdge + threadIdx.y;
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
    dim3 grid((width + kEdge - 1) / kEdge, (height + kEdge - 1) / kEdge);
    slice<<<grid, dim3(kEdge, kEdge)>>>(height, width, atoms, spacing, atom, potential);
}
