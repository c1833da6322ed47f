// FDTD: one launch a step from one set of fields to another; a point computes its neighbours' magnetic fields again.
#include <cuda_runtime.h>

struct Fields {
    float *hx, *hy, *ez;
};

__global__ void step(int rows, int cols, float c, const float* __restrict__ e, Fields from, Fields to) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= cols || y >= rows) return;
    const int at = y * cols + x;
    const float own = from.ez[at];
    const float hx = y + 1 < rows ? from.hx[at] - c * (from.ez[at + cols] - own) : from.hx[at];
    const float hy = x + 1 < cols ? from.hy[at] + c * (from.ez[at + 1] - own) : from.hy[at];
    to.hx[at] = hx;
    to.hy[at] = hy;
    float ez = own;
    if (x > 0 && y > 0 && x < cols - 1 && y < rows - 1) {
        const float above = from.hx[at - cols] - c * (own - from.ez[at - cols]), left = from.hy[at - 1] + c * (own - from.ez[at - 1]);
        ez += e[at] * (hy - left - hx + above);
    }
    to.ez[at] = ez;
}

extern "C" void fdtd_steps(int rows, int cols, int steps, float c, const float* e, float* hx, float* hy, float* ez) {
    const dim3 grid((cols + 31) / 32, (rows + 7) / 8), block(32, 8);
    const size_t size = (size_t)rows * cols;
    float* scratch = nullptr;
    cudaMallocAsync(&scratch, sizeof(float) * 3 * size, 0);
    Fields own = {hx, hy, ez}, other = {scratch, scratch + size, scratch + 2 * size};
    for (int s = 0; s < steps; ++s) step<<<grid, block>>>(rows, cols, c, e, s % 2 ? other : own, s % 2 ? own : other);
    if (steps % 2) {
        cudaMemcpyAsync(hx, other.hx, sizeof(float) * size, cudaMemcpyDeviceToDevice);
        cudaMemcpyAsync(hy, other.hy, sizeof(float) * size, cudaMemcpyDeviceToDevice);
        cudaMemcpyAsync(ez, other.ez, sizeof(float) * size, cudaMemcpyDeviceToDevice);
    }
    cudaFreeAsync(scratch, 0);
}
