// Copy of a matrix: four quads a thread, a block's width apart, all loaded before the first is stored: more bytes are on their way at a time.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256, kQuads = 4;

__global__ void copy(long long count, long long quads, const float* __restrict__ in, float* __restrict__ out) {
    const long long first = (long long)blockIdx.x * kQuads * kThreads + threadIdx.x;
    float4 v[kQuads];
#pragma unroll
    for (int k = 0; k < kQuads; ++k)
        if (first + k * kThreads < quads) v[k] = ((const float4*)in)[first + k * kThreads];
#pragma unroll
    for (int k = 0; k < kQuads; ++k)
        if (first + k * kThreads < quads) ((float4*)out)[first + k * kThreads] = v[k];
    // The elements that fill no quad, a few or all.
    const long long rest = count - 4 * quads;
    for (int k = 0; k < kQuads && first + k * kThreads < rest; ++k) {
        const long long i = 4 * quads + first + k * kThreads;
        out[i] = in[i];
    }
}

extern "C" void matrix_copy(int n, const float* in, float* out) {
    const long long count = (long long)n * n;
    // Arrays that are not aligned have no quads.
    const long long quads = ((uintptr_t)in | (uintptr_t)out) % 16 == 0 ? count / 4 : 0, threads = quads > 0 ? quads : count;
    if (count > 0) copy<<<(unsigned)((threads - 1) / (kQuads * kThreads) + 1), kThreads>>>(count, quads, in, out);
}
