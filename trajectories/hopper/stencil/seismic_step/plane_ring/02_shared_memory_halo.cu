// Seismic step: blocks walk in z with nine planes of their tile and its rim in shared memory.
#include <cuda_runtime.h>

constexpr int kR = 4;          // reach of the stencil
constexpr int kX = 32, kY = 8; // points of a block in a plane
constexpr int kDepth = 64;     // planes that a block walks through
constexpr int kWidth = kX + 2 * kR, kHeight = kY + 2 * kR;
constexpr int kPlanes = 2 * kR + 1;

using Plane = float[kHeight][kWidth];

// Plane z, which may be as low as -kR, lies in this place of the ring.
__device__ int place(int z) { return (z + kPlanes) % kPlanes; }

// Copies plane z of the block's tile with its rim; what is outside of the grid is 0.
__device__ void fetch(Plane& to, int x0, int y0, int z, int nx, int ny, int nz, const float* now) {
    for (int i = threadIdx.y * kX + threadIdx.x; i < kWidth * kHeight; i += kX * kY) {
        int x = x0 - kR + i % kWidth, y = y0 - kR + i / kWidth;
        bool there = x >= 0 && y >= 0 && z >= 0 && x < nx && y < ny && z < nz;
        to[i / kWidth][i % kWidth] = there ? now[((size_t)z * ny + y) * nx + x] : 0.0f;
    }
}

__global__ void __launch_bounds__(kX * kY)
    step(int nx, int ny, int nz, const float* weight, const float* damp_x, const float* damp_y, const float* damp_z, const float* speed2,
         const float* now, float* before) {
    __shared__ Plane ring[kPlanes];
    int x0 = blockIdx.x * kX, y0 = blockIdx.y * kY, z0 = blockIdx.z * kDepth, z1 = min(z0 + kDepth, nz);
    int x = x0 + threadIdx.x, y = y0 + threadIdx.y, cx = threadIdx.x + kR, cy = threadIdx.y + kR;
    bool inside = x < nx && y < ny;
    float damp_xy = inside ? damp_x[x] * damp_y[y] : 0.0f;
    float w[kR + 1];
    for (int r = 0; r <= kR; ++r) w[r] = weight[r];
    for (int z = z0 - kR; z < z0 + kR; ++z) fetch(ring[place(z)], x0, y0, z, nx, ny, nz, now);
    for (int z = z0; z < z1; ++z) {
        fetch(ring[place(z + kR)], x0, y0, z + kR, nx, ny, nz, now);
        __syncthreads();
        if (inside) {
            float centre = ring[place(z)][cy][cx], laplacian = 3.0f * w[0] * centre;
#pragma unroll
            for (int r = 1; r <= kR; ++r) {
                const Plane& here = ring[place(z)];
                laplacian += w[r] * (here[cy][cx - r] + here[cy][cx + r] + here[cy - r][cx] + here[cy + r][cx] +
                                     ring[place(z - r)][cy][cx] + ring[place(z + r)][cy][cx]);
            }
            size_t c = ((size_t)z * ny + y) * nx + x;
            float damp = damp_xy * damp_z[z];
            before[c] = damp * (2.0f * centre - damp * before[c] + speed2[c] * laplacian);
        }
        __syncthreads();  // the lowest plane may be overwritten
    }
}

extern "C" void seismic_step(int nx, int ny, int nz, const float* weight, const float* damp_x, const float* damp_y,
                             const float* damp_z, const float* speed2, const float* now, float* before) {
    dim3 blocks((nx + kX - 1) / kX, (ny + kY - 1) / kY, (nz + kDepth - 1) / kDepth);
    step<<<blocks, dim3(kX, kY)>>>(nx, ny, nz, weight, damp_x, damp_y, damp_z, speed2, now, before);
}
