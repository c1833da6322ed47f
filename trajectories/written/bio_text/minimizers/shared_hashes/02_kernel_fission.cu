// Window minimizers: hashes of all k-mers into scratch memory, then a minimum of ten for each window.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kLetters = 15, kWindow = 10;

__device__ uint32_t mixed(uint32_t v) {
    v = (v ^ v >> 15) * 739982445u;
    v = (v ^ v >> 12) * 695872825u;
    return v ^ v >> 15;
}

__global__ void make_hashes(int kmers, const uint8_t* base, uint32_t* hashes) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= kmers) return;
    uint32_t code = 0;
    for (int k = 0; k < kLetters; ++k) code = code << 2 | base[i + k];
    hashes[i] = mixed(code);
}

__global__ void find(int windows, const uint32_t* hashes, uint32_t* least, int* place) {
    int window = blockIdx.x * blockDim.x + threadIdx.x;
    if (window >= windows) return;
    int first = window;
    uint32_t best = hashes[window];
    for (int i = window + 1; i < window + kWindow; ++i)
        if (hashes[i] < best) {
            best = hashes[i];
            first = i;
        }
    least[window] = best;
    place[window] = first;
}

extern "C" void minimizers(int n, const uint8_t* base, uint32_t* least, int* place) {
    const int threads = 256, kmers = n - kLetters + 1, windows = kmers - kWindow + 1;
    uint32_t* hashes = nullptr;
    cudaMalloc(&hashes, kmers * sizeof(uint32_t));
    make_hashes<<<(kmers - 1) / threads + 1, threads>>>(kmers, base, hashes);
    find<<<(windows - 1) / threads + 1, threads>>>(windows, hashes, least, place);
    cudaFree(hashes);
}
