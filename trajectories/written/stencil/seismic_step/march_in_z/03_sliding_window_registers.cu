// Eighth-order wave step: threads march along z with nine values of their column in registers.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 8;
constexpr int kRadius = 4;
constexpr int kPlanes = 32;  // cells along z per thread

struct Model {
    int nx, ny, nz;
    const float *weight, *damp_x, *damp_y, *damp_z, *speed2, *now;
    float* before;
};

// The sum at distance r along x and y; beyond the rim lies 0.
template <bool kInner>
__device__ float ring_in_plane(const Model& m, const float* c, int x, int y, int r) {
    if (kInner) return c[-r] + c[r] + *(c - (size_t)r * m.nx) + c[(size_t)r * m.nx];
    float sum = 0.0f;
    if (x >= r) sum += c[-r];
    if (x + r < m.nx) sum += c[r];
    if (y >= r) sum += *(c - (size_t)r * m.nx);
    if (y + r < m.ny) sum += c[(size_t)r * m.nx];
    return sum;
}

template <bool kInner>
__device__ void march(const Model& m, int x, int y, int z_begin, int z_end) {
    const size_t plane = (size_t)m.nx * m.ny;
    size_t c = z_begin * plane + (size_t)y * m.nx + x;
    float queue[2 * kRadius + 1];  // of planes z - 4 to z + 4
#pragma unroll
    for (int k = 0; k < 2 * kRadius; ++k) {
        int z = z_begin - kRadius + k;
        queue[k + 1] = z >= 0 && z < m.nz ? m.now[(size_t)z * plane + (size_t)y * m.nx + x] : 0.0f;
    }
    float rim = m.damp_x[x] * m.damp_y[y];
    for (int z = z_begin; z < z_end; ++z, c += plane) {
#pragma unroll
        for (int k = 0; k < 2 * kRadius; ++k) queue[k] = queue[k + 1];
        queue[2 * kRadius] = z + kRadius < m.nz ? m.now[c + kRadius * plane] : 0.0f;
        float laplacian = 3.0f * m.weight[0] * queue[kRadius];
#pragma unroll
        for (int r = 1; r <= kRadius; ++r) {
            float ring = ring_in_plane<kInner>(m, m.now + c, x, y, r) + queue[kRadius - r] + queue[kRadius + r];
            laplacian += m.weight[r] * ring;
        }
        float damp = rim * m.damp_z[z];
        m.before[c] = damp * (2.0f * queue[kRadius] - damp * m.before[c] + m.speed2[c] * laplacian);
    }
}

__global__ void step(Model m) {
    int x0 = blockIdx.x * kBlockX, y0 = blockIdx.y * kBlockY;
    int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
    if (x >= m.nx || y >= m.ny) return;
    int z_begin = blockIdx.z * kPlanes, z_end = min(z_begin + kPlanes, m.nz);
    bool inner = x0 >= kRadius && x0 + kBlockX + kRadius <= m.nx && y0 >= kRadius && y0 + kBlockY + kRadius <= m.ny;
    if (inner) march<true>(m, x, y, z_begin, z_end);
    else march<false>(m, x, y, z_begin, z_end);
}

extern "C" void seismic_step(int nx, int ny, int nz, const float* weight, const float* damp_x, const float* damp_y,
                             const float* damp_z, const float* speed2, const float* now, float* before) {
    dim3 block(kBlockX, kBlockY), grid((nx - 1) / kBlockX + 1, (ny - 1) / kBlockY + 1, (nz - 1) / kPlanes + 1);
    step<<<grid, block>>>(Model{nx, ny, nz, weight, damp_x, damp_y, damp_z, speed2, now, before});
}
