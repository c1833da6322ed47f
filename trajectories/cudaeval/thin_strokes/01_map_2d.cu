// Thinning: one thread a pixel; a launch marks what goes, another one deletes it.
#include <cuda_runtime.h>

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

__global__ void mark(int height, int width, int pass, const unsigned char* image, unsigned char* doomed, int* busy) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    long long at = (long long)y * width + x;
    bool gone = image[at] && goes(neighbours(height, width, image, y, x), pass);
    doomed[at] = gone;
    if (gone) *busy = 1;
}

__global__ void erase(int height, int width, const unsigned char* doomed, unsigned char* image) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height && doomed[(long long)y * width + x]) image[(long long)y * width + x] = 0;
}

extern "C" void thin_strokes(int height, int width, unsigned char* image) {
    if (height <= 0 || width <= 0) return;
    unsigned char* doomed = nullptr;
    int* busy = nullptr;
    cudaMalloc(&doomed, (size_t)height * width);
    cudaMalloc(&busy, sizeof(int));
    dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
    for (int pass = 0, idle = 0; idle < 2; pass = 1 - pass) {
        int any = 0;
        cudaMemsetAsync(busy, 0, sizeof(int));
        mark<<<grid, block>>>(height, width, pass, image, doomed, busy);
        erase<<<grid, block>>>(height, width, doomed, image);
        cudaMemcpy(&any, busy, sizeof(int), cudaMemcpyDeviceToHost);
        idle = any ? 0 : idle + 1;
    }
    cudaFree(doomed);
    cudaFree(busy);
}
