// Shared alleles: tiles of 32 x 32 pairs, words of both groups of people in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kTile = 32;   // people of a group
constexpr int kWords = 32;  // words of a row in shared memory at a time
constexpr int kRows = 8;    // threadIdx.y: each thread has kTile / kRows pairs

// Words of kTile people from `first` on, and "not known" where there is no such person or site.
__device__ void stage(unsigned (*to)[kWords + 1], int first, int word, int people, int words, const unsigned* dosage) {
    for (int row = threadIdx.y; row < kTile; row += kRows) {
        int person = first + row, w = word + threadIdx.x;
        to[row][threadIdx.x] = person < people && w < words ? dosage[(size_t)person * words + w] : 0xffffffffu;
    }
}

__global__ void __launch_bounds__(kTile * kRows) compare(int people, int words, const unsigned* dosage, int32_t* product, int32_t* both) {
    __shared__ unsigned left[kTile][kWords + 1], right[kTile][kWords + 1];
    int first_i = blockIdx.y * kTile, first_j = blockIdx.x * kTile;
    int32_t sum[kTile / kRows] = {}, known[kTile / kRows] = {};
    for (int word = 0; word < words; word += kWords) {
        stage(left, first_i, word, people, words, dosage);
        stage(right, first_j, word, people, words, dosage);
        __syncthreads();
        for (int w = 0; w < kWords; ++w) {
            unsigned b = right[threadIdx.x][w];
#pragma unroll
            for (int r = 0; r < kTile / kRows; ++r) {
                unsigned a = left[threadIdx.y + r * kRows][w], seen = __vcmpges4(a | b, 0);
                sum[r] = __dp4a((int)(a & seen), (int)(b & seen), sum[r]);
                known[r] += __popc(seen & 0x01010101u);
            }
        }
        __syncthreads();
    }
    int j = first_j + threadIdx.x;
    for (int r = 0; r < kTile / kRows; ++r) {
        int i = first_i + threadIdx.y + r * kRows;
        if (i >= people || j >= people) continue;
        product[(size_t)i * people + j] = sum[r];
        both[(size_t)i * people + j] = known[r];
    }
}

extern "C" void shared_alleles(int people, int sites, const int8_t* dosage, int32_t* product, int32_t* both) {
    int tiles = (people + kTile - 1) / kTile;
    dim3 threads(kTile, kRows), blocks(tiles, tiles);
    compare<<<blocks, threads>>>(people, sites / 4, reinterpret_cast<const unsigned*>(dosage), product, both);
}
