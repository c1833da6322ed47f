// FDTD: two launches a step, one point a thread.
#include <cuda_runtime.h>

__global__ void magnetic(int rows, int cols, float c, float* hx, float* hy, const float* ez) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= cols || y >= rows) return;
    const int at = y * cols + x;
    if (y + 1 < rows) hx[at] -= c * (ez[at + cols] - ez[at]);
    if (x + 1 < cols) hy[at] += c * (ez[at + 1] - ez[at]);
}

__global__ void electric(int rows, int cols, const float* e, const float* hx, const float* hy, float* ez) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < 1 || y < 1 || x >= cols - 1 || y >= rows - 1) return;
    const int at = y * cols + x;
    ez[at] += e[at] * (hy[at] - hy[at - 1] - hx[at] + hx[at - cols]);
}

extern "C" void fdtd_steps(int rows, int cols, int steps, float c, const float* e, float* hx, float* hy, float* ez) {
    const dim3 grid((cols + 31) / 32, (rows + 7) / 8), block(32, 8);
    for (int s = 0; s < steps; ++s) {
        magnetic<<<grid, block>>>(rows, cols, c, hx, hy, ez);
        electric<<<grid, block>>>(rows, cols, e, hx, hy, ez);
    }
}
