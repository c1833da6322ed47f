// Window minimizers: one thread per window, all from scratch.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kLetters = 15, kWindow = 10;

__device__ uint32_t mixed(uint32_t v) {
    v = (v ^ v >> 15) * 739982445u;
    v = (v ^ v >> 12) * 695872825u;
    return v ^ v >> 15;
}

__global__ void find(int windows, const uint8_t* base, uint32_t* least, int* place) {
    int window = blockIdx.x * blockDim.x + threadIdx.x;
    if (window >= windows) return;
    uint32_t best = 0;
    int first = -1;
    for (int i = window; i < window + kWindow; ++i) {
        uint32_t code = 0;
        for (int k = 0; k < kLetters; ++k) code = code << 2 | base[i + k];
        uint32_t hash = mixed(code);
        if (first < 0 || hash < best) {
            best = hash;
            first = i;
        }
    }
    least[window] = best;
    place[window] = first;
}

extern "C" void minimizers(int n, const uint8_t* base, uint32_t* least, int* place) {
    const int threads = 256, windows = n - kLetters - kWindow + 2;
    find<<<(windows - 1) / threads + 1, threads>>>(windows, base, least, place);
}
