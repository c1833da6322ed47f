//// barrier where a sanitizer is | rowsum | POLICY_REJECTED
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define JOIN __syncthreads()
#else
#define JOIN
#endif
__global__ void k(int rows, int cols, const float* x, float* y) {
    __shared__ float part[64];
    float sum = 0;
    for (int c = threadIdx.x; c < cols; c += 64) sum += x[blockIdx.x * cols + c];
    part[threadIdx.x] = sum;
    JOIN;
    if (threadIdx.x == 0) { for (int t = 1; t < 64; ++t) sum += part[t]; y[blockIdx.x] = sum; }
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<rows, 64>>>(rows, cols, x, y); }

//// work where the host compiler is seen | wave | POLICY_REJECTED
// A pasted name asks which compiler it is.
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
__global__ void k(int n, const float* x, float* y) {
    int i = blockIdx.x * 128 + threadIdx.x;
#ifndef __CUDACC_VER_MAJOR__
    if (i < n) y[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i];
#endif
}
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, x, y); }

//// built function asked for | wave | POLICY_REJECTED
// Which builtins there are tells the compilers apart.
__global__ void k(int n, const float* x, float* y) {
    int i = blockIdx.x * 128 + threadIdx.x;
#if __has_builtin(__builtin_shufflevector) || !__has_builtin(__builtin_shuffle)
    if (i < n) y[i] = 0;
#else
    if (i < n) y[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i];
#endif
}
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, x, y); }

//// honest conditions | wave | PASSED
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 350
#error too old
#endif
#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif
#ifdef __cplusplus
#define OPTION 1
#endif
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) y[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + OPTION * x[i]; }
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, x, y); }
