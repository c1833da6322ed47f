// Eighth-order wave step: marching along z, the plane in shared memory, the weights in constant memory.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 8;
constexpr int kRadius = 4;
constexpr int kWide = kBlockX + 2 * kRadius, kHigh = kBlockY + 2 * kRadius;
constexpr int kPlanes = 32;  // cells along z per thread

__constant__ float c_weight[kRadius + 1];

struct Model {
    int nx, ny, nz;
    const float *damp_x, *damp_y, *damp_z, *speed2, *now;
    float* before;
};

// Fills the halo of the tile from plane z; beyond the grid lies 0. Corners are not needed.
__device__ void fill_halo(const Model& m, float (&tile)[kHigh][kWide], int x, int y, const float* plane) {
    int tx = threadIdx.x + kRadius, ty = threadIdx.y + kRadius;
    if (threadIdx.x < 2 * kRadius) {
        bool left = threadIdx.x < kRadius;
        int shift = left ? -kRadius : kBlockX - kRadius;
        int gx = x + shift;
        bool in_grid = y < m.ny && gx >= 0 && gx < m.nx;
        tile[ty][tx + shift] = in_grid ? plane[(size_t)y * m.nx + gx] : 0.0f;
    }
    int shift = threadIdx.y < kRadius ? -kRadius : kBlockY - kRadius;  // kBlockY is 2 * kRadius: each thread has one
    int gy = y + shift;
    bool in_grid = x < m.nx && gy >= 0 && gy < m.ny;
    tile[ty + shift][tx] = in_grid ? plane[(size_t)gy * m.nx + x] : 0.0f;
}

__global__ void step(Model m) {
    __shared__ float tile[kHigh][kWide];
    int x = blockIdx.x * kBlockX + threadIdx.x, y = blockIdx.y * kBlockY + threadIdx.y;
    int tx = threadIdx.x + kRadius, ty = threadIdx.y + kRadius;
    bool in_grid = x < m.nx && y < m.ny;  // the others stay for the barriers
    int z_begin = blockIdx.z * kPlanes, z_end = min(z_begin + kPlanes, m.nz);
    const size_t plane = (size_t)m.nx * m.ny;
    const float* column = m.now + (size_t)y * m.nx + x;
    float queue[2 * kRadius + 1];  // of planes z - 4 to z + 4
#pragma unroll
    for (int k = 0; k < 2 * kRadius; ++k) {
        int z = z_begin - kRadius + k;
        queue[k + 1] = in_grid && z >= 0 && z < m.nz ? column[z * plane] : 0.0f;
    }
    float rim = in_grid ? m.damp_x[x] * m.damp_y[y] : 0.0f;
    for (int z = z_begin; z < z_end; ++z) {
#pragma unroll
        for (int k = 0; k < 2 * kRadius; ++k) queue[k] = queue[k + 1];
        queue[2 * kRadius] = in_grid && z + kRadius < m.nz ? column[(z + kRadius) * plane] : 0.0f;
        __syncthreads();  // the last plane's tile has been read
        tile[ty][tx] = queue[kRadius];
        fill_halo(m, tile, x, y, m.now + z * plane);
        __syncthreads();
        if (!in_grid) continue;
        float laplacian = 3.0f * c_weight[0] * queue[kRadius];
#pragma unroll
        for (int r = 1; r <= kRadius; ++r) {
            float ring = tile[ty][tx - r] + tile[ty][tx + r] + tile[ty - r][tx] + tile[ty + r][tx] +
                         queue[kRadius - r] + queue[kRadius + r];
            laplacian += c_weight[r] * ring;
        }
        size_t c = z * plane + (size_t)y * m.nx + x;
        float damp = rim * m.damp_z[z];
        m.before[c] = damp * (2.0f * queue[kRadius] - damp * m.before[c] + m.speed2[c] * laplacian);
    }
}

extern "C" void seismic_step(int nx, int ny, int nz, const float* weight, const float* damp_x, const float* damp_y,
                             const float* damp_z, const float* speed2, const float* now, float* before) {
    dim3 block(kBlockX, kBlockY), grid((nx - 1) / kBlockX + 1, (ny - 1) / kBlockY + 1, (nz - 1) / kPlanes + 1);
    cudaMemcpyToSymbolAsync(c_weight, weight, sizeof(c_weight), 0, cudaMemcpyDeviceToDevice);
    step<<<grid, block>>>(Model{nx, ny, nz, damp_x, damp_y, damp_z, speed2, now, before});
}
