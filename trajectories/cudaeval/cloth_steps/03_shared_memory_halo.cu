// Cloth: a block's places and those around it stand in shared memory, read once.
#include <cuda_runtime.h>

struct Vec3 {
    float x, y, z;
};

constexpr int kWide = 34, kHigh = 10;  // nodes of a tile with those around it

__device__ void pull(bool there, Vec3 a, Vec3 b, float k, Vec3& sum) {
    if (!there) return;
    const float x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
    const float share = k * (1.0f - 1.0f / (sqrtf(x * x + y * y + z * z) + 0.01f));
    sum.x += x * share;
    sum.y += y * share;
    sum.z += z * share;
}

__global__ void step(int rows, int cols, float k, float drag, float dt, const Vec3* __restrict__ place, Vec3* __restrict__ moved, Vec3* __restrict__ speed) {
    const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
    __shared__ Vec3 tile[kHigh][kWide];
    for (int i = threadIdx.y * 32 + threadIdx.x; i < kHigh * kWide; i += 256) {
        const int y = blockIdx.y * 8 + i / kWide - 1, x = blockIdx.x * 32 + i % kWide - 1;
        if (y >= 0 && y < rows && x >= 0 && x < cols) tile[i / kWide][i % kWide] = place[y * cols + x];
    }
    __syncthreads();
    if (r >= rows || c >= cols) return;
    const int ty = threadIdx.y + 1, tx = threadIdx.x + 1;
    Vec3 own = tile[ty][tx];
    if (r == 0) {
        moved[c] = own;
        return;
    }
    Vec3 sum = {0.0f, 0.0f, 0.0f}, v = speed[r * cols + c];
    pull(c + 1 < cols, own, tile[ty][tx + 1], k, sum);
    pull(c > 0, own, tile[ty][tx - 1], k, sum);
    pull(r + 1 < rows, own, tile[ty + 1][tx], k, sum);
    pull(true, own, tile[ty - 1][tx], k, sum);
    v.x += (sum.x - drag * v.x) * dt;
    v.y += (sum.y - drag * v.y) * dt;
    v.z += (sum.z - drag * v.z - 0.1f) * dt;
    speed[r * cols + c] = v;
    own.x += v.x * dt;
    own.y += v.y * dt;
    own.z += v.z * dt;
    moved[r * cols + c] = own;
}

extern "C" void cloth_steps(int rows, int cols, int steps, float k, float drag, float dt, Vec3* place, Vec3* speed) {
    const size_t bytes = sizeof(Vec3) * (size_t)rows * cols;
    Vec3* other = nullptr;
    cudaMallocAsync(&other, bytes, 0);
    for (int s = 0; s < steps; ++s)
        step<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(rows, cols, k, drag, dt, s % 2 ? other : place, s % 2 ? place : other, speed);
    if (steps % 2) cudaMemcpyAsync(place, other, bytes, cudaMemcpyDeviceToDevice);
    cudaFreeAsync(other, 0);
}
