// Layer norm's gradient: a warp has a row; columns are cut into stretches of 128 rows that are added up by atomics.
#include <cuda_runtime.h>

__global__ void rows_of(int rows, int width, const float* x, const float* gain, const float* dy, const float* mean, const float* inv, float* dx) {
    const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= rows) return;
    const size_t at = (size_t)r * width;
    float along = 0.0f, across = 0.0f;
    for (int c = lane; c < width; c += 32) {
        const float g = dy[at + c] * gain[c];
        along += g;
        across += g * (x[at + c] - mean[r]) * inv[r];
    }
    for (int apart = 16; apart > 0; apart /= 2) {
        along += __shfl_xor_sync(0xffffffffu, along, apart);
        across += __shfl_xor_sync(0xffffffffu, across, apart);
    }
    for (int c = lane; c < width; c += 32) {
        const float normal = (x[at + c] - mean[r]) * inv[r];
        dx[at + c] = inv[r] * (dy[at + c] * gain[c] - along / width - normal * across / width);
    }
}

__global__ void columns_of(int rows, int width, const float* x, const float* dy, const float* mean, const float* inv, float* dgain, float* dbias) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= width) return;
    float first = 0.0f, second = 0.0f;
    for (int r = blockIdx.y * 128; r < min(rows, (int)(blockIdx.y + 1) * 128); ++r) {
        const float d = dy[(size_t)r * width + c];
        first += d * (x[(size_t)r * width + c] - mean[r]) * inv[r];
        second += d;
    }
    atomicAdd(&dgain[c], first);
    atomicAdd(&dbias[c], second);
}

extern "C" void layer_norm_gradient(int rows, int width, const float* x, const float* gain, const float* dy, const float* mean, const float* inv,
                                    float* dx, float* dgain, float* dbias) {
    cudaMemsetAsync(dgain, 0, sizeof(float) * width);
    cudaMemsetAsync(dbias, 0, sizeof(float) * width);
    rows_of<<<(rows + 3) / 4, 128>>>(rows, width, x, gain, dy, mean, inv, dx);
    columns_of<<<dim3((width + 127) / 128, (rows + 127) / 128), 128>>>(rows, width, x, dy, mean, inv, dgain, dbias);
}
