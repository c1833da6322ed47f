// Error diffusion, one warp per page; each row hands its sums to the row below by shuffles.
#include <cuda_runtime.h>

constexpr int kLanes = 32;

__global__ void diffuse(int height, int width, const unsigned char* grey, unsigned char* tone, int* scratch) {
    const int lane = threadIdx.x, p = blockIdx.x;
    int* passed = scratch + (size_t)p * width;  // from the last row of the band above
    for (int x = lane; x < width; x += kLanes) passed[x] = 0;
    __syncwarp();
    for (int top = 0; top < height; top += kLanes) {
        const int y = top + lane;
        const size_t row = ((size_t)p * height + y) * width;
        int from_left = 0, below_left = 0, below = 0, sum = 0;
        for (int t = 0; t < width + 2 * kLanes; ++t) {
            const int x = t - 2 * lane;
            // In the round before, the lane above finished its sum for column x: it is one column ahead of its sums.
            int from_above = __shfl_up_sync(0xffffffffu, sum, 1);
            sum = below_left;  // of column x - 1, complete without a lower-left share past the end of the row
            if (y < height && x >= 0 && x < width) {
                if (lane == 0) from_above = passed[x];
                const int v = grey[row + x] + from_above + from_left;
                const int output = v >= 128 ? 255 : 0;
                const int e = v - output, right = e * 7 / 16, left = e * 3 / 16, down = e * 5 / 16;
                tone[row + x] = (unsigned char)output;
                sum = below_left + left;
                from_left = right;
                below_left = below + down;
                below = e - right - left - down;
            }
            if (lane == kLanes - 1 && x >= 1 && x <= width) passed[x - 1] = sum;
        }
        __syncwarp();  // before the next band reads what the last lane passed
    }
}

extern "C" void error_diffusion(int pages, int height, int width, const unsigned char* grey, unsigned char* tone) {
    int* scratch = nullptr;
    cudaMalloc(&scratch, (size_t)pages * width * sizeof(int));
    diffuse<<<pages, kLanes>>>(height, width, grey, tone, scratch);
    cudaFree(scratch);
}
