// Number-theoretic transform: a block for two polynomials, all layers in shared memory, values below 4 q in between.
#include <cuda_runtime.h>
#include <stdint.h>

constexpr int kThreads = 512;
constexpr int kPolys = 2;  // polynomials of a block
constexpr uint32_t kModulus = 998244353u;

// Each factor z with floor(z 2^32 / q).
__global__ void companions(int n, const uint32_t* roots, uint2* pairs) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    if (i < n) pairs[i] = make_uint2(roots[i], (uint32_t)(((uint64_t)roots[i] << 32) / kModulus));
}

// x if it is below m, else x - m; for x below 2 m.
__device__ uint32_t below(uint32_t x, uint32_t m) { return min(x, x - m); }

// x z modulo q for any x, with the companion of z; not fully reduced, below 2 q.
__device__ uint32_t multiply(uint32_t x, uint32_t z, uint32_t companion) {
    return x * z - __umulhi(x, companion) * kModulus;
}

// One butterfly with the factor at z: values below 4 q in and out.
__device__ void butterfly(uint32_t& low, uint32_t& high, uint32_t z, uint32_t companion) {
    uint32_t u = below(low, 2 * kModulus), v = multiply(high, z, companion);
    low = u + v;
    high = u - v + 2 * kModulus;
}

__global__ void transform(int n, int log_n, int polys, const uint2* __restrict__ pairs, uint32_t* a) {
    extern __shared__ uint32_t s[];
    uint32_t* poly = a + (size_t)blockIdx.x * kPolys * n;
    int count = min(kPolys, polys - (int)blockIdx.x * kPolys);
    for (int i = threadIdx.x; i < count * n; i += kThreads) s[i] = poly[i];
    __syncthreads();
    int log_len = log_n - 1;
    if (log_n % 2 == 1) {  // a single layer, so that pairs remain
        for (int t = threadIdx.x; t < n / 2; t += kThreads)
            for (int p = 0; p < count; ++p) butterfly(s[p * n + t], s[p * n + t + n / 2], pairs[1].x, pairs[1].y);
        __syncthreads();
        --log_len;
    }
    for (; log_len >= 1; log_len -= 2) {  // layers log_len and log_len - 1
        int quarter = 1 << (log_len - 1);
        for (int t = threadIdx.x; t < n / 4; t += kThreads) {
            int block = t >> (log_len - 1), z = (1 << (log_n - 1 - log_len)) + block;
            uint32_t* c = s + (block << (log_len + 1)) + (t & (quarter - 1));
            uint2 outer = pairs[z];
            uint4 inner = ((const uint4*)pairs)[z];  // pairs 2 z and 2 z + 1
#pragma unroll
            for (int p = 0; p < kPolys; ++p, c += n) {
                if (p >= count) break;
                uint32_t v[4] = {c[0], c[quarter], c[2 * quarter], c[3 * quarter]};
                butterfly(v[0], v[2], outer.x, outer.y);
                butterfly(v[1], v[3], outer.x, outer.y);
                butterfly(v[0], v[1], inner.x, inner.y);
                butterfly(v[2], v[3], inner.z, inner.w);
                for (int k = 0; k < 4; ++k) c[k * quarter] = v[k];
            }
        }
        __syncthreads();
    }
    for (int i = threadIdx.x; i < count * n; i += kThreads) poly[i] = below(below(s[i], 2 * kModulus), kModulus);
}

extern "C" void ntt_batch(int polys, int n, const uint32_t* roots, uint32_t* a) {
    int log_n = 0;
    while (1 << log_n < n) ++log_n;
    uint2* pairs = nullptr;
    cudaMalloc(&pairs, n * sizeof(uint2));
    companions<<<(n - 1) / kThreads + 1, kThreads>>>(n, roots, pairs);
    int bytes = kPolys * n * (int)sizeof(uint32_t), blocks = (polys - 1) / kPolys + 1;
    cudaFuncSetAttribute(transform, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    transform<<<blocks, kThreads, bytes>>>(n, log_n, polys, pairs, a);
    cudaFree(pairs);
}
