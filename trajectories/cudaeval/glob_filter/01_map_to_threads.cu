// Glob filter: one name a thread, with the way back to the last star.
#include <cuda_runtime.h>

#include <cstdint>

__device__ bool matches(const uint8_t* text, int size, const uint8_t* p, int plen) {
    int t = 0, back_t = 0, j = 0, back_j = -1;
    while (t < size) {
        if (j < plen && p[j] != 6 && (p[j] == 5 || p[j] == text[t])) {
            ++t;
            ++j;
        } else if (j < plen && p[j] == 6) {
            back_j = ++j;
            back_t = t;
        } else if (back_j >= 0) {
            j = back_j;
            t = ++back_t;
        } else {
            return false;
        }
    }
    while (j < plen && p[j] == 6) ++j;
    return j == plen;
}

__global__ void filter(int names, int width, int plen, const uint8_t* name, const int32_t* length, const uint8_t* pattern, uint8_t* keep,
                       int32_t* kept) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= names) return;
    keep[i] = matches(name + (size_t)i * width, length[i], pattern, plen);
    if (keep[i]) atomicAdd(kept, 1);
}

extern "C" void glob_filter(int names, int width, int plen, const uint8_t* name, const int32_t* length, const uint8_t* pattern,
                            uint8_t* keep, int32_t* kept) {
    cudaMemsetAsync(kept, 0, sizeof(int32_t));
    filter<<<(names + 255) / 256, 256>>>(names, width, plen, name, length, pattern, keep, kept);
}
