// Filters: one picture a thread.
#include <cuda_runtime.h>

#include <cstdint>

__device__ int guess(int filter, int a, int b, int c) {
    const int pa = abs(b - c), pb = abs(a - c), pc = abs(a + b - 2 * c);
    if (filter == 1) return a;
    if (filter == 2) return b;
    if (filter == 3) return (a + b) / 2;
    if (filter == 4) return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
    return 0;
}

__global__ void undo(int pictures, int height, int stride, const uint8_t* filter, uint8_t* data) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pictures) return;
    uint8_t* row = data + (size_t)i * height * stride;
    for (int y = 0; y < height; ++y, row += stride)
        for (int x = 0; x < stride; ++x) {
            const int a = x >= 3 ? row[x - 3] : 0, b = y ? row[x - stride] : 0, c = y && x >= 3 ? row[x - 3 - stride] : 0;
            row[x] += guess(filter[i * height + y], a, b, c);
        }
}

extern "C" void undo_filters(int pictures, int height, int width, const uint8_t* filter, uint8_t* data) {
    undo<<<(pictures + 63) / 64, 64>>>(pictures, height, 3 * width, filter, data);
}
