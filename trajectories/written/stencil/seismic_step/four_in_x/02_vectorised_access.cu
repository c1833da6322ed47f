// Eighth-order wave step: a thread for four cells along x.
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

struct Model4 {
    int nx, ny, nz;
    const float *weight, *damp_x, *damp_y, *damp_z, *speed2, *now;
    float* before;

    // Four values from x on, which is a multiple of four like nx.
    __device__ float4 at4(int x, int y, int z) const {
        if (x < 0 || y < 0 || z < 0 || x >= nx || y >= ny || z >= nz) return {0.0f, 0.0f, 0.0f, 0.0f};
        return *(const float4*)(now + ((size_t)z * ny + y) * nx + x);
    }
};

__device__ void add(float (&sum)[4], float4 v) { sum[0] += v.x, sum[1] += v.y, sum[2] += v.z, sum[3] += v.w; }

// Writes four cells from their Laplacians.
__device__ void update(const Model4& m, int x, int y, int z, float4 here, const float (&laplacian)[4]) {
    size_t c = ((size_t)z * m.ny + y) * m.nx + x;
    float4 old = *(float4*)(m.before + c), speed = *(const float4*)(m.speed2 + c), rim = *(const float4*)(m.damp_x + x);
    float common = m.damp_y[y], depth = m.damp_z[z];
    rim = {rim.x * common * depth, rim.y * common * depth, rim.z * common * depth, rim.w * common * depth};
    float4 next;
    next.x = rim.x * (2.0f * here.x - rim.x * old.x + speed.x * laplacian[0]);
    next.y = rim.y * (2.0f * here.y - rim.y * old.y + speed.y * laplacian[1]);
    next.z = rim.z * (2.0f * here.z - rim.z * old.z + speed.z * laplacian[2]);
    next.w = rim.w * (2.0f * here.w - rim.w * old.w + speed.w * laplacian[3]);
    *(float4*)(m.before + c) = next;
}

__global__ void step4(Model4 m) {
    int x = 4 * (blockIdx.x * kBlockX + threadIdx.x), y = blockIdx.y * kBlockY + threadIdx.y, z = blockIdx.z;
    if (x >= m.nx || y >= m.ny) return;
    float4 left = m.at4(x - 4, y, z), here = m.at4(x, y, z), right = m.at4(x + 4, y, z);
    float line[12] = {left.x, left.y, left.z,  left.w,  here.x,  here.y,
                      here.z, here.w, right.x, right.y, right.z, right.w};
    float laplacian[4];
#pragma unroll
    for (int j = 0; j < 4; ++j) laplacian[j] = 3.0f * m.weight[0] * line[4 + j];
#pragma unroll
    for (int r = 1; r <= 4; ++r) {
        float ring[4];
#pragma unroll
        for (int j = 0; j < 4; ++j) ring[j] = line[4 + j - r] + line[4 + j + r];
        add(ring, m.at4(x, y - r, z));
        add(ring, m.at4(x, y + r, z));
        add(ring, m.at4(x, y, z - r));
        add(ring, m.at4(x, y, z + r));
#pragma unroll
        for (int j = 0; j < 4; ++j) laplacian[j] += m.weight[r] * ring[j];
    }
    update(m, x, y, z, here, laplacian);
}

extern "C" void seismic_step(int nx, int ny, int nz, const float* weight, const float* damp_x, const float* damp_y,
                             const float* damp_z, const float* speed2, const float* now, float* before) {
    dim3 block(kBlockX, kBlockY);
    if (nx % 4 == 0 && ((size_t)damp_x | (size_t)speed2 | (size_t)now | (size_t)before) % 16 == 0) {
        Model4 model = {nx, ny, nz, weight, damp_x, damp_y, damp_z, speed2, now, before};
        step4<<<dim3((nx / 4 - 1) / kBlockX + 1, (ny - 1) / kBlockY + 1, nz), block>>>(model);
        return;
    }
    dim3 grid((nx - 1) / kBlockX + 1, (ny - 1) / kBlockY + 1, nz);
    step<<<grid, block>>>(Field{nx, ny, nz, now}, weight, damp_x, damp_y, damp_z, speed2, before);
}
