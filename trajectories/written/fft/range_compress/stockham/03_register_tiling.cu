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

// Two stages, half and 2 * half, on four samples a thread.
__global__ void stage4(long long groups, int n, int half, float direction, const float2* from, float2* to) {
    long long t = blockIdx.x * (long long)kThreads + threadIdx.x;
    if (t >= groups) return;
    int quarter = n / 4, p = (int)(t % quarter), k = p & (half - 1);
    long long row = t / quarter * n;
    const float2* a = from + row + p;
    float2 w1, w2;
    sincospif(direction * k / (2 * half), &w1.y, &w1.x);
    sincospif(direction * k / half, &w2.y, &w2.x);  // not w1 * w1: quarter turns have to be exact
    float2 b0 = a[0], b1 = times(a[quarter], w1), b2 = times(a[2 * quarter], w2);
    float2 b3 = times(times(a[3 * quarter], w2), w1);
    float2 s0 = {b0.x + b2.x, b0.y + b2.y}, d0 = {b0.x - b2.x, b0.y - b2.y};
    float2 s1 = {b1.x + b3.x, b1.y + b3.y}, d1 = {b1.x - b3.x, b1.y - b3.y};
    float2 turned = {-direction * d1.y, direction * d1.x};  // a quarter turn
    float2* target = to + row + 4 * p - 3 * k;
    target[0] = {s0.x + s1.x, s0.y + s1.y};
    target[half] = {d0.x + turned.x, d0.y + turned.y};
    target[2 * half] = {s0.x - s1.x, s0.y - s1.y};
    target[3 * half] = {d0.x - turned.x, d0.y - turned.y};
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
    // As many passes forward as backward and one between: an odd number, from `out` as the target to `out` again.
    float2 *to = (float2*)out, *other = scratch;
    int quarter_blocks = (int)((total / 4 - 1) / kThreads + 1);
    auto advance = [&] {
        from = to;
        std::swap(to, other);
    };
    auto transform = [&](float direction) {
        int half = 1, bits = 0;
        while (1 << bits < n) ++bits;
        if (bits % 2 == 1) {
            stage<<<half_blocks, kThreads>>>(total / 2, n, half, direction, from, to);
            advance();
            half = 2;
        }
        for (; half < n; half *= 4) {
            stage4<<<quarter_blocks, kThreads>>>(total / 4, n, half, direction, from, to);
            advance();
        }
    };
    transform(-1.0f);
    multiply<<<blocks, kThreads>>>(total, n, (const float2*)filter, from, to);
    advance();
    transform(1.0f);
    cudaFree(scratch);
}
