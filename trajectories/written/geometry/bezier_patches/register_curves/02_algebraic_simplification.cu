// Bicubic Bezier patches, one thread per point, sums factored by rows.
#include <cuda_runtime.h>

#include <algorithm>

constexpr int kBlockX = 32, kBlockY = 8;

__device__ void bernstein(int step, int side, float* weight) {
    const float t = (float)step / (float)(side - 1), s = 1.0f - t;
    weight[0] = s * s * s;
    weight[1] = 3.0f * t * s * s;
    weight[2] = 3.0f * t * t * s;
    weight[3] = t * t * t;
}

__global__ void evaluate(int patches, int side, const float* control, float* surface) {
    const int j = blockIdx.x * kBlockX + threadIdx.x, i = blockIdx.y * kBlockY + threadIdx.y;
    if (i >= side || j >= side) return;
    for (size_t p = blockIdx.z; p < (size_t)patches; p += gridDim.z) {
        float along_u[4], along_v[4], point[3] = {0.0f, 0.0f, 0.0f};
        bernstein(i, side, along_u);
        bernstein(j, side, along_v);
        for (int r = 0; r < 4; ++r) {
            float curve[3] = {0.0f, 0.0f, 0.0f};
            for (int c = 0; c < 4; ++c)
                for (int k = 0; k < 3; ++k) curve[k] += along_v[c] * control[p * 48 + (r * 4 + c) * 3 + k];
            for (int k = 0; k < 3; ++k) point[k] += along_u[r] * curve[k];
        }
        for (int k = 0; k < 3; ++k) surface[((p * side + i) * side + j) * 3 + k] = point[k];
    }
}

extern "C" void bezier_patches(int patches, int side, const float* control, float* surface) {
    dim3 grid((side - 1) / kBlockX + 1, (side - 1) / kBlockY + 1, std::min(patches, 65535));
    evaluate<<<grid, dim3(kBlockX, kBlockY)>>>(patches, side, control, surface);
}
