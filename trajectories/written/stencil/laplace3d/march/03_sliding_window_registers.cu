// Seven-point stencil, each thread marches along z and keeps three cells of its column in registers.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 8;
constexpr int kPlanes = 32;  // cells along z per thread

__global__ void stencil(int nx, int ny, int nz, float center, float neighbour, const float* __restrict__ in,
                        float* __restrict__ out) {
    int x = blockIdx.x * kBlockX + threadIdx.x;
    int y = blockIdx.y * kBlockY + threadIdx.y;
    if (x >= nx || y >= ny) return;
    const size_t row = nx, plane = (size_t)nx * ny;
    int z_begin = blockIdx.z * kPlanes;
    int z_end = min(z_begin + kPlanes, nz);
    bool inside_plane = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;

    size_t i = z_begin * plane + y * row + x;
    float below = z_begin > 0 ? __ldg(in + i - plane) : 0.0f;
    float here = __ldg(in + i);
    for (int z = z_begin; z < z_end; ++z, i += plane) {
        float above = z + 1 < nz ? __ldg(in + i + plane) : 0.0f;
        float value = here;
        if (inside_plane && z > 0 && z < nz - 1) {
            float sum = __ldg(in + i - 1) + __ldg(in + i + 1) + __ldg(in + i - row) + __ldg(in + i + row) + below + above;
            value = center * here + neighbour * sum;
        }
        out[i] = value;
        below = here;
        here = above;
    }
}

extern "C" void laplace3d(int nx, int ny, int nz, float center, float neighbour, const float* in, float* out) {
    dim3 block(kBlockX, kBlockY);
    dim3 grid((nx + kBlockX - 1) / kBlockX, (ny + kBlockY - 1) / kBlockY, (nz + kPlanes - 1) / kPlanes);
    stencil<<<grid, block>>>(nx, ny, nz, center, neighbour, in, out);
}
