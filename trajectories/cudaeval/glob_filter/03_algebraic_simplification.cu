// Glob filter: bits run through neighbouring stars by one addition, in place of a loop over the pattern.
#include <cuda_runtime.h>

#include <cstdint>

// Bit j stands for "the first j places of the pattern are done". `takes` has the places that take a letter, `star` those of stars.
__device__ unsigned through_stars(unsigned state, unsigned star, int plen) {
    // A carry runs from the lowest live star of a run of stars past its end.
    const unsigned live = state & star;
    return state | (((star + live) ^ star) & (star << 1)) | ((star + live) & ~star) | (live << 1);
}

__device__ bool matches(const uint8_t* text, int size, const unsigned* takes, unsigned star, int plen) {
    unsigned state = through_stars(1, star, plen);
    for (int t = 0; t < size; ++t) state = through_stars((state & takes[text[t]]) << 1 | (state & star), star, plen);
    return state >> plen & 1;
}

__global__ void filter(int names, int width, int plen, const uint8_t* name, const int32_t* length, const uint8_t* pattern, uint8_t* keep,
                       int32_t* kept) {
    __shared__ unsigned takes[5], star;
    if (threadIdx.x < 6) {
        unsigned bits = 0;
        for (int j = 0; j < plen; ++j) {
            const bool hit = threadIdx.x == 5 ? pattern[j] == 6 : pattern[j] == 5 || pattern[j] == threadIdx.x;
            bits |= (unsigned)hit << j;
        }
        (threadIdx.x == 5 ? star : takes[threadIdx.x]) = bits;
    }
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= names) return;
    keep[i] = matches(name + (size_t)i * width, length[i], takes, star, plen);
    if (keep[i]) atomicAdd(kept, 1);
}

extern "C" void glob_filter(int names, int width, int plen, const uint8_t* name, const int32_t* length, const uint8_t* pattern,
                            uint8_t* keep, int32_t* kept) {
    cudaMemsetAsync(kept, 0, sizeof(int32_t));
    filter<<<(names + 255) / 256, 256>>>(names, width, plen, name, length, pattern, keep, kept);
}
