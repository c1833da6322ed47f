// Words: a warp takes a word in a line; votes of 32 places give the count and the first one.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void search(int width, int count, int most, const uint8_t* __restrict__ text, const uint8_t* __restrict__ words, const int* __restrict__ length, int* hits, int* first) {
    const int w = blockIdx.x * 4 + threadIdx.y, l = blockIdx.y, lane = threadIdx.x;
    if (w >= count) return;
    const uint8_t *line = text + (size_t)l * width, *word = words + (size_t)w * most;
    const int letters = length[w];
    int found = 0, left = -1;
    for (int from = 0; from + letters <= width; from += 32) {
        const int at = from + lane;
        int k = 0;
        if (at + letters <= width)
            while (k < letters && line[at + k] == word[k]) ++k;
        const unsigned votes = __ballot_sync(0xffffffffu, k == letters);
        if (left < 0 && votes) left = from + __ffs(votes) - 1;
        found += __popc(votes);
    }
    if (lane) return;
    hits[(size_t)l * count + w] = found;
    first[(size_t)l * count + w] = left;
}

extern "C" void needle_counts(int lines, int width, int count, int most, const uint8_t* text, const uint8_t* words, const int32_t* length, int32_t* hits, int32_t* first) {
    search<<<dim3((count + 3) / 4, lines), dim3(32, 4)>>>(width, count, most, text, words, length, hits, first);
}
