// Pulse compression: a block for each pulse, everything in shared memory.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__device__ float2 times(float2 a, float2 b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }

__device__ int reversed(int i, int bits) { return bits == 0 ? 0 : (int)(__brev((unsigned)i) >> (32 - bits)); }

// The stages of a transform of s, which is in reversed order; ends with a barrier.
__device__ void stages(float2* s, int n, float direction) {
    for (int half = 1; half < n; half *= 2) {
        for (int t = threadIdx.x; t < n / 2; t += kThreads) {
            int k = t & (half - 1);
            float2* a = s + 2 * t - k;
            float2 w;
            sincospif(direction * k / half, &w.y, &w.x);
            float2 u = a[0], v = times(a[half], w);
            a[0] = {u.x + v.x, u.y + v.y};
            a[half] = {u.x - v.x, u.y - v.y};
        }
        __syncthreads();
    }
}

__global__ void compress(int n, int bits, const float2* echo, const float2* filter, float2* out) {
    extern __shared__ float2 s[];
    size_t row = (size_t)blockIdx.x * n;
    for (int i = threadIdx.x; i < n; i += kThreads) s[reversed(i, bits)] = echo[row + i];
    __syncthreads();
    stages(s, n, -1.0f);
    float scale = 1.0f / n;  // exact, n is a power of two
    for (int i = threadIdx.x; i < n; i += kThreads) {
        int j = reversed(i, bits);
        if (i > j) continue;  // the pair is done by its lower member
        float2 a = times(s[i], filter[i]), b = times(s[j], filter[j]);
        s[i] = {b.x * scale, b.y * scale};
        s[j] = {a.x * scale, a.y * scale};
    }
    __syncthreads();
    stages(s, n, 1.0f);
    for (int i = threadIdx.x; i < n; i += kThreads) out[row + i] = s[i];
}

extern "C" void range_compress(int pulses, int n, const float* echo, const float* filter, float* out) {
    int bits = 0;
    while (1 << bits < n) ++bits;
    compress<<<pulses, kThreads, n * sizeof(float2)>>>(n, bits, (const float2*)echo, (const float2*)filter,
                                                       (float2*)out);
}
