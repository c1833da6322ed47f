// Layer norm's gradient: one row a thread for dx, one column a thread for the sums.
#include <cuda_runtime.h>

__global__ void rows_of(int rows, int width, const float* x, const float* gain, const float* dy, const float* mean, const float* inv, float* dx) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    const size_t at = (size_t)r * width;
    float along = 0.0f, across = 0.0f;
    for (int c = 0; c < width; ++c) {
        const float g = dy[at + c] * gain[c];
        along += g;
        across += g * (x[at + c] - mean[r]) * inv[r];
    }
    for (int c = 0; c < width; ++c) {
        const float normal = (x[at + c] - mean[r]) * inv[r];
        dx[at + c] = inv[r] * (dy[at + c] * gain[c] - along / width - normal * across / width);
    }
}

__global__ void columns_of(int rows, int width, const float* x, const float* dy, const float* mean, const float* inv, float* dgain, float* dbias) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= width) return;
    float first = 0.0f, second = 0.0f;
    for (int r = 0; r < rows; ++r) {
        const float d = dy[(size_t)r * width + c];
        first += d * (x[(size_t)r * width + c] - mean[r]) * inv[r];
        second += d;
    }
    dgain[c] = first;
    dbias[c] = second;
}

extern "C" void layer_norm_gradient(int rows, int width, const float* x, const float* gain, const float* dy, const float* mean, const float* inv,
                                    float* dx, float* dgain, float* dbias) {
    rows_of<<<(rows + 127) / 128, 128>>>(rows, width, x, gain, dy, mean, inv, dx);
    columns_of<<<(width + 127) / 128, 128>>>(rows, width, x, dy, mean, inv, dgain, dbias);
}
