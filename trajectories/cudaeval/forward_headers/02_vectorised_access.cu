// Headers: five words a packet, summed as little-endian halves: the sum's bytes are the checksum's, swapped.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void forward(int packets, uint32_t* words, uint8_t* dropped) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= packets) return;
    uint32_t* h = words + 5ll * i;
    uint32_t third = h[2];
    const bool late = (third & 255) < 2;
    dropped[i] = late;
    if (late) return;
    third = (third & 0xffff) - 1;
    uint32_t sum = third;
    for (int w = 0; w < 5; ++w)
        if (w != 2) sum += (h[w] & 0xffff) + (h[w] >> 16);
    sum = (sum & 0xffff) + (sum >> 16);
    sum = (sum & 0xffff) + (sum >> 16);
    h[2] = third | ~sum << 16;
}

extern "C" void forward_headers(int packets, uint8_t* headers, uint8_t* dropped) {
    forward<<<(packets + 255) / 256, 256>>>(packets, reinterpret_cast<uint32_t*>(headers), dropped);
}
