// Local mean threshold in one pass: a block walks down a strip, scans each row and keeps a ring of window sums on chip.
#include <cuda_runtime.h>

constexpr int kOutputs = 256, kMargin = 32;  // the radius is at most 31
constexpr int kScanned = kOutputs + 2 * kMargin;
constexpr int kRing = 63;    // rows of a window at most
constexpr int kStrip = 128;  // rows per block

__device__ unsigned char is_ink(int value, int area, int sum, int bias) {
    return 100 * value * area < (100 - bias) * sum;
}

// Two alternating buffers: a row's totals may still be read while the next row's are written.
struct Totals {
    int running[2][kScanned], warp_total[2][kScanned / 32];
};

__device__ int window_sum(int value, int buffer, int radius, Totals& totals) {
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int total = value;
    for (int distance = 1; distance < 32; distance *= 2) {
        const int before = __shfl_up_sync(0xffffffffu, total, distance);
        if (lane >= distance) total += before;
    }
    if (lane == 31) totals.warp_total[buffer][warp] = total;
    __syncthreads();
    for (int w = 0; w < warp; ++w) total += totals.warp_total[buffer][w];
    totals.running[buffer][t] = total;
    __syncthreads();
    const bool owner = t >= kMargin && t < kMargin + kOutputs;
    return owner ? totals.running[buffer][t + radius] - totals.running[buffer][t - radius - 1] : 0;
}

__global__ void threshold(int height, int width, int radius, int bias, const unsigned char* page, unsigned char* ink) {
    __shared__ Totals totals;
    __shared__ unsigned short ring[kRing][kOutputs];
    const int t = threadIdx.x, x = blockIdx.x * kOutputs + t - kMargin;
    const bool owner = t >= kMargin && t < kMargin + kOutputs;
    const int y0 = blockIdx.y * kStrip, y_end = min(y0 + kStrip, height), window = 2 * radius + 1;
    const int columns = min(x + radius, width - 1) - max(x - radius, 0) + 1;
    int sum = 0;
    for (int v = y0 - radius; v < y_end + radius; ++v) {  // row v enters, row v - window leaves
        const int value = v >= 0 && v < height && x >= 0 && x < width ? page[(size_t)v * width + x] : 0;
        const int entering = window_sum(value, v & 1, radius, totals);
        if (!owner) continue;
        unsigned short* kept = &ring[(v + kRing) % window][t - kMargin];
        if (v - window >= y0 - radius) sum -= *kept;
        *kept = (unsigned short)entering;
        sum += entering;
        const int y = v - radius;
        if (y < y0 || x >= width) continue;
        const int rows = min(y + radius, height - 1) - max(y - radius, 0) + 1;
        const size_t i = (size_t)y * width + x;
        ink[i] = is_ink(page[i], rows * columns, sum, bias);
    }
}

extern "C" void local_threshold(int height, int width, int radius, int bias, const unsigned char* page,
                                unsigned char* ink) {
    dim3 grid((width - 1) / kOutputs + 1, (height - 1) / kStrip + 1);
    threshold<<<grid, kScanned>>>(height, width, radius, bias, page, ink);
}
