// Line breaks: eight lengths are loaded and eight line numbers stored at a time.
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

// The line of the next two words, one above the other.
__device__ uint32_t write_two(Pen& pen, uint32_t letters, int width) {
    const uint32_t first = pen.write((int)(letters & 255), width);
    return first | (uint32_t)pen.write((int)(letters >> 8 & 255), width) << 16;
}

// `kWide`: rows are multiples of eight words, and arrays begin at multiples of 16 bytes.
template <bool kWide>
__global__ void wrap(int texts, int words, int width, const uint8_t* __restrict__ length, uint16_t* __restrict__ line) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= texts) return;
    const long long row = (long long)r * words;
    Pen pen;
    if (kWide) {
        for (int k = 0; k < words; k += 8) {
            const uint2 letters = *(const uint2*)(length + row + k);
            uint4 lines;
            lines.x = write_two(pen, letters.x, width);
            lines.y = write_two(pen, letters.x >> 16, width);
            lines.z = write_two(pen, letters.y, width);
            lines.w = write_two(pen, letters.y >> 16, width);
            *(uint4*)(line + row + k) = lines;
        }
    } else {
        for (int k = 0; k < words; ++k) line[row + k] = pen.write(length[row + k], width);
    }
}

extern "C" void wrap_lines(int texts, int words, int width, const uint8_t* length, uint16_t* line) {
    const int grid = (texts - 1) / 64 + 1;
    if (words % 8 == 0 && ((uintptr_t)length | (uintptr_t)line) % 16 == 0)
        wrap<true><<<grid, 64>>>(texts, words, width, length, line);
    else
        wrap<false><<<grid, 64>>>(texts, words, width, length, line);
}
