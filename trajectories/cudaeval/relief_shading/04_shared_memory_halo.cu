// Relief shading: slopes and skies read a tile of the ground with a rim of six in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kFar = 6;
constexpr int kAcross = 32, kDown = 8;

__device__ int held(int i, int count) { return min(max(i, 0), count - 1); }

__device__ float ground_at(int rows, int cols, const int16_t* height, int y, int x) {
    int sum = 0;
#pragma unroll
    for (int i = 0; i < 9; ++i) {
        const int weight = (i % 2 ? 2 : 1) + 3 * (i == 4);
        sum += weight * height[(size_t)held(y + i / 3 - 1, rows) * cols + held(x + i % 3 - 1, cols)];
    }
    return sum / 160.0f;
}

__global__ void find_ground(int rows, int cols, const int16_t* height, float* ground) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x >= cols || y >= rows) return;
    ground[(size_t)y * cols + x] = ground_at(rows, cols, height, y, x);
}

__device__ float lit(float gx, float gy) { return fmaxf(0.0f, 0.6f + 0.5f * gx + 0.5f * gy) / sqrtf(1.0f + gx * gx + gy * gy); }

// `cell` points to the cell in a grid with this pitch.
__device__ float sky_at(int rows, int cols, const float* cell, int pitch, int y, int x) {
    const float own = *cell;
    float sum = 0.0f;
#pragma unroll
    for (int way = 0; way < 9; ++way) {
        if (way == 4) continue;
        const int dy = way / 3 - 1, dx = way % 3 - 1;
        const float apart = dy != 0 && dx != 0 ? 1.41421356f : 1.0f;
        float steepest = 0.0f;
#pragma unroll
        for (int k = 1; k <= kFar; ++k) {
            const int v = y + k * dy, u = x + k * dx;
            if (v < 0 || u < 0 || v >= rows || u >= cols) break;
            steepest = fmaxf(steepest, (cell[k * (dy * pitch + dx)] - own) / (apart * k));
        }
        sum += 1.0f / (1.0f + steepest);
    }
    return sum / 8.0f;
}

constexpr int kPitch = kAcross + 2 * kFar, kLines = kDown + 2 * kFar;

// A tile with a rim of six; beyond the map it holds the nearest cells, which shades ask for and skies leave out.
__global__ void __launch_bounds__(kAcross* kDown) find_light(int rows, int cols, const float* ground, float* light) {
    __shared__ float tile[kLines * kPitch];
    const int left = blockIdx.x * kAcross - kFar, top = blockIdx.y * kDown - kFar;
    for (int i = threadIdx.y * kAcross + threadIdx.x; i < kLines * kPitch; i += kAcross * kDown) {
        tile[i] = ground[(size_t)held(top + i / kPitch, rows) * cols + held(left + i % kPitch, cols)];
    }
    __syncthreads();
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x >= cols || y >= rows) return;
    const float* cell = tile + (threadIdx.y + kFar) * kPitch + threadIdx.x + kFar;
    const float shade = lit(0.5f * (cell[1] - cell[-1]), 0.5f * (cell[kPitch] - cell[-kPitch]));
    light[(size_t)y * cols + x] = shade * sky_at(rows, cols, cell, kPitch, y, x);
}

extern "C" void relief_shading(int rows, int cols, const int16_t* height, float* light) {
    const dim3 block(kAcross, kDown), grid((cols - 1) / kAcross + 1, (rows - 1) / kDown + 1);
    const size_t cells = (size_t)rows * cols;
    float* ground = nullptr;
    cudaMalloc(&ground, 1 * cells * sizeof(float));
    find_ground<<<grid, block>>>(rows, cols, height, ground);
    find_light<<<grid, block>>>(rows, cols, ground, light);
    cudaFree(ground);
}
