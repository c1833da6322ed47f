// Arms: one pose a thread turns a whole frame, an atomic each for the reach.
#include <cuda_runtime.h>

struct Link { float offset, d, a, alpha; };
struct Hand { float x, y, z, u, v, w; };

__device__ void mix(float m[3][4], int first, int second, float q) {
    const float c = cosf(q), s = sinf(q);
    for (int r = 0; r < 3; ++r) {
        const float a = m[r][first], b = m[r][second];
        m[r][first] = c * a + s * b;
        m[r][second] = c * b - s * a;
    }
}

__global__ void pose(int poses, int joints, const Link* link, const float* angle, Hand* hand, int* reach) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= poses) return;
    float m[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    for (int j = 0; j < joints; ++j) {
        mix(m, 0, 1, angle[(size_t)p * joints + j] + link[j].offset);
        for (int r = 0; r < 3; ++r) m[r][3] += m[r][2] * link[j].d + m[r][0] * link[j].a;
        mix(m, 1, 2, link[j].alpha);
    }
    hand[p] = {m[0][3], m[1][3], m[2][3], m[0][2], m[1][2], m[2][2]};
    atomicMax(reach, __float_as_int(sqrtf(m[0][3] * m[0][3] + m[1][3] * m[1][3] + m[2][3] * m[2][3])));
}

extern "C" void arm_poses(int poses, int joints, const Link* link, const float* angle, Hand* hand, float* reach) {
    cudaMemsetAsync(reach, 0, sizeof(float));
    pose<<<(poses + 127) / 128, 128>>>(poses, joints, link, angle, hand, reinterpret_cast<int*>(reach));
}
