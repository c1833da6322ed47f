// Eighth-order wave step: marching along z, the plane in shared memory, the weights in constant memory.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 16;
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
    if (threadIdx.y >= 2 * kRadius) return;
    int shift = threadIdx.y < kRadius ? -kRadius : kBlockY - kRadius;
    int gy = y + shift;
    bool in_grid = x < m.nx && gy >= 0 && gy < m.ny;
    tile[ty + shift][tx] = in_grid ? plane[(size_t)gy * m.nx + x] : 0.0f;
}

__global__ void step(Model m) {
    __shared__ float tiles[2][kHigh][kWide];
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
    const size_t first = z_begin * plane + (size_t)y * m.nx + x;
    float old = in_grid ? m.before[first] : 0.0f, speed = in_grid ? m.speed2[first] : 0.0f;
    for (int z = z_begin; z < z_end; ++z) {
#pragma unroll
        for (int k = 0; k < 2 * kRadius; ++k) queue[k] = queue[k + 1];
        queue[2 * kRadius] = in_grid && z + kRadius < m.nz ? column[(z + kRadius) * plane] : 0.0f;
        auto& tile = tiles[z % 2];  // last read two planes ago, before the previous barrier
        tile[ty][tx] = queue[kRadius];
        fill_halo(m, tile, x, y, m.now + z * plane);
        __syncthreads();
        if (!in_grid) continue;
        size_t c = z * plane + (size_t)y * m.nx + x;
        size_t following = z + 1 < z_end ? c + plane : c;  // the last round loads what it has
        float next_old = m.before[following], next_speed = m.speed2[following];
        float laplacian = 3.0f * c_weight[0] * queue[kRadius];
#pragma unroll
        for (int r = 1; r <= kRadius; ++r) {
            float ring = tile[ty][tx - r] + tile[ty][tx + r] + tile[ty - r][tx] + tile[ty + r][tx] +
                         queue[kRadius - r] + queue[kRadius + r];
            laplacian += c_weight[r] * ring;
        }
        float damp = rim * m.damp_z[z];
        m.before[c] = damp * (2.0f * queue[kRadius] - damp * old + speed * laplacian);
        old = next_old;
        speed = next_speed;
    }
}

extern "C" void seismic_step(int nx, int ny, int nz, const float* weight, const float* damp_x, const float* damp_y,
                             const float* damp_z, const float* speed2, const float* now, float* before) {
    dim3 block(kBlockX, kBlockY), grid((nx - 1) / kBlockX + 1, (ny - 1) / kBlockY + 1, (nz - 1) / kPlanes + 1);
    cudaMemcpyToSymbolAsync(c_weight, weight, sizeof(c_weight), 0, cudaMemcpyDeviceToDevice);
    step<<<grid, block>>>(Model{nx, ny, nz, damp_x, damp_y, damp_z, speed2, now, before});
}
