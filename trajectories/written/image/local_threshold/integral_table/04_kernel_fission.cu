// Local mean threshold from a summed-area table; rows are scanned by blocks, columns in strips of 128 rows.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 8;
constexpr int kThreads = 128;
constexpr int kStretch = 256;  // pixels that a block scans at a time
constexpr int kStrip = 128;    // rows that a thread walks

__device__ unsigned char is_ink(int value, int area, int sum, int bias) {
    return 100 * value * area < (100 - bias) * sum;
}

// The table wraps around at 2^32; differences of its entries do not mind.
__global__ void run_rows(int width, const unsigned char* page, unsigned int* table) {
    __shared__ unsigned int warp_total[2][kStretch / 32];  // used in turn: one barrier a stretch is enough
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    const size_t row = (size_t)blockIdx.x * width;
    unsigned int carried = 0;
    for (int first = 0, turn = 0; first < width; first += kStretch, turn ^= 1) {
        const int x = first + t;
        unsigned int total = x < width ? page[row + x] : 0;
        for (int distance = 1; distance < 32; distance *= 2) {
            const unsigned int before = __shfl_up_sync(0xffffffffu, total, distance);
            if (lane >= distance) total += before;
        }
        if (lane == 31) warp_total[turn][warp] = total;
        __syncthreads();
        unsigned int stretch = 0;
        for (int w = 0; w < kStretch / 32; ++w) {
            if (w == warp) total += stretch;
            stretch += warp_total[turn][w];
        }
        if (x < width) table[row + x] = carried + total;
        carried += stretch;
    }
}

__global__ void add_strips(int height, int width, const unsigned int* table, unsigned int* strip_sum) {
    const int x = blockIdx.x * kThreads + threadIdx.x, strip = blockIdx.y;
    if (x >= width) return;
    unsigned int total = 0;
    for (int y = strip * kStrip; y < min(height, (strip + 1) * kStrip); ++y) total += table[(size_t)y * width + x];
    strip_sum[(size_t)strip * width + x] = total;
}

__global__ void start_strips(int strips, int width, unsigned int* strip_sum) {
    const int x = blockIdx.x * kThreads + threadIdx.x;
    if (x >= width) return;
    unsigned int start = 0;
    for (int strip = 0; strip < strips; ++strip) {
        const unsigned int own = strip_sum[(size_t)strip * width + x];
        strip_sum[(size_t)strip * width + x] = start;
        start += own;
    }
}

__global__ void run_columns(int height, int width, const unsigned int* strip_start, unsigned int* table) {
    const int x = blockIdx.x * kThreads + threadIdx.x, strip = blockIdx.y;
    if (x >= width) return;
    unsigned int total = strip_start[(size_t)strip * width + x];
    for (int y = strip * kStrip; y < min(height, (strip + 1) * kStrip); ++y)
        table[(size_t)y * width + x] = total += table[(size_t)y * width + x];
}

__device__ unsigned int entry(const unsigned int* table, int width, int y, int x) {
    return y < 0 || x < 0 ? 0 : table[(size_t)y * width + x];
}

__global__ void threshold(int height, int width, int radius, int bias, const unsigned char* page,
                          const unsigned int* table, unsigned char* ink) {
    const int x = blockIdx.x * kBlockX + threadIdx.x, y = blockIdx.y * kBlockY + threadIdx.y;
    if (x >= width || y >= height) return;
    const int above = max(y - radius, 0) - 1, bottom = min(y + radius, height - 1);
    const int before = max(x - radius, 0) - 1, right = min(x + radius, width - 1);
    const unsigned int sum = entry(table, width, bottom, right) - entry(table, width, above, right) -
                             entry(table, width, bottom, before) + entry(table, width, above, before);
    const size_t i = (size_t)y * width + x;
    ink[i] = is_ink(page[i], (bottom - above) * (right - before), (int)sum, bias);
}

extern "C" void local_threshold(int height, int width, int radius, int bias, const unsigned char* page,
                                unsigned char* ink) {
    unsigned int* table = nullptr;
    cudaMalloc(&table, (size_t)height * width * sizeof(unsigned int));
    run_rows<<<height, kStretch>>>(width, page, table);
    const int strips = (height - 1) / kStrip + 1, column_blocks = (width - 1) / kThreads + 1;
    unsigned int* strip_sum = nullptr;
    cudaMalloc(&strip_sum, (size_t)strips * width * sizeof(unsigned int));
    add_strips<<<dim3(column_blocks, strips), kThreads>>>(height, width, table, strip_sum);
    start_strips<<<column_blocks, kThreads>>>(strips, width, strip_sum);
    run_columns<<<dim3(column_blocks, strips), kThreads>>>(height, width, strip_sum, table);
    dim3 grid((width - 1) / kBlockX + 1, (height - 1) / kBlockY + 1);
    threshold<<<grid, dim3(kBlockX, kBlockY)>>>(height, width, radius, bias, page, table, ink);
    cudaFree(strip_sum);
    cudaFree(table);
}
