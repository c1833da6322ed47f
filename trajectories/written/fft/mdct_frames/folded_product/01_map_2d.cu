// MDCT: a thread for each coefficient, cosines from a table in global memory.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

__global__ void fill_table(int n, float* cosine) {
    int m = blockIdx.x * kThreads + threadIdx.x;
    if (m < 8 * n) cosine[m] = (float)cos(3.14159265358979323846 * m / (4.0 * n));
}

__global__ void transform(int n, const float* window, const float* signal, const float* cosine, float* out) {
    int k = blockIdx.x * kThreads + threadIdx.x, frame = blockIdx.y;
    if (k >= n) return;
    const float* x = signal + (size_t)frame * n;
    float sum = 0.0f;
    for (int i = 0; i < 2 * n; ++i) {
        int m = (int)((long long)(2 * i + 1 + n) * (2 * k + 1) % (8 * n));
        sum += window[i] * x[i] * cosine[m];
    }
    out[(size_t)frame * n + k] = sum;
}

extern "C" void mdct_frames(int frames, int n, const float* window, const float* signal, float* out) {
    float* cosine = nullptr;
    cudaMalloc(&cosine, 8 * n * sizeof(float));
    fill_table<<<(8 * n - 1) / kThreads + 1, kThreads>>>(n, cosine);
    transform<<<dim3((n - 1) / kThreads + 1, frames), kThreads>>>(n, window, signal, cosine, out);
    cudaFree(cosine);
}
