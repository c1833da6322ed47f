// MDCT: a thread for each coefficient of several frames, the table of cosines in shared memory.
#include <cuda_runtime.h>

constexpr int kThreads = 128;
constexpr int kFrames = 8;        // of a block, one after the other
constexpr int kLongest = 1024;    // n up to which the table fits

__global__ void fill_table(int n, float* cosine) {
    int m = blockIdx.x * kThreads + threadIdx.x;
    if (m < 8 * n) cosine[m] = (float)cos(3.14159265358979323846 * m / (4.0 * n));
}

__global__ void transform(int frames, int n, const float* window, const float* signal, const float* cosine,
                          float* out) {
    extern __shared__ float shared_table[];
    const float* table = cosine;
    if (n <= kLongest) {
        for (int m = threadIdx.x; m < 8 * n; m += kThreads) shared_table[m] = cosine[m];
        table = shared_table;
        __syncthreads();
    }
    int k = blockIdx.x * kThreads + threadIdx.x;
    if (k >= n) return;
    int start = (int)((long long)(1 + n) * (2 * k + 1) % (8 * n)), step = 2 * (2 * k + 1);  // step < 4 n
    int first = blockIdx.y * kFrames, last = min(first + kFrames, frames);
    for (int frame = first; frame < last; ++frame) {
        const float* x = signal + (size_t)frame * n;
        float sum = 0.0f;
        for (int i = 0, m = start; i < 2 * n; ++i) {
            sum += window[i] * x[i] * table[m];
            m += step;
            if (m >= 8 * n) m -= 8 * n;
        }
        out[(size_t)frame * n + k] = sum;
    }
}

extern "C" void mdct_frames(int frames, int n, const float* window, const float* signal, float* out) {
    float* cosine = nullptr;
    cudaMalloc(&cosine, 8 * n * sizeof(float));
    fill_table<<<(8 * n - 1) / kThreads + 1, kThreads>>>(n, cosine);
    dim3 grid((n - 1) / kThreads + 1, (frames - 1) / kFrames + 1);
    size_t bytes = n <= kLongest ? 8 * n * sizeof(float) : 0;
    transform<<<grid, kThreads, bytes>>>(frames, n, window, signal, cosine, out);
    cudaFree(cosine);
}
