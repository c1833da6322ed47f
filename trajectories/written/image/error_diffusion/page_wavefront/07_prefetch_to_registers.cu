// Error diffusion, one warp per page; the next slanted tile waits in registers while the present one is worked on.
#include <cuda_runtime.h>

constexpr int kLanes = 32;

// One byte of each row of the slanted tile that begins at t0; what lies outside the page is 0 and never used.
__device__ void fetch(const unsigned char* band, int rows, int width, int t0, unsigned char (&waiting)[kLanes]) {
#pragma unroll
    for (int r = 0; r < kLanes; ++r) {
        const int column = t0 - 2 * r + (int)threadIdx.x;
        waiting[r] = r < rows && column >= 0 && column < width ? band[(size_t)r * width + column] : 0;
    }
}

__global__ void diffuse(int height, int width, const unsigned char* grey, unsigned char* tone, int* scratch) {
    __shared__ unsigned char tile[kLanes][kLanes + 4];
    const int lane = threadIdx.x, p = blockIdx.x;
    int* passed = scratch + (size_t)p * width;  // from the last row of the band above
    for (int x = lane; x < width; x += kLanes) passed[x] = 0;
    __syncwarp();
    for (int top = 0; top < height; top += kLanes) {
        const int rows = min(kLanes, height - top);
        const size_t band = ((size_t)p * height + top) * width;
        int from_left = 0, below_left = 0, below = 0, sum = 0;
        unsigned char waiting[kLanes];
        fetch(grey + band, rows, width, 0, waiting);
        for (int t0 = 0; t0 < width + 2 * kLanes; t0 += kLanes) {
#pragma unroll
            for (int r = 0; r < kLanes; ++r) tile[r][lane] = waiting[r];
            __syncwarp();
            fetch(grey + band, rows, width, t0 + kLanes, waiting);
            for (int step = 0; step < kLanes; ++step) {
                const int x = t0 + step - 2 * lane;
                // In the round before, the lane above finished its sum for column x.
                int from_above = __shfl_up_sync(0xffffffffu, sum, 1);
                sum = below_left;  // of column x - 1, complete without a lower-left share past the end of the row
                if (lane < rows && x >= 0 && x < width) {
                    if (lane == 0) from_above = passed[x];
                    const int v = tile[lane][step] + from_above + from_left;
                    const int output = v >= 128 ? 255 : 0;
                    const int e = v - output, right = e * 7 / 16, left = e * 3 / 16, down = e * 5 / 16;
                    tile[lane][step] = (unsigned char)output;
                    sum = below_left + left;
                    from_left = right;
                    below_left = below + down;
                    below = e - right - left - down;
                }
                if (lane == kLanes - 1 && x >= 1 && x <= width) passed[x - 1] = sum;
            }
            __syncwarp();
            for (int r = 0; r < rows; ++r) {
                const int column = t0 - 2 * r + lane;
                if (column >= 0 && column < width) tone[band + (size_t)r * width + column] = tile[r][lane];
            }
            __syncwarp();
        }
    }
}

extern "C" void error_diffusion(int pages, int height, int width, const unsigned char* grey, unsigned char* tone) {
    int* scratch = nullptr;
    cudaMalloc(&scratch, (size_t)pages * width * sizeof(int));
    diffuse<<<pages, kLanes>>>(height, width, grey, tone, scratch);
    cudaFree(scratch);
}
