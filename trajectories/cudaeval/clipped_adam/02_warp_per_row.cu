// Clipped Adam: a warp measures a row.
#include <cuda_runtime.h>

constexpr float kFirst = 0.9f, kSecond = 0.999f;

__global__ void measure(int rows, int width, const float* grad, float* norm) {
    const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= rows) return;
    float sum = 0.0f;
    for (int i = lane; i < width; i += 32) {
        const float g = grad[(size_t)r * width + i];
        sum += g * g;
    }
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
    if (lane == 0) norm[r] = sqrtf(sum);
}

__global__ void move(size_t count, int width, float rate, float decay, float ceiling, const float* grad, float* m, float* v, float* w,
                     const float* norm) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const float length = norm[i / width], step = grad[i] * (length > ceiling ? ceiling / length : 1.0f);
    m[i] = kFirst * m[i] + (1.0f - kFirst) * step;
    v[i] = kSecond * v[i] + (1.0f - kSecond) * step * step;
    w[i] -= rate * (m[i] / (sqrtf(v[i]) + 1e-6f) + decay * w[i]);
}

extern "C" void clipped_adam(int rows, int width, float rate, float decay, float ceiling, const float* grad, float* m, float* v, float* w,
                             float* norm) {
    const size_t count = (size_t)rows * width;
    measure<<<(rows + 3) / 4, 128>>>(rows, width, grad, norm);
    move<<<(unsigned)((count + 255) / 256), 256>>>(count, width, rate, decay, ceiling, grad, m, v, w, norm);
}
