// Error diffusion, one thread per page.
#include <cuda_runtime.h>

constexpr int kThreads = 32;

__global__ void diffuse(int pages, int height, int width, const unsigned char* grey, unsigned char* tone,
                        int* scratch) {
    int p = blockIdx.x * kThreads + threadIdx.x;
    if (p >= pages) return;
    int *here = scratch + 2 * (size_t)p * (width + 2), *below = here + width + 2;
    for (int x = 0; x < width + 2; ++x) here[x] = 0;
    for (int y = 0; y < height; ++y) {
        const size_t row = ((size_t)p * height + y) * width;
        for (int x = 0; x < width + 2; ++x) below[x] = 0;
        for (int x = 0; x < width; ++x) {
            const int v = grey[row + x] + here[x + 1];
            const int output = v >= 128 ? 255 : 0;
            const int e = v - output, right = e * 7 / 16, left = e * 3 / 16, down = e * 5 / 16;
            tone[row + x] = (unsigned char)output;
            here[x + 2] += right;
            below[x] += left;
            below[x + 1] += down;
            below[x + 2] += e - right - left - down;
        }
        int* swapped = here;
        here = below;
        below = swapped;
    }
}

extern "C" void error_diffusion(int pages, int height, int width, const unsigned char* grey, unsigned char* tone) {
    int* scratch = nullptr;
    cudaMalloc(&scratch, 2 * (size_t)pages * (width + 2) * sizeof(int));
    diffuse<<<(pages - 1) / kThreads + 1, kThreads>>>(pages, height, width, grey, tone, scratch);
    cudaFree(scratch);
}
