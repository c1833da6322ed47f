// Number-theoretic transform: the layers inside stretches of 1024 coefficients run in shared memory.
#include <cuda_runtime.h>
#include <stdint.h>

constexpr int kThreads = 256;
constexpr int kLogTile = 10;  // coefficients of a stretch, as a power of two
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

__global__ void layer(long long butterflies, int log_n, int log_len, const uint32_t* roots, const uint32_t* companion,
                      uint32_t* a) {
    long long t = blockIdx.x * (long long)kThreads + threadIdx.x;
    if (t >= butterflies) return;
    int len = 1 << log_len;
    // Bit log_len of the pair's place is 0; the bits above are the block and the polynomial.
    uint32_t* low = a + ((t >> log_len) << (log_len + 1)) + (t & (len - 1));
    int block = (int)(t >> log_len) & ((1 << (log_n - 1 - log_len)) - 1);
    int z = (1 << (log_n - 1 - log_len)) + block;
    uint32_t u = low[0], v = multiply(low[len], roots[z], companion[z]);
    low[0] = u + v >= kModulus ? u + v - kModulus : u + v;
    low[len] = u >= v ? u - v : u + kModulus - v;
}

__device__ void butterfly(uint32_t& low, uint32_t& high, uint32_t z, uint32_t companion) {
    uint32_t u = low, v = multiply(high, z, companion);
    low = u + v >= kModulus ? u + v - kModulus : u + v;
    high = u >= v ? u - v : u + kModulus - v;
}

// Layers log_len and log_len - 1 on four coefficients a thread.
__global__ void two_layers(long long groups, int log_n, int log_len, const uint32_t* roots, const uint32_t* companion,
                           uint32_t* a) {
    long long t = blockIdx.x * (long long)kThreads + threadIdx.x;
    if (t >= groups) return;
    int quarter = 1 << (log_len - 1);
    uint32_t* c = a + ((t >> (log_len - 1)) << (log_len + 1)) + (t & (quarter - 1));
    int blocks = 1 << (log_n - 1 - log_len);
    int z = blocks + ((int)(t >> (log_len - 1)) & (blocks - 1));
    uint32_t v[4] = {c[0], c[quarter], c[2 * quarter], c[3 * quarter]};
    butterfly(v[0], v[2], roots[z], companion[z]);
    butterfly(v[1], v[3], roots[z], companion[z]);
    butterfly(v[0], v[1], roots[2 * z], companion[2 * z]);
    butterfly(v[2], v[3], roots[2 * z + 1], companion[2 * z + 1]);
    for (int k = 0; k < 4; ++k) c[k * quarter] = v[k];
}

// All layers that stay inside a stretch of 2^log_tile coefficients.
__global__ void tile(int log_n, int log_tile, const uint32_t* roots, const uint32_t* companion, uint32_t* a) {
    __shared__ uint32_t s[1 << kLogTile];
    int count = 1 << log_tile;
    long long first = (long long)blockIdx.x << log_tile;
    int place = (int)(first & ((1 << log_n) - 1));  // in its polynomial
    for (int i = threadIdx.x; i < count; i += kThreads) s[i] = a[first + i];
    __syncthreads();
    for (int log_len = log_tile - 1; log_len >= 0; --log_len) {
        int len = 1 << log_len;
        for (int t = threadIdx.x; t < count / 2; t += kThreads) {
            int low = ((t >> log_len) << (log_len + 1)) + (t & (len - 1));
            int z = (1 << (log_n - 1 - log_len)) + ((place + low) >> (log_len + 1));
            uint32_t u = s[low], v = multiply(s[low + len], roots[z], companion[z]);
            s[low] = u + v >= kModulus ? u + v - kModulus : u + v;
            s[low + len] = u >= v ? u - v : u + kModulus - v;
        }
        __syncthreads();
    }
    for (int i = threadIdx.x; i < count; i += kThreads) a[first + i] = s[i];
}

extern "C" void ntt_batch(int polys, int n, const uint32_t* roots, uint32_t* a) {
    long long butterflies = (long long)polys * (n / 2);
    int log_n = 0;
    while (1 << log_n < n) ++log_n;
    uint32_t* companion = nullptr;
    cudaMalloc(&companion, n * sizeof(uint32_t));
    companions<<<(n - 1) / kThreads + 1, kThreads>>>(n, roots, companion);
    int log_len = log_n - 1;
    for (; log_len > kLogTile; log_len -= 2) {
        long long groups = butterflies / 2;
        two_layers<<<(int)((groups - 1) / kThreads + 1), kThreads>>>(groups, log_n, log_len, roots, companion, a);
    }
    if (log_len == kLogTile)
        layer<<<(int)((butterflies - 1) / kThreads + 1), kThreads>>>(butterflies, log_n, log_len, roots, companion, a);
    int log_tile = log_n < kLogTile ? log_n : kLogTile;
    long long tiles = (long long)polys * (n >> log_tile);
    tile<<<(unsigned)tiles, kThreads>>>(log_n, log_tile, roots, companion, a);
    cudaFree(companion);
}
