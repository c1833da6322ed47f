// Seven-point stencil, marching along z; the block's current plane with a one-cell halo lies in shared memory.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 8;
constexpr int kPlanes = 32;  // cells along z per thread

// One plane of the block with its halo. Threads at an edge also fetch the neighbour outside; corners are not needed.
struct PlaneTile {
    float cell[kBlockY + 2][kBlockX + 2];
};

__device__ void fill(PlaneTile& tile, const float* __restrict__ in, size_t i, int x, int y, int nx, int ny, float here) {
    if (x >= nx || y >= ny) return;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    tile.cell[ty][tx] = here;
    if (tx == 1 && x > 0) tile.cell[ty][0] = __ldg(in + i - 1);
    if (tx == kBlockX && x + 1 < nx) tile.cell[ty][kBlockX + 1] = __ldg(in + i + 1);
    if (ty == 1 && y > 0) tile.cell[0][tx] = __ldg(in + i - nx);
    if (ty == kBlockY && y + 1 < ny) tile.cell[kBlockY + 1][tx] = __ldg(in + i + nx);
}

__global__ void stencil(int nx, int ny, int nz, float center, float neighbour, const float* __restrict__ in,
                        float* __restrict__ out) {
    __shared__ PlaneTile tile;
    int x = blockIdx.x * kBlockX + threadIdx.x;
    int y = blockIdx.y * kBlockY + threadIdx.y;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const size_t plane = (size_t)nx * ny;
    int z_begin = blockIdx.z * kPlanes;
    int z_end = min(z_begin + kPlanes, nz);
    bool in_grid = x < nx && y < ny;  // the others stay for the barriers
    bool inside_plane = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;

    size_t i = z_begin * plane + (size_t)y * nx + x;
    float below = in_grid && z_begin > 0 ? __ldg(in + i - plane) : 0.0f;
    float here = in_grid ? __ldg(in + i) : 0.0f;
    for (int z = z_begin; z < z_end; ++z, i += plane) {
        float above = in_grid && z + 1 < nz ? __ldg(in + i + plane) : 0.0f;
        fill(tile, in, i, x, y, nx, ny, here);
        __syncthreads();
        float value = here;
        if (inside_plane && z > 0 && z < nz - 1) {
            float sum = tile.cell[ty][tx - 1] + tile.cell[ty][tx + 1] + tile.cell[ty - 1][tx] + tile.cell[ty + 1][tx] +
                        below + above;
            value = center * here + neighbour * sum;
        }
        if (in_grid) out[i] = value;
        below = here;
        here = above;
        __syncthreads();  // the tile is overwritten for the next plane
    }
}

extern "C" void laplace3d(int nx, int ny, int nz, float center, float neighbour, const float* in, float* out) {
    dim3 block(kBlockX, kBlockY);
    dim3 grid((nx + kBlockX - 1) / kBlockX, (ny + kBlockY - 1) / kBlockY, (nz + kPlanes - 1) / kPlanes);
    stencil<<<grid, block>>>(nx, ny, nz, center, neighbour, in, out);
}
