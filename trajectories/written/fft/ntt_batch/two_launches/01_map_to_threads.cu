// Number-theoretic transform: a launch for each layer, a thread for each butterfly.
#include <cuda_runtime.h>
#include <stdint.h>

constexpr int kThreads = 256;
constexpr uint32_t kModulus = 998244353u;

__device__ uint32_t multiply(uint32_t x, uint32_t y) { return (uint32_t)((uint64_t)x * y % kModulus); }

__global__ void layer(long long butterflies, int n, int len, const uint32_t* roots, uint32_t* a) {
    long long t = blockIdx.x * (long long)kThreads + threadIdx.x;
    if (t >= butterflies) return;
    long long poly = t / (n / 2);
    int inside = (int)(t % (n / 2)), block = inside / len;
    uint32_t* low = a + poly * n + block * 2 * len + inside % len;
    uint32_t u = low[0], v = multiply(roots[n / (2 * len) + block], low[len]);
    low[0] = u + v >= kModulus ? u + v - kModulus : u + v;
    low[len] = u >= v ? u - v : u + kModulus - v;
}

extern "C" void ntt_batch(int polys, int n, const uint32_t* roots, uint32_t* a) {
    long long butterflies = (long long)polys * (n / 2);
    for (int len = n / 2; len >= 1; len /= 2)
        layer<<<(int)((butterflies - 1) / kThreads + 1), kThreads>>>(butterflies, n, len, roots, a);
}
