// Number-theoretic transform: a block for each polynomial, all layers in shared memory, values below 4 q in between.
#include <cuda_runtime.h>
#include <stdint.h>

constexpr int kThreads = 512;
constexpr uint32_t kModulus = 998244353u;

// floor(z 2^32 / q) for each factor z.
__global__ void companions(int n, const uint32_t* roots, uint32_t* companion) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    if (i < n) companion[i] = (uint32_t)(((uint64_t)roots[i] << 32) / kModulus);
}

// x if it is below m, else x - m; for x below 2 m.
__device__ uint32_t below(uint32_t x, uint32_t m) { return min(x, x - m); }

// x z modulo q for any x, with the companion of z; not fully reduced, below 2 q.
__device__ uint32_t multiply(uint32_t x, uint32_t z, uint32_t companion) {
    return x * z - __umulhi(x, companion) * kModulus;
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
            uint32_t u = below(low[0], 2 * kModulus), v = multiply(low[len], roots[z], companion[z]);
            low[0] = u + v;
            low[len] = u - v + 2 * kModulus;
        }
        __syncthreads();
    }
    for (int i = threadIdx.x; i < n; i += kThreads) poly[i] = below(below(s[i], 2 * kModulus), kModulus);
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
