// Line of sight, one thread per observer and cell; lines are walked from the cell back to the observer.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 8;

__global__ void narrow(int size, const int* height, unsigned char* height8) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < size) height8[i] = (unsigned char)height[i];
}

__device__ bool sees(int columns, int eye, const unsigned char* height, int fromx, int fromy, int x, int y) {
    const int nx = x - fromx, ny = y - fromy, d = max(abs(nx), abs(ny));
    const int e = height[fromy * columns + fromx] + eye, rise = height[y * columns + x] - e;
    int column = x, row = y, error_x = d, error_y = d, limit = rise * d;  // errors stay in 0 .. 2 * d - 1
    for (int t = d - 1; t > 0; --t) {
        error_x -= 2 * nx;
        error_y -= 2 * ny;
        const int step_x = (error_x >= 2 * d) - (error_x < 0), step_y = (error_y >= 2 * d) - (error_y < 0);
        column += step_x;
        row += step_y;
        error_x -= step_x * 2 * d;
        error_y -= step_y * 2 * d;
        limit -= rise;
        if ((height[row * columns + column] - e) * d > limit) return false;
    }
    return true;
}

__global__ void look(int rows, int columns, int eye, const unsigned char* height, const int* ox, const int* oy,
                     unsigned char* visible) {
    int x = blockIdx.x * kBlockX + threadIdx.x, y = blockIdx.y * kBlockY + threadIdx.y, o = blockIdx.z;
    if (x >= columns || y >= rows) return;
    visible[((size_t)o * rows + y) * columns + x] = sees(columns, eye, height, ox[o], oy[o], x, y);
}

extern "C" void viewshed(int observers, int rows, int columns, int eye, const int* height, const int* ox,
                         const int* oy, unsigned char* visible) {
    dim3 grid((columns - 1) / kBlockX + 1, (rows - 1) / kBlockY + 1, observers);
    const int size = rows * columns;
    unsigned char* height8 = nullptr;
    cudaMalloc(&height8, size);
    narrow<<<(size - 1) / 256 + 1, 256>>>(size, height, height8);
    look<<<grid, dim3(kBlockX, kBlockY)>>>(rows, columns, eye, height8, ox, oy, visible);
    cudaFree(height8);
}
