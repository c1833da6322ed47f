// Words: one word in one line a thread.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void search(int lines, int width, int count, int most, const uint8_t* text, const uint8_t* words, const int* length, int* hits, int* first) {
    const int w = blockIdx.x * 32 + threadIdx.x, l = blockIdx.y * 4 + threadIdx.y;
    if (w >= count || l >= lines) return;
    const uint8_t *line = text + (size_t)l * width, *word = words + (size_t)w * most;
    int found = 0, left = -1;
    for (int at = 0; at + length[w] <= width; ++at) {
        int k = 0;
        while (k < length[w] && line[at + k] == word[k]) ++k;
        if (k < length[w]) continue;
        if (left < 0) left = at;
        ++found;
    }
    hits[(size_t)l * count + w] = found;
    first[(size_t)l * count + w] = left;
}

extern "C" void needle_counts(int lines, int width, int count, int most, const uint8_t* text, const uint8_t* words, const int32_t* length, int32_t* hits, int32_t* first) {
    search<<<dim3((count + 31) / 32, (lines + 3) / 4), dim3(32, 4)>>>(lines, width, count, most, text, words, length, hits, first);
}
