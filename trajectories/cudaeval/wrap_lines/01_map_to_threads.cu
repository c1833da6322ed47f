// Line breaks: one text a thread.
#include <cuda_runtime.h>

#include <cstdint>

struct Pen {
    int line = -1, column = 0;

    __device__ uint16_t write(int letters, int width) {
        const bool fits = line >= 0 && column + 1 + letters <= width;
        column = fits ? column + 1 + letters : letters;
        line += fits ? 0 : 1;
        return (uint16_t)line;
    }
};

__global__ void wrap(int texts, int words, int width, const uint8_t* length, uint16_t* line) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= texts) return;
    const long long row = (long long)r * words;
    Pen pen;
    for (int k = 0; k < words; ++k) line[row + k] = pen.write(length[row + k], width);
}

extern "C" void wrap_lines(int texts, int words, int width, const uint8_t* length, uint16_t* line) {
    wrap<<<(texts - 1) / 64 + 1, 64>>>(texts, words, width, length, line);
}
