// Number-theoretic transform: a block for each polynomial, all layers in shared memory.
#include <cuda_runtime.h>
#include <stdint.h>

constexpr int kThreads = 512;
constexpr uint32_t kModulus = 998244353u;

// floor(z 2^32 / q) for each factor z.
__global__ void companions(int n, const uint32_t* roots, uint32_t* companion) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    if (i < n) companion[i] = (uint32_t)(((uint64_t)roots[i] << 32) / kModulus);
}

// x z modulo q for any x, with the companion of z.
__device__ uint32_t multiply(uint32_t x, uint32_t z, uint32_t companion) {
    uint32_t r = x * z - __umulhi(x, companion) * kModulus;
    return r >= kModulus ? r - kModulus : r;
}

__global__ void transform(int n, int log_n, const uint32_t* __restrict__ roots, const uint32_t* __restrict__ companion,
                          uint32_t* a) {
    extern __shared__ uint32_t s[];
    uint32_t* poly = a + (size_t)blockIdx.x * n;
    for (int i = threadIdx.x; i < n; i += kThreads) s[i] = poly[i];
    __syncthreads();
    for (int log_len = log_n - 1; log_len >= 0; --log_len) {
        int len = 1 << log_len;
        for (int t = threadIdx.x; t < n / 2; t += kThreads) {
            int block = t >> log_len, z = (1 << (log_n - 1 - log_len)) + block;
            uint32_t* low = s + (block << (log_len + 1)) + (t & (len - 1));
            uint32_t u = low[0], v = multiply(low[len], roots[z], companion[z]);
            low[0] = u + v >= kModulus ? u + v - kModulus : u + v;
            low[len] = u >= v ? u - v : u + kModulus - v;
        }
        __syncthreads();
    }
    for (int i = threadIdx.x; i < n; i += kThreads) poly[i] = s[i];
}

extern "C" void ntt_batch(int polys, int n, const uint32_t* roots, uint32_t* a) {
    int log_n = 0;
    while (1 << log_n < n) ++log_n;
    uint32_t* companion = nullptr;
    cudaMalloc(&companion, n * sizeof(uint32_t));
    companions<<<(n - 1) / kThreads + 1, kThreads>>>(n, roots, companion);
    transform<<<polys, kThreads, n * sizeof(uint32_t)>>>(n, log_n, roots, companion, a);
    cudaFree(companion);
}
