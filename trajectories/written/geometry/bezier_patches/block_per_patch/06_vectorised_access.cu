// Bicubic Bezier patches, one block per patch; a thread keeps four words of the row and stores them together.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kBlockX = 96, kBlockY = 4;  // words of a row, rows
constexpr int kThreads = kBlockX * kBlockY;
constexpr int kMostSide = 64;
constexpr int kRowGroups = 16;  // rows i, i + 16, ... share a thread where four words are stored together

__device__ float4 bernstein(int step, int side) {
    const float t = (float)step / (float)(side - 1), s = 1.0f - t;
    return {s * s * s, 3.0f * t * s * s, 3.0f * t * t * s, t * t * t};
}

__global__ void evaluate(int side, const float* control, float* surface) {
    __shared__ float point_of[4][4][3];
    __shared__ float curve[kMostSide][4][3];  // of row i: control points of the cubic along v
    __shared__ float4 weight[kMostSide];
    const size_t p = blockIdx.x;
    const int thread = threadIdx.y * kBlockX + threadIdx.x;
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
    if (side % 4 == 0 && reinterpret_cast<uintptr_t>(surface) % 16 == 0) {
        const int quads = row_words / 4;  // a row of 32 points has 24
        for (int at = thread; at < quads * kRowGroups; at += kThreads) {
            const int first = at % quads * 4;
            float4 v[4];
            int k[4];
            for (int word = 0; word < 4; ++word) {
                v[word] = weight[(first + word) / 3];
                k[word] = (first + word) % 3;
            }
            for (int i = at / quads; i < side; i += kRowGroups) {
                const float(*q)[3] = curve[i];
                float made[4];
                for (int word = 0; word < 4; ++word)
                    made[word] = v[word].x * q[0][k[word]] + v[word].y * q[1][k[word]] + v[word].z * q[2][k[word]] +
                                 v[word].w * q[3][k[word]];
                *reinterpret_cast<float4*>(own + i * row_words + first) = {made[0], made[1], made[2], made[3]};
            }
        }
        return;
    }
    for (int in_row = threadIdx.x; in_row < row_words; in_row += kBlockX) {
        const int k = in_row % 3;
        const float4 v = weight[in_row / 3];
        for (int i = threadIdx.y; i < side; i += kBlockY) {
            const float(*q)[3] = curve[i];
            own[i * row_words + in_row] = v.x * q[0][k] + v.y * q[1][k] + v.z * q[2][k] + v.w * q[3][k];
        }
    }
}

extern "C" void bezier_patches(int patches, int side, const float* control, float* surface) {
    evaluate<<<patches, dim3(kBlockX, kBlockY)>>>(side, control, surface);
}
