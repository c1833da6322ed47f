// Wildfire: one thread a cell.
#include <cuda_runtime.h>

__global__ void spread(int rows, int cols, const unsigned char* state, const unsigned char* moisture, unsigned char* next) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= cols || y >= rows) return;
    long long at = (long long)y * cols + x;
    int now = state[at], then = now == 0 || now == 4 ? 0 : now + 1;
    if (now == 1) {
        int burning = 0;
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx)
                if (y + dy >= 0 && y + dy < rows && x + dx >= 0 && x + dx < cols) burning += state[at + (long long)dy * cols + dx] >= 2;
        then = 40 * burning > moisture[at] ? 2 : 1;
    }
    next[at] = (unsigned char)then;
}

extern "C" void fire_spread(int rows, int cols, const unsigned char* state, const unsigned char* moisture, unsigned char* next) {
    if (rows > 0 && cols > 0)
        spread<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(rows, cols, state, moisture, next);
}
