// Words: a block packs each place's sixteen letters into two 64-bit words once, and a word of the list is two masked comparisons.
#include <cuda_runtime.h>

#include <cstdint>

typedef unsigned long long pack_t;

__device__ void pack(const uint8_t* from, int letters, pack_t* low, pack_t* high) {
    *low = *high = 0;
    for (int k = 0; k < letters; ++k) {
        if (k < 8) *low |= (pack_t)from[k] << 8 * k;
        else *high |= (pack_t)from[k] << 8 * (k - 8);
    }
}

__device__ pack_t mask(int letters) { return letters <= 0 ? 0 : letters >= 8 ? ~0ull : (1ull << 8 * letters) - 1; }

__global__ void search(int width, int count, int most, const uint8_t* __restrict__ text, const uint8_t* __restrict__ words, const int* __restrict__ length, int* hits, int* first) {
    __shared__ pack_t low[512], high[512];
    const int l = blockIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const uint8_t* line = text + (size_t)l * width;
    for (int part = 0; part < width; part += 512) {
        const int places = min(512, width - part);
        __syncthreads();
        for (int i = threadIdx.x; i < places; i += 128) pack(line + part + i, min(most, width - part - i), &low[i], &high[i]);
        __syncthreads();
        for (int w = warp; w < count; w += 4) {
            const int letters = length[w];
            pack_t a, b;
            pack(words + (size_t)w * most, letters, &a, &b);
            const pack_t keep_low = mask(letters), keep_high = mask(letters - 8);
            int found = 0, left = -1;
            for (int from = 0; from < places; from += 32) {
                const int i = from + lane;
                const bool stands = i < places && part + i + letters <= width && ((low[i] ^ a) & keep_low) == 0 && ((high[i] ^ b) & keep_high) == 0;
                const unsigned votes = __ballot_sync(0xffffffffu, stands);
                if (left < 0 && votes) left = part + from + __ffs(votes) - 1;
                found += __popc(votes);
            }
            if (lane == 0) {
                const size_t at = (size_t)l * count + w;
                if (part == 0 || first[at] < 0) first[at] = left;
                hits[at] = part ? hits[at] + found : found;
            }
        }
    }
}

extern "C" void needle_counts(int lines, int width, int count, int most, const uint8_t* text, const uint8_t* words, const int32_t* length, int32_t* hits, int32_t* first) {
    search<<<lines, 128>>>(width, count, most, text, words, length, hits, first);
}
