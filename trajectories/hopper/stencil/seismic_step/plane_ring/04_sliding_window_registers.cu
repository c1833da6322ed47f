// Seismic step: the column of each thread in registers, so that the ring holds only the planes from the present one on.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

constexpr int kR = 4;          // reach of the stencil
constexpr int kX = 32, kY = 8; // points of a block in a plane
constexpr int kDepth = 64;     // planes that a block walks through
constexpr int kWidth = kX + 2 * kR, kHeight = kY + 2 * kR;
constexpr int kAhead = 2;       // planes on their way beyond the highest that is needed
constexpr int kPlanes = kR + 1 + kAhead;

using Plane = float[kHeight][kWidth];

// Plane z, which may be as low as -kR, lies in this place of the ring.
__device__ int place(int z) { return (z + kPlanes) % kPlanes; }

// Orders plane z of the block's tile with its rim as one batch; what is outside of the grid is stored as 0. Rows begin anywhere, so
// pieces are single floats.
__device__ void order(Plane& to, int x0, int y0, int z, int nx, int ny, int nz, const float* now) {
    for (int i = threadIdx.y * kX + threadIdx.x; i < kWidth * kHeight; i += kX * kY) {
        int x = x0 - kR + i % kWidth, y = y0 - kR + i / kWidth;
        bool there = x >= 0 && y >= 0 && z >= 0 && x < nx && y < ny && z < nz;
        float* value = &to[i / kWidth][i % kWidth];
        if (there) __pipeline_memcpy_async(value, now + ((size_t)z * ny + y) * nx + x, sizeof(float));
        else *value = 0.0f;
    }
    __pipeline_commit();
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
    for (int z = z0; z < z0 + kR + kAhead; ++z) order(ring[place(z)], x0, y0, z, nx, ny, nz, now);
    float column[2 * kR + 1];  // now at (x, y) in planes z - kR to z + kR
#pragma unroll
    for (int i = 1; i <= 2 * kR; ++i) {
        int z = z0 - kR + i - 1;  // moved up by one before the first step
        column[i] = inside && z >= 0 && z < nz ? now[((size_t)z * ny + y) * nx + x] : 0.0f;
    }
    for (int z = z0; z < z1; ++z) {
        __pipeline_wait_prior(kAhead - 1);  // plane z + kR has arrived
        __syncthreads();                    // for all threads, and the step before is done with the lowest plane
        order(ring[place(z + kR + kAhead)], x0, y0, z + kR + kAhead, nx, ny, nz, now);
#pragma unroll
        for (int i = 0; i < 2 * kR; ++i) column[i] = column[i + 1];
        column[2 * kR] = ring[place(z + kR)][cy][cx];
        if (inside) {
            const Plane& here = ring[place(z)];
            float laplacian = 3.0f * w[0] * column[kR];
#pragma unroll
            for (int r = 1; r <= kR; ++r) {
                laplacian += w[r] * (here[cy][cx - r] + here[cy][cx + r] + here[cy - r][cx] + here[cy + r][cx] +
                                     column[kR - r] + column[kR + r]);
            }
            size_t c = ((size_t)z * ny + y) * nx + x;
            float damp = damp_xy * damp_z[z];
            before[c] = damp * (2.0f * column[kR] - damp * before[c] + speed2[c] * laplacian);
        }
    }
    __pipeline_wait_prior(0);
}

extern "C" void seismic_step(int nx, int ny, int nz, const float* weight, const float* damp_x, const float* damp_y,
                             const float* damp_z, const float* speed2, const float* now, float* before) {
    dim3 blocks((nx + kX - 1) / kX, (ny + kY - 1) / kY, (nz + kDepth - 1) / kDepth);
    step<<<blocks, dim3(kX, kY)>>>(nx, ny, nz, weight, damp_x, damp_y, damp_z, speed2, now, before);
}
