// Line of sight, one thread per observer and cell.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 8;

__device__ int rounded(int numerator, int denominator) {  // nearest whole number, halves upwards
    int doubled = 2 * numerator + denominator, whole = doubled / (2 * denominator);
    return doubled % (2 * denominator) < 0 ? whole - 1 : whole;
}

__device__ bool sees(int columns, int eye, const int* height, int fromx, int fromy, int x, int y) {
    const int nx = x - fromx, ny = y - fromy, d = max(abs(nx), abs(ny));
    const int e = height[fromy * columns + fromx] + eye, rise = height[y * columns + x] - e;
    for (int t = 1; t < d; ++t) {
        int between = height[(fromy + rounded(t * ny, d)) * columns + fromx + rounded(t * nx, d)];
        if ((between - e) * d > rise * t) return false;
    }
    return true;
}

__global__ void look(int rows, int columns, int eye, const int* height, const int* ox, const int* oy,
                     unsigned char* visible) {
    int x = blockIdx.x * kBlockX + threadIdx.x, y = blockIdx.y * kBlockY + threadIdx.y, o = blockIdx.z;
    if (x >= columns || y >= rows) return;
    visible[((size_t)o * rows + y) * columns + x] = sees(columns, eye, height, ox[o], oy[o], x, y);
}

extern "C" void viewshed(int observers, int rows, int columns, int eye, const int* height, const int* ox,
                         const int* oy, unsigned char* visible) {
    dim3 grid((columns - 1) / kBlockX + 1, (rows - 1) / kBlockY + 1, observers);
    look<<<grid, dim3(kBlockX, kBlockY)>>>(rows, columns, eye, height, ox, oy, visible);
}
