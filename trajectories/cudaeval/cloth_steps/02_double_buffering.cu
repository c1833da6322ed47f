// Cloth: one launch a step from one set of places to another.
#include <cuda_runtime.h>

struct Vec3 {
    float x, y, z;
};

__device__ void pull(int rows, int cols, const Vec3* place, int r, int c, int dr, int dc, float k, Vec3& sum) {
    if (r + dr < 0 || r + dr >= rows || c + dc < 0 || c + dc >= cols) return;
    const Vec3 a = place[r * cols + c], b = place[(r + dr) * cols + c + dc];
    const float x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
    const float share = k * (1.0f - 1.0f / (sqrtf(x * x + y * y + z * z) + 0.01f));
    sum.x += x * share;
    sum.y += y * share;
    sum.z += z * share;
}

__global__ void step(int rows, int cols, float k, float drag, float dt, const Vec3* __restrict__ place, Vec3* __restrict__ moved, Vec3* __restrict__ speed) {
    const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
    if (r >= rows || c >= cols) return;
    Vec3 own = place[r * cols + c];
    if (r == 0) {
        moved[c] = own;
        return;
    }
    Vec3 sum = {0.0f, 0.0f, 0.0f}, v = speed[r * cols + c];
    pull(rows, cols, place, r, c, 0, 1, k, sum);
    pull(rows, cols, place, r, c, 0, -1, k, sum);
    pull(rows, cols, place, r, c, 1, 0, k, sum);
    pull(rows, cols, place, r, c, -1, 0, k, sum);
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
