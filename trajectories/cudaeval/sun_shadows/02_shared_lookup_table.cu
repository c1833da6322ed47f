// Hours of sun: the table of the sun's directions is staged in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kHighest = 1024;

// The sun's directions, which every cell goes through, stand in shared memory; a ray's place and height are counted on from step to step.
__global__ void count_hours(int rows, int cols, int hours, const int16_t* height, const int32_t* sun, uint8_t* lit) {
    extern __shared__ int way[];
    for (int i = threadIdx.x; i < 3 * hours; i += 256) way[i] = sun[i];
    __syncthreads();
    const int64_t cell = (int64_t)blockIdx.x * 256 + threadIdx.x;
    if (cell >= (int64_t)rows * cols) return;
    const int y = cell / cols, x = cell % cols, own = height[cell];
    int seen = 0;
    for (int h = 0; h < hours; ++h) {
        const int dy = way[3 * h], dx = way[3 * h + 1], rise = way[3 * h + 2];
        int down = dy, along = dx, up = rise;
        bool bright = true;
        while (bright) {
            const int v = y + (down >> 8), u = x + (along >> 8), ray = own + (up >> 4);
            if (v < 0 || u < 0 || v >= rows || u >= cols || ray >= kHighest) break;
            bright = height[(int64_t)v * cols + u] <= ray;
            down += dy;
            along += dx;
            up += rise;
        }
        seen += bright;
    }
    lit[cell] = seen;
}

extern "C" void sun_shadows(int rows, int cols, int hours, const int16_t* height, const int32_t* sun, uint8_t* lit) {
    const int64_t cells = (int64_t)rows * cols;
    count_hours<<<(int)((cells - 1) / 256 + 1), 256, 3 * hours * sizeof(int)>>>(rows, cols, hours, height, sun, lit);
}
