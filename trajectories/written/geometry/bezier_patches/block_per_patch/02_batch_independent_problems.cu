// Bicubic Bezier patches, one block per patch; control points and weights in shared memory.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kMostSide = 64;

__device__ float4 bernstein(int step, int side) {
    const float t = (float)step / (float)(side - 1), s = 1.0f - t;
    return {s * s * s, 3.0f * t * s * s, 3.0f * t * t * s, t * t * t};
}

__global__ void evaluate(int side, const float* control, float* surface) {
    __shared__ float point_of[4][4][3];
    __shared__ float4 weight[kMostSide];
    const size_t p = blockIdx.x;
    const int thread = threadIdx.x;
    if (thread < 48) (&point_of[0][0][0])[thread] = control[p * 48 + thread];
    if (thread >= 64 && thread < 64 + side) weight[thread - 64] = bernstein(thread - 64, side);
    __syncthreads();
    for (int at = thread; at < side * side; at += kThreads) {
        const float4 u = weight[at / side], v = weight[at % side];
        const float along_u[4] = {u.x, u.y, u.z, u.w}, along_v[4] = {v.x, v.y, v.z, v.w};
        float point[3] = {0.0f, 0.0f, 0.0f};
        for (int r = 0; r < 4; ++r)
            for (int c = 0; c < 4; ++c)
                for (int k = 0; k < 3; ++k) point[k] += along_u[r] * along_v[c] * point_of[r][c][k];
        for (int k = 0; k < 3; ++k) surface[(p * side * side + at) * 3 + k] = point[k];
    }
}

extern "C" void bezier_patches(int patches, int side, const float* control, float* surface) {
    evaluate<<<patches, kThreads>>>(side, control, surface);
}
