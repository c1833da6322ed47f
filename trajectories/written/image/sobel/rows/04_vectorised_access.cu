// Sobel edge strength; a thread walks down four columns at once with 32-bit loads and stores where rows are aligned.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kBlockX = 32, kBlockY = 8;
constexpr int kRows = 8;  // pixels of a column per thread

// All that the gradients need of one image row around one column.
struct RowPart {
    int difference;  // right - left
    int weighted;    // left + 2 * middle + right
};

__device__ RowPart row_part(const unsigned char* row, int left, int x, int right) {
    int l = row[left], m = row[x], r = row[right];
    return {r - l, l + 2 * m + r};
}

template <bool kClamp>
__device__ void walk(int height, int width, const unsigned char* image, unsigned char* edges, int x, int y0) {
    int left = kClamp ? max(x - 1, 0) : x - 1;
    int right = kClamp ? min(x + 1, width - 1) : x + 1;
    int y_end = kClamp ? min(y0 + kRows, height) : y0 + kRows;
    RowPart above = row_part(image + (size_t)(kClamp ? max(y0 - 1, 0) : y0 - 1) * width, left, x, right);
    RowPart here = row_part(image + (size_t)y0 * width, left, x, right);
    for (int y = y0; y < y_end; ++y) {
        int next = kClamp ? min(y + 1, height - 1) : y + 1;
        RowPart below = row_part(image + (size_t)next * width, left, x, right);
        int gx = above.difference + 2 * here.difference + below.difference;
        int gy = below.weighted - above.weighted;
        edges[(size_t)y * width + x] = (unsigned char)min(255, abs(gx) + abs(gy));
        above = here;
        here = below;
    }
}

__global__ void sobel_kernel(int height, int width, const unsigned char* image, unsigned char* edges) {
    const int block_rows = kBlockY * kRows;
    int x0 = blockIdx.x * kBlockX, top = blockIdx.y * block_rows;
    int x = x0 + threadIdx.x, y0 = top + threadIdx.y * kRows;
    // The same for all threads of the block: every pixel has all its neighbours.
    bool interior = x0 > 0 && top > 0 && x0 + kBlockX < width && top + block_rows < height;
    if (interior) {
        walk<false>(height, width, image, edges, x, y0);
    } else if (x < width && y0 < height) {
        walk<true>(height, width, image, edges, x, y0);
    }
}

// The parts of columns x .. x+3 from one aligned word and the byte on either side, replicated at the rim.
__device__ void row_parts(const unsigned char* row, int x, int width, RowPart (&part)[4]) {
    unsigned int word = *reinterpret_cast<const unsigned int*>(row + x);
    int value[6];
#pragma unroll
    for (int k = 0; k < 4; ++k) value[k + 1] = word >> (8 * k) & 0xFF;
    value[0] = x > 0 ? row[x - 1] : value[1];
    value[5] = x + 4 < width ? row[x + 4] : value[4];
#pragma unroll
    for (int k = 0; k < 4; ++k)
        part[k] = {value[k + 2] - value[k], value[k] + 2 * value[k + 1] + value[k + 2]};
}

// For widths and pointers that are multiples of four.
__global__ void sobel_words(int height, int width, const unsigned char* image, unsigned char* edges) {
    int x = (blockIdx.x * kBlockX + threadIdx.x) * 4;
    int y0 = (blockIdx.y * kBlockY + threadIdx.y) * kRows;
    if (x >= width || y0 >= height) return;
    int y_end = min(y0 + kRows, height);
    RowPart above[4], here[4], below[4];
    row_parts(image + (size_t)max(y0 - 1, 0) * width, x, width, above);
    row_parts(image + (size_t)y0 * width, x, width, here);
    for (int y = y0; y < y_end; ++y) {
        row_parts(image + (size_t)min(y + 1, height - 1) * width, x, width, below);
        unsigned int packed = 0;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            int gx = above[k].difference + 2 * here[k].difference + below[k].difference;
            int gy = below[k].weighted - above[k].weighted;
            packed |= (unsigned int)min(255, abs(gx) + abs(gy)) << (8 * k);
            above[k] = here[k];
            here[k] = below[k];
        }
        *reinterpret_cast<unsigned int*>(edges + (size_t)y * width + x) = packed;
    }
}

extern "C" void sobel(int height, int width, const unsigned char* image, unsigned char* edges) {
    const int block_rows = kBlockY * kRows;
    bool aligned = width % 4 == 0 && reinterpret_cast<uintptr_t>(image) % 4 == 0 &&
                   reinterpret_cast<uintptr_t>(edges) % 4 == 0;
    if (aligned) {
        dim3 grid((width / 4 + kBlockX - 1) / kBlockX, (height + block_rows - 1) / block_rows);
        sobel_words<<<grid, dim3(kBlockX, kBlockY)>>>(height, width, image, edges);
        return;
    }
    dim3 grid((width + kBlockX - 1) / kBlockX, (height + block_rows - 1) / block_rows);
    sobel_kernel<<<grid, dim3(kBlockX, kBlockY)>>>(height, width, image, edges);
}
