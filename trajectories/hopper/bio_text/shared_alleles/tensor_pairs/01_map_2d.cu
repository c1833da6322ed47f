// Shared alleles: a thread for each pair of people.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void compare(int people, int sites, const int8_t* dosage, int32_t* product, int32_t* both) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= people || j >= people) return;
    const int8_t *a = dosage + (size_t)i * sites, *b = dosage + (size_t)j * sites;
    int32_t sum = 0, known = 0;
    for (int s = 0; s < sites; ++s) {
        bool seen = a[s] >= 0 && b[s] >= 0;
        sum += seen ? a[s] * b[s] : 0;
        known += seen;
    }
    product[(size_t)i * people + j] = sum;
    both[(size_t)i * people + j] = known;
}

extern "C" void shared_alleles(int people, int sites, const int8_t* dosage, int32_t* product, int32_t* both) {
    dim3 threads(16, 16), blocks((people + 15) / 16, (people + 15) / 16);
    compare<<<blocks, threads>>>(people, sites, dosage, product, both);
}
