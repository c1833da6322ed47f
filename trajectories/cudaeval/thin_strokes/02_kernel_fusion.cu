// Thinning: two images take turns, so that a pass is one launch that reads the one and writes the other.
#include <cuda_runtime.h>

#include <utility>

// The eight neighbours of a pixel as bits 0 (the upper one) to 7, clockwise.
__device__ unsigned neighbours(int height, int width, const unsigned char* image, int y, int x) {
    const int dy[8] = {-1, -1, 0, 1, 1, 1, 0, -1}, dx[8] = {0, 1, 1, 1, 0, -1, -1, -1};
    unsigned code = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        int row = y + dy[k], column = x + dx[k];
        if (row >= 0 && row < height && column >= 0 && column < width) code |= (unsigned)image[(long long)row * width + column] << k;
    }
    return code;
}

// Whether a one with these neighbours goes in this pass.
__device__ bool goes(unsigned code, int pass) {
    unsigned next = code >> 1 | (code & 1) << 7;
    int ones = __popc(code), rises = __popc(~code & next & 255u);
    unsigned first = pass == 0 ? 0x15u : 0x45u, second = pass == 0 ? 0x54u : 0x51u;
    return ones >= 2 && ones <= 6 && rises == 1 && (code & first) != first && (code & second) != second;
}

__global__ void thin(int height, int width, int pass, const unsigned char* image, unsigned char* next, int* busy) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    long long at = (long long)y * width + x;
    unsigned char pixel = image[at];
    bool gone = pixel && goes(neighbours(height, width, image, y, x), pass);
    next[at] = gone ? 0 : pixel;
    if (gone) *busy = 1;
}

extern "C" void thin_strokes(int height, int width, unsigned char* image) {
    if (height <= 0 || width <= 0) return;
    unsigned char *scratch = nullptr, *now = image;
    int* busy = nullptr;
    cudaMalloc(&scratch, (size_t)height * width);
    cudaMalloc(&busy, sizeof(int));
    unsigned char* next = scratch;
    dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
    for (int pass = 0, idle = 0; idle < 2; pass = 1 - pass) {
        int any = 0;
        cudaMemsetAsync(busy, 0, sizeof(int));
        thin<<<grid, block>>>(height, width, pass, now, next, busy);
        cudaMemcpy(&any, busy, sizeof(int), cudaMemcpyDeviceToHost);
        std::swap(now, next);
        idle = any ? 0 : idle + 1;
    }
    if (now != image) cudaMemcpyAsync(image, now, (size_t)height * width, cudaMemcpyDeviceToDevice);
    cudaFree(scratch);
    cudaFree(busy);
}
