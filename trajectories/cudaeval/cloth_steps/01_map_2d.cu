// Cloth: forces and moves in two launches a step, one node a thread.
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

__global__ void accelerate(int rows, int cols, float k, float drag, float dt, const Vec3* place, Vec3* speed) {
    const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
    if (r < 1 || r >= rows || c >= cols) return;
    Vec3 sum = {0.0f, 0.0f, 0.0f}, v = speed[r * cols + c];
    pull(rows, cols, place, r, c, 0, 1, k, sum);
    pull(rows, cols, place, r, c, 0, -1, k, sum);
    pull(rows, cols, place, r, c, 1, 0, k, sum);
    pull(rows, cols, place, r, c, -1, 0, k, sum);
    v.x += (sum.x - drag * v.x) * dt;
    v.y += (sum.y - drag * v.y) * dt;
    v.z += (sum.z - drag * v.z - 0.1f) * dt;
    speed[r * cols + c] = v;
}

__global__ void move(int cols, int nodes, float dt, const Vec3* speed, Vec3* place) {
    const int at = cols + blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= nodes) return;
    place[at].x += speed[at].x * dt;
    place[at].y += speed[at].y * dt;
    place[at].z += speed[at].z * dt;
}

extern "C" void cloth_steps(int rows, int cols, int steps, float k, float drag, float dt, Vec3* place, Vec3* speed) {
    for (int s = 0; s < steps; ++s) {
        accelerate<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(rows, cols, k, drag, dt, place, speed);
        move<<<(rows * cols + 255) / 256, 256>>>(cols, rows * cols, dt, speed, place);
    }
}
