// Distance map: column distances are 16-bit numbers, and a block keeps its whole row of them in shared memory while it searches.
#include <cuda_runtime.h>

constexpr int kThreads = 64;
constexpr int kRowThreads = 512;
constexpr int kStrip = 64;
constexpr int kNone = 1 << 20;  // farther than any row

// ends[strip][x]: the first and the last row of the strip with a seed in column x; none: kNone and -kNone.
__global__ void find_ends(int height, int width, const int* label, int2* ends) {
    const int x = blockIdx.x * kThreads + threadIdx.x, top = blockIdx.y * kStrip;
    if (x >= width) return;
    int first = kNone, last = -kNone;
    for (int y = top; y < min(top + kStrip, height); ++y) {
        if (label[(size_t)y * width + x] != 0) continue;
        first = min(first, y);
        last = y;
    }
    ends[(size_t)blockIdx.y * width + x] = make_int2(first, last);
}

__global__ void measure_columns(int height, int width, const int* label, const int2* ends, unsigned short* up) {
    const int x = blockIdx.x * kThreads + threadIdx.x, top = blockIdx.y * kStrip, bottom = min(top + kStrip, height);
    if (x >= width) return;
    int above = -kNone, below = kNone;
    for (int s = (int)blockIdx.y - 1; s >= 0 && above < 0; --s) above = ends[(size_t)s * width + x].y;
    for (int s = blockIdx.y + 1; s < (int)gridDim.y && below == kNone; ++s) below = ends[(size_t)s * width + x].x;
    for (int y = top; y < bottom; ++y) {
        if (label[(size_t)y * width + x] == 0) above = y;
        up[(size_t)y * width + x] = min(y - above, height + width);
    }
    for (int y = bottom - 1; y >= top; --y) {
        const int best = up[(size_t)y * width + x];
        if (best == 0) below = y;
        if (below - y < best) up[(size_t)y * width + x] = below - y;
    }
}

__device__ int search(int x, int width, const unsigned short* row) {
    int best = row[x] * row[x];
    for (int d = 1; d * d < best; ++d) {
        if (x - d >= 0) best = min(best, d * d + row[x - d] * row[x - d]);
        if (x + d < width) best = min(best, d * d + row[x + d] * row[x + d]);
        if (x - d < 0 && x + d >= width) break;
    }
    return best;
}

__global__ void measure_rows(int width, const unsigned short* up, int* squared) {
    extern __shared__ unsigned short row[];
    const int y = blockIdx.x;
    for (int x = threadIdx.x; x < width; x += kRowThreads) row[x] = up[(size_t)y * width + x];
    __syncthreads();
    for (int x = threadIdx.x; x < width; x += kRowThreads) squared[(size_t)y * width + x] = search(x, width, row);
}

extern "C" void distance_map(int height, int width, const int* label, int* squared) {
    unsigned short* up = nullptr;
    const dim3 strips((width - 1) / kThreads + 1, (height - 1) / kStrip + 1);
    int2* ends = nullptr;
    cudaMalloc(&ends, (size_t)strips.y * width * sizeof(int2));
    cudaMalloc(&up, (size_t)height * width * sizeof(short));
    find_ends<<<strips, kThreads>>>(height, width, label, ends);
    measure_columns<<<strips, kThreads>>>(height, width, label, ends, up);
    measure_rows<<<height, kRowThreads, width * sizeof(short)>>>(width, up, squared);
    cudaFree(ends);
    cudaFree(up);
}
