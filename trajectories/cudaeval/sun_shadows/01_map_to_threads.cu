// Hours of sun: a thread a cell follows a ray to each place of the sun.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kHighest = 1024;

__global__ void count_hours(int rows, int cols, int hours, const int16_t* height, const int32_t* sun, uint8_t* lit) {
    const int64_t cell = (int64_t)blockIdx.x * 256 + threadIdx.x;
    if (cell >= (int64_t)rows * cols) return;
    const int y = cell / cols, x = cell % cols, own = height[cell];
    int seen = 0;
    for (int h = 0; h < hours; ++h) {
        const int* s = sun + 3 * h;
        bool bright = true;
        for (int step = 1; bright; ++step) {
            const int v = y + ((step * s[0]) >> 8), u = x + ((step * s[1]) >> 8), ray = own + ((step * s[2]) >> 4);
            if (v < 0 || u < 0 || v >= rows || u >= cols || ray >= kHighest) break;
            bright = height[(int64_t)v * cols + u] <= ray;
        }
        seen += bright;
    }
    lit[cell] = seen;
}

extern "C" void sun_shadows(int rows, int cols, int hours, const int16_t* height, const int32_t* sun, uint8_t* lit) {
    const int64_t cells = (int64_t)rows * cols;
    count_hours<<<(int)((cells - 1) / 256 + 1), 256>>>(rows, cols, hours, height, sun, lit);
}
