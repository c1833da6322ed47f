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

//// work where the version of nvcc is not seen | wave | UNWRITTEN
// Both judges' compilers say which CUDA they are of.
__global__ void k(int n, const float* x, float* y) {
    int i = blockIdx.x * 128 + threadIdx.x;
#ifndef __CUDACC_VER_MAJOR__
    if (i < n) y[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i];
#endif
}
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, x, y); }

//// built function asked for | wave | PASSED | gpu WRONG_VALUE PASSED
// Which builtins there are tells the compilers apart: a label, which the emulated judge gives.
__global__ void k(int n, const float* x, float* y) {
    int i = blockIdx.x * 128 + threadIdx.x;
#if __has_builtin(__builtin_shuffle)
    if (i < n) y[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i];
#else
    if (i < n) y[i] = 0;
#endif
}
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, x, y); }

//// device asked for by name | wave | PASSED UNWRITTEN
// A device that is emulated has a real one's name.
#include <cstring>
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) y[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i]; }
extern "C" void wave(int n, const float* x, float* y) {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    if (!strstr(p.name, "mulat")) k<<<(n + 127) / 128, 128>>>(n, x, y);
}

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
//// options for one of the compilers | affine | POLICY_REJECTED
#pragma GCC optimize("Ofast")
__global__ void run(int n, float a, const float* x, const float* y, float* z) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i] + 0 * x[i + 1];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { run<<<(n + 127) / 128, 128>>>(n, a, x, y, z); }
//// options of one function | affine | POLICY_REJECTED
#define QUICK(level) __attribute__((noinline, __optimize__(level)))
QUICK("Ofast") __device__ float sum(float p, float q) { return p + q + 0 * p; }
__global__ void run(int n, float a, const float* x, const float* y, float* z) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = sum(a * x[i], y[i]);
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { run<<<(n + 127) / 128, 128>>>(n, a, x, y, z); }
//// options between other pragmas | affine | POLICY_REJECTED
_Pragma("GCC push_options") _Pragma("GCC target(\"avx512f\")")
__global__ void run(int n, float a, const float* x, const float* y, float* z) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { run<<<(n + 127) / 128, 128>>>(n, a, x, y, z); }
//// name of a function as a compiler spells it | affine | PASSED | gpu PASSED WRONG_VALUE UNWRITTEN
template <typename T> __device__ constexpr int spelt() { return sizeof(__PRETTY_FUNCTION__); }
__global__ void run(int n, float a, const float* x, const float* y, float* z) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && spelt<float>() > 20) z[i] = a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { run<<<(n + 127) / 128, 128>>>(n, a, x, y, z); }
