// Name ranks: one name a thread, compared letter by letter with all others.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void ranks(int names, const uint8_t* name, int32_t* rank) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= names) return;
    int before = 0;
    for (int j = 0; j < names; ++j) {
        int k = 0;
        while (k < 8 && name[8 * (size_t)j + k] == name[8 * (size_t)i + k]) ++k;
        before += k < 8 ? name[8 * (size_t)j + k] < name[8 * (size_t)i + k] : j < i;
    }
    rank[i] = before;
}

extern "C" void name_ranks(int names, const uint8_t* name, int32_t* rank) { ranks<<<(names + 127) / 128, 128>>>(names, name, rank); }
