// Pulse compression: a block for each pulse, everything in shared memory and nothing reordered.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__device__ float2 times(float2 a, float2 b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }

__device__ int reversed(int i, int bits) { return bits == 0 ? 0 : (int)(__brev((unsigned)i) >> (32 - bits)); }

// exp(2 pi i k / n) for the first half of the circle.
__global__ void fill_turns(int n, float2* turn) {
    int k = blockIdx.x * kThreads + threadIdx.x;
    if (k < n / 2) sincospif(2.0f * k / n, &turn[k].y, &turn[k].x);
}

__device__ float2 sum(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }
__device__ float2 difference(float2 a, float2 b) { return {a.x - b.x, a.y - b.y}; }
__device__ float2 conjugate(float2 a) { return {a.x, -a.y}; }

// The last stage forward, the product with the filter and the first stage backward; ends with a barrier.
__device__ void pairs_through_filter(float2* s, const float2* filter, int n, int bits) {
    float scale = 1.0f / n;  // exact, n is a power of two
    for (int t = threadIdx.x; t < n / 2; t += kThreads) {
        float2 u = s[2 * t], v = s[2 * t + 1];
        float2 a = times(sum(u, v), filter[reversed(2 * t, bits)]);
        float2 b = times(difference(u, v), filter[reversed(2 * t + 1, bits)]);
        s[2 * t] = {(a.x + b.x) * scale, (a.y + b.y) * scale};
        s[2 * t + 1] = {(a.x - b.x) * scale, (a.y - b.y) * scale};
    }
    __syncthreads();
}

// Decimation in frequency, stages of half 2 q and q at once down to half 1 or 2: natural order in, reversed order
// out; ends with a barrier.
__device__ void forward(float2* s, const float2* turn, int n) {
    int q = n / 4;
    for (; q >= 1; q /= 4) {
        for (int t = threadIdx.x; t < n / 4; t += kThreads) {
            int k = t & (q - 1);
            float2* a = s + 4 * t - 3 * k;
            float2 w = conjugate(turn[k * (n / 4 / q)]), w2 = conjugate(turn[2 * k * (n / 4 / q)]);
            float2 v0 = sum(a[0], a[2 * q]), v2 = times(difference(a[0], a[2 * q]), w);
            float2 v1 = sum(a[q], a[3 * q]), v3 = times(difference(a[q], a[3 * q]), {w.y, -w.x});  // w times -i
            a[0] = sum(v0, v1);
            a[q] = times(difference(v0, v1), w2);
            a[2 * q] = sum(v2, v3);
            a[3 * q] = times(difference(v2, v3), w2);
        }
        __syncthreads();
    }
}

// Decimation in time, stages of half q and 2 q at once: reversed order in, natural order out; ends with a barrier.
__device__ void backward(float2* s, const float2* turn, int n, int bits) {
    for (int q = bits % 2 == 1 ? 2 : 1; 4 * q <= n; q *= 4) {
        for (int t = threadIdx.x; t < n / 4; t += kThreads) {
            int k = t & (q - 1);
            float2* a = s + 4 * t - 3 * k;
            float2 w = turn[k * (n / 4 / q)], w2 = turn[2 * k * (n / 4 / q)];
            float2 v1 = times(a[q], w2), v3 = times(a[3 * q], w2);
            float2 u0 = sum(a[0], v1), u1 = difference(a[0], v1);
            float2 u2 = times(sum(a[2 * q], v3), w), u3 = times(difference(a[2 * q], v3), {-w.y, w.x});  // w times i
            a[0] = sum(u0, u2);
            a[2 * q] = difference(u0, u2);
            a[q] = sum(u1, u3);
            a[3 * q] = difference(u1, u3);
        }
        __syncthreads();
    }
}

__global__ void compress(int n, int bits, const float2* echo, const float2* filter, const float2* turn,
                         float2* out) {
    extern __shared__ float2 s[];
    size_t row = (size_t)blockIdx.x * n;
    for (int i = threadIdx.x; i < n; i += kThreads) s[i] = echo[row + i];
    __syncthreads();
    forward(s, turn, n);
    if (bits % 2 == 1) {
        pairs_through_filter(s, filter, n, bits);
    } else {
        float scale = 1.0f / n;
        for (int i = threadIdx.x; i < n; i += kThreads) {
            float2 v = times(s[i], filter[reversed(i, bits)]);
            s[i] = {v.x * scale, v.y * scale};
        }
        __syncthreads();
    }
    backward(s, turn, n, bits);
    for (int i = threadIdx.x; i < n; i += kThreads) out[row + i] = s[i];
}

extern "C" void range_compress(int pulses, int n, const float* echo, const float* filter, float* out) {
    int bits = 0;
    while (1 << bits < n) ++bits;
    float2* turn = nullptr;
    cudaMalloc(&turn, n * sizeof(float2));
    fill_turns<<<n / kThreads + 1, kThreads>>>(n, turn);
    compress<<<pulses, kThreads, n * sizeof(float2)>>>(n, bits, (const float2*)echo, (const float2*)filter, turn,
                                                       (float2*)out);
    cudaFree(turn);
}
