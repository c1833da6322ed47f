#include <cuda_runtime.h>

__constant__ int down[8] = {0, 1, 1, 1, 0, -1, -1, -1};
__constant__ int right[8] = {1, 1, 0, -1, -1, -1, 0, 1};

__global__ void steepest_descent(int rows, int cols, const short* height, unsigned char* direction) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= rows || c >= cols) return;
    int steepest = 0, code = 0;
    for (int k = 0; k < 8; ++k) {
        int y = r + down[k], x = c + right[k];
        if (y < 0 || y >= rows || x < 0 || x >= cols) continue;
        int drop = height[(long long)r * cols + c] - height[(long long)y * cols + x];
        int slope = drop * (k % 2 ? 70 : 99);
        if (slope > steepest) {
            steepest = slope;
            code = 1 << k;
        }
    }
    direction[(long long)r * cols + c] = (unsigned char)code;
}

extern "C" void flow_direction(int rows, int cols, const short* height, unsigned char* direction) {
    if (rows > 0 && cols > 0)
        steepest_descent<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(rows, cols, height, direction);
}
