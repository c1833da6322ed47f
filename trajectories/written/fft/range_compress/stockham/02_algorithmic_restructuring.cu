// Pulse compression: self-sorting stages between two buffers, a launch for each.
#include <cuda_runtime.h>

#include <utility>

constexpr int kThreads = 256;

__device__ float2 times(float2 a, float2 b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }

__global__ void stage(long long butterflies, int n, int half, float direction, const float2* from, float2* to) {
    long long t = blockIdx.x * (long long)kThreads + threadIdx.x;
    if (t >= butterflies) return;
    int p = (int)(t % (n / 2)), k = p & (half - 1);
    long long row = t / (n / 2) * n;
    float2 w;
    sincospif(direction * k / half, &w.y, &w.x);
    float2 u = from[row + p], v = times(from[row + p + n / 2], w);
    float2* target = to + row + 2 * p - k;
    target[0] = {u.x + v.x, u.y + v.y};
    target[half] = {u.x - v.x, u.y - v.y};
}

__global__ void multiply(long long total, int n, const float2* filter, const float2* from, float2* to) {
    long long t = blockIdx.x * (long long)kThreads + threadIdx.x;
    if (t >= total) return;
    float2 v = times(from[t], filter[t % n]);
    to[t] = {v.x / n, v.y / n};
}

extern "C" void range_compress(int pulses, int n, const float* echo, const float* filter, float* out) {
    long long total = (long long)pulses * n;
    int blocks = (int)((total - 1) / kThreads + 1), half_blocks = (int)((total / 2 - 1) / kThreads + 1);
    float2* scratch = nullptr;
    cudaMalloc(&scratch, total * sizeof(float2));
    const float2* from = (const float2*)echo;
    // 2 log2(n) + 1 passes in all, an odd number: beginning and ending with `out` as the target.
    float2 *to = (float2*)out, *other = scratch;
    for (int half = 1; half < n; half *= 2) {
        stage<<<half_blocks, kThreads>>>(total / 2, n, half, -1.0f, from, to);
        from = to;
        std::swap(to, other);
    }
    multiply<<<blocks, kThreads>>>(total, n, (const float2*)filter, from, to);
    from = to;
    std::swap(to, other);
    for (int half = 1; half < n; half *= 2) {
        stage<<<half_blocks, kThreads>>>(total / 2, n, half, 1.0f, from, to);
        from = to;
        std::swap(to, other);
    }
    cudaFree(scratch);
}
