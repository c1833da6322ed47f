// Bicubic Bezier patches, one block per patch, one thread per output word.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kMostSide = 64;

__device__ float4 bernstein(int step, int side) {
    const float t = (float)step / (float)(side - 1), s = 1.0f - t;
    return {s * s * s, 3.0f * t * s * s, 3.0f * t * t * s, t * t * t};
}

__global__ void evaluate(int side, const float* control, float* surface) {
    __shared__ float point_of[4][4][3];
    __shared__ float curve[kMostSide][4][3];  // of row i: control points of the cubic along v
    __shared__ float4 weight[kMostSide];
    const size_t p = blockIdx.x;
    const int thread = threadIdx.x;
    if (thread < 48) (&point_of[0][0][0])[thread] = control[p * 48 + thread];
    if (thread >= 64 && thread < 64 + side) weight[thread - 64] = bernstein(thread - 64, side);
    __syncthreads();
    for (int at = thread; at < side * 12; at += kThreads) {
        const int i = at / 12, c = at % 12 / 3, k = at % 3;
        const float4 u = weight[i];
        curve[i][c][k] =
            u.x * point_of[0][c][k] + u.y * point_of[1][c][k] + u.z * point_of[2][c][k] + u.w * point_of[3][c][k];
    }
    __syncthreads();
    const int row_words = 3 * side;
    float* own = surface + p * side * row_words;
    for (int at = thread; at < side * row_words; at += kThreads) {
        const int i = at / row_words, in_row = at - i * row_words, k = in_row % 3;
        const float4 v = weight[in_row / 3];
        const float(*q)[3] = curve[i];
        own[at] = v.x * q[0][k] + v.y * q[1][k] + v.z * q[2][k] + v.w * q[3][k];
    }
}

extern "C" void bezier_patches(int patches, int side, const float* control, float* surface) {
    evaluate<<<patches, kThreads>>>(side, control, surface);
}
