// Copy of a matrix: four elements a thread, loaded and stored at once.
#include <cuda_runtime.h>

#include <cstdint>

// The first threads also take the elements that fill no quad.
__global__ void copy(long long count, long long quads, const float* __restrict__ in, float* __restrict__ out) {
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < quads) ((float4*)out)[i] = ((const float4*)in)[i];
    if (i < count - 4 * quads) out[4 * quads + i] = in[4 * quads + i];
}

extern "C" void matrix_copy(int n, const float* in, float* out) {
    const long long count = (long long)n * n;
    // Arrays that are not aligned have no quads.
    const long long quads = ((uintptr_t)in | (uintptr_t)out) % 16 == 0 ? count / 4 : 0, threads = quads > 0 ? quads : count;
    if (count > 0) copy<<<(unsigned)((threads - 1) / 256 + 1), 256>>>(count, quads, in, out);
}
