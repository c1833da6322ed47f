// Error diffusion, one thread per page; open shares roll through registers.
#include <cuda_runtime.h>

constexpr int kThreads = 32;

__global__ void diffuse(int pages, int height, int width, const unsigned char* grey, unsigned char* tone,
                        int* scratch) {
    int p = blockIdx.x * kThreads + threadIdx.x;
    if (p >= pages) return;
    int* passed = scratch + (size_t)p * width;  // from the row above
    for (int x = 0; x < width; ++x) passed[x] = 0;
    for (int y = 0; y < height; ++y) {
        const size_t row = ((size_t)p * height + y) * width;
        int from_left = 0, below_left = 0, below = 0;  // open sums of this pixel and of the next row at x - 1 and x
        for (int x = 0; x < width; ++x) {
            const int v = grey[row + x] + passed[x] + from_left;
            const int output = v >= 128 ? 255 : 0;
            const int e = v - output, right = e * 7 / 16, left = e * 3 / 16, down = e * 5 / 16;
            tone[row + x] = (unsigned char)output;
            if (x > 0) passed[x - 1] = below_left + left;  // complete now; passed[x] has been read
            from_left = right;
            below_left = below + down;
            below = e - right - left - down;
        }
        passed[width - 1] = below_left;
    }
}

extern "C" void error_diffusion(int pages, int height, int width, const unsigned char* grey, unsigned char* tone) {
    int* scratch = nullptr;
    cudaMalloc(&scratch, (size_t)pages * width * sizeof(int));
    diffuse<<<(pages - 1) / kThreads + 1, kThreads>>>(pages, height, width, grey, tone, scratch);
    cudaFree(scratch);
}
