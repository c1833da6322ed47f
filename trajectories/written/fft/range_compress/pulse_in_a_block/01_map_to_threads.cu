// Pulse compression: a launch for each stage of the transforms, a thread for each butterfly.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__device__ float2 times(float2 a, float2 b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }

__device__ int reversed(int i, int bits) { return bits == 0 ? 0 : (int)(__brev((unsigned)i) >> (32 - bits)); }

__global__ void load_reversed(long long total, int n, int bits, const float2* echo, float2* out) {
    long long t = blockIdx.x * (long long)kThreads + threadIdx.x;
    if (t >= total) return;
    int i = (int)(t % n);
    out[t - i + reversed(i, bits)] = echo[t];
}

__global__ void swap_reversed(long long total, int n, int bits, float2* out) {
    long long t = blockIdx.x * (long long)kThreads + threadIdx.x;
    if (t >= total) return;
    int i = (int)(t % n), j = reversed(i, bits);
    if (i >= j) return;
    float2 a = out[t];
    out[t] = out[t - i + j];
    out[t - i + j] = a;
}

__global__ void stage(long long butterflies, int half, float direction, float2* out) {
    long long t = blockIdx.x * (long long)kThreads + threadIdx.x;
    if (t >= butterflies) return;
    int k = (int)(t % half);
    float2* a = out + t / half * (2 * half) + k;
    float2 w;
    sincospif(direction * k / half, &w.y, &w.x);
    float2 u = a[0], v = times(a[half], w);
    a[0] = {u.x + v.x, u.y + v.y};
    a[half] = {u.x - v.x, u.y - v.y};
}

__global__ void multiply(long long total, int n, const float2* filter, float2* out) {
    long long t = blockIdx.x * (long long)kThreads + threadIdx.x;
    if (t >= total) return;
    float2 v = times(out[t], filter[t % n]);
    out[t] = {v.x / n, v.y / n};
}

extern "C" void range_compress(int pulses, int n, const float* echo, const float* filter, float* out) {
    long long total = (long long)pulses * n;
    int bits = 0;
    while (1 << bits < n) ++bits;
    int blocks = (int)((total - 1) / kThreads + 1), half_blocks = (int)((total / 2 - 1) / kThreads + 1);
    float2* rows = (float2*)out;
    load_reversed<<<blocks, kThreads>>>(total, n, bits, (const float2*)echo, rows);
    for (int half = 1; half < n; half *= 2) stage<<<half_blocks, kThreads>>>(total / 2, half, -1.0f, rows);
    multiply<<<blocks, kThreads>>>(total, n, (const float2*)filter, rows);
    swap_reversed<<<blocks, kThreads>>>(total, n, bits, rows);
    for (int half = 1; half < n; half *= 2) stage<<<half_blocks, kThreads>>>(total / 2, half, 1.0f, rows);
}
