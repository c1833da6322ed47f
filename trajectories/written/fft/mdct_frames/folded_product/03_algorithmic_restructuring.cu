// MDCT: frames are windowed and folded to half their length first, then a thread for each coefficient.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

__global__ void fill_table(int n, float* cosine) {
    int m = blockIdx.x * kThreads + threadIdx.x;
    if (m < 8 * n) cosine[m] = (float)cos(3.14159265358979323846 * m / (4.0 * n));
}

// u = the windowed frame, folded to n values.
__global__ void fold(int n, const float* window, const float* signal, float* u) {
    int i = blockIdx.x * kThreads + threadIdx.x, frame = blockIdx.y, h = n / 2;
    if (i >= n) return;
    const float* x = signal + (size_t)frame * n;
    int mirror = 3 * h - 1 - i;
    float other = window[mirror] * x[mirror];
    int own = i < h ? 3 * h + i : i - h;
    float here = window[own] * x[own];
    u[(size_t)frame * n + i] = i < h ? -other - here : here - other;
}

__global__ void transform(int n, const float* folded, const float* cosine, float* out) {
    int k = blockIdx.x * kThreads + threadIdx.x, frame = blockIdx.y;
    if (k >= n) return;
    const float* u = folded + (size_t)frame * n;
    float sum = 0.0f;
    int m = 2 * k + 1, step = 2 * (2 * k + 1);  // step < 4 n
    for (int i = 0; i < n; ++i) {
        sum += u[i] * cosine[m];
        m += step;
        if (m >= 8 * n) m -= 8 * n;
    }
    out[(size_t)frame * n + k] = sum;
}

extern "C" void mdct_frames(int frames, int n, const float* window, const float* signal, float* out) {
    float* cosine = nullptr;
    cudaMalloc(&cosine, ((size_t)frames + 8) * n * sizeof(float));
    float* folded = cosine + 8 * n;
    fill_table<<<(8 * n - 1) / kThreads + 1, kThreads>>>(n, cosine);
    dim3 grid((n - 1) / kThreads + 1, frames);
    fold<<<grid, kThreads>>>(n, window, signal, folded);
    transform<<<grid, kThreads>>>(n, folded, cosine, out);
    cudaFree(cosine);
}
