// Seven-point stencil, one thread per cell, input read through the read-only path.
#include <cuda_runtime.h>

__global__ void stencil(int nx, int ny, int nz, float center, float neighbour, const float* __restrict__ in,
                        float* __restrict__ out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= nx || y >= ny || z >= nz) return;
    const size_t row = nx, plane = (size_t)nx * ny;
    size_t i = z * plane + y * row + x;
    bool inside = x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1;
    if (inside) {
        float sum = __ldg(in + i - 1) + __ldg(in + i + 1) + __ldg(in + i - row) + __ldg(in + i + row) +
                    __ldg(in + i - plane) + __ldg(in + i + plane);
        out[i] = center * __ldg(in + i) + neighbour * sum;
    } else {
        out[i] = __ldg(in + i);
    }
}

extern "C" void laplace3d(int nx, int ny, int nz, float center, float neighbour, const float* in, float* out) {
    dim3 block(32, 4, 2);
    dim3 grid((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y, (nz + block.z - 1) / block.z);
    stencil<<<grid, block>>>(nx, ny, nz, center, neighbour, in, out);
}
