// Eighth-order wave step: a thread for each cell.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 8;

struct Field {
    int nx, ny, nz;
    const float* values;
    __device__ float at(int x, int y, int z) const {
        if (x < 0 || y < 0 || z < 0 || x >= nx || y >= ny || z >= nz) return 0.0f;
        return values[((size_t)z * ny + y) * nx + x];
    }
};

__global__ void step(Field now, const float* weight, const float* damp_x, const float* damp_y, const float* damp_z,
                     const float* speed2, float* before) {
    int x = blockIdx.x * kBlockX + threadIdx.x, y = blockIdx.y * kBlockY + threadIdx.y, z = blockIdx.z;
    if (x >= now.nx || y >= now.ny) return;
    float here = now.at(x, y, z);
    float laplacian = 3.0f * weight[0] * here;
    for (int r = 1; r <= 4; ++r) {
        float ring = now.at(x - r, y, z) + now.at(x + r, y, z) + now.at(x, y - r, z) + now.at(x, y + r, z) +
                     now.at(x, y, z - r) + now.at(x, y, z + r);
        laplacian += weight[r] * ring;
    }
    size_t c = ((size_t)z * now.ny + y) * now.nx + x;
    float damp = damp_x[x] * damp_y[y] * damp_z[z];
    before[c] = damp * (2.0f * here - damp * before[c] + speed2[c] * laplacian);
}

extern "C" void seismic_step(int nx, int ny, int nz, const float* weight, const float* damp_x, const float* damp_y,
                             const float* damp_z, const float* speed2, const float* now, float* before) {
    dim3 block(kBlockX, kBlockY), grid((nx - 1) / kBlockX + 1, (ny - 1) / kBlockY + 1, nz);
    step<<<grid, block>>>(Field{nx, ny, nz, now}, weight, damp_x, damp_y, damp_z, speed2, before);
}
