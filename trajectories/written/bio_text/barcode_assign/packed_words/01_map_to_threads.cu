// Barcode assignment: one thread per read, byte by byte.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kBases = 16, kUnknown = 4;

__global__ void assign(int reads, int listed, const uint8_t* read, const uint8_t* whitelist, int* owner,
                       uint8_t* distance) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= reads) return;
    int nearest = -1, least = kBases + 1;
    for (int w = 0; w < listed; ++w) {
        int count = 0;
        for (int k = 0; k < kBases; ++k) {
            int own = read[(size_t)r * kBases + k];
            count += own != whitelist[(size_t)w * kBases + k] || own == kUnknown;
        }
        if (count < least) {
            least = count;
            nearest = w;
        } else if (count == least) {
            nearest = -1;
        }
    }
    owner[r] = nearest;
    distance[r] = (uint8_t)least;
}

extern "C" void barcode_assign(int reads, int listed, const uint8_t* read, const uint8_t* whitelist, int* owner,
                               uint8_t* distance) {
    const int threads = 128;
    assign<<<(reads - 1) / threads + 1, threads>>>(reads, listed, read, whitelist, owner, distance);
}
