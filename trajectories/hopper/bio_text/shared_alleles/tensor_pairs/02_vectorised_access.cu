// Shared alleles: four sites in a word, multiplied and counted by one instruction each.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void compare(int people, int words, const unsigned* dosage, int32_t* product, int32_t* both) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= people || j >= people) return;
    const unsigned *a = dosage + (size_t)i * words, *b = dosage + (size_t)j * words;
    int32_t sum = 0, known = 0;
    for (int w = 0; w < words; ++w) {
        // A byte of the mask is 0xff where both are known: -1 is the only value with the highest bit.
        unsigned seen = __vcmpges4(a[w] | b[w], 0);
        sum = __dp4a((int)(a[w] & seen), (int)(b[w] & seen), sum);
        known += __popc(seen & 0x01010101u);
    }
    product[(size_t)i * people + j] = sum;
    both[(size_t)i * people + j] = known;
}

extern "C" void shared_alleles(int people, int sites, const int8_t* dosage, int32_t* product, int32_t* both) {
    dim3 threads(16, 16), blocks((people + 15) / 16, (people + 15) / 16);
    compare<<<blocks, threads>>>(people, sites / 4, reinterpret_cast<const unsigned*>(dosage), product, both);
}
