// Sobel edge strength; a thread walks down a column and keeps what three rows contribute in registers.
#include <cuda_runtime.h>

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

extern "C" void sobel(int height, int width, const unsigned char* image, unsigned char* edges) {
    const int block_rows = kBlockY * kRows;
    dim3 grid((width + kBlockX - 1) / kBlockX, (height + block_rows - 1) / block_rows);
    sobel_kernel<<<grid, dim3(kBlockX, kBlockY)>>>(height, width, image, edges);
}
