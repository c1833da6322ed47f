// Headers: one packet a thread, byte by byte.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void forward(int packets, uint8_t* headers, uint8_t* dropped) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= packets) return;
    uint8_t* h = headers + 20ll * i;
    dropped[i] = h[8] < 2;
    if (h[8] < 2) return;
    h[8] -= 1;
    uint32_t sum = 0;
    for (int w = 0; w < 10; ++w)
        if (w != 5) sum += h[2 * w] << 8 | h[2 * w + 1];
    sum = (sum & 0xffff) + (sum >> 16);
    sum = ~((sum & 0xffff) + (sum >> 16));
    h[10] = sum >> 8;
    h[11] = sum;
}

extern "C" void forward_headers(int packets, uint8_t* headers, uint8_t* dropped) { forward<<<(packets + 255) / 256, 256>>>(packets, headers, dropped); }
