#include <cuda_runtime.h>
#include <utility>

constexpr int kDeep = 4;  // steps that a block makes between two visits to global memory
constexpr int kWidth = 56, kHeight = 24;  // cells that a block finishes
constexpr int kPitch = kWidth + 2 * kDeep, kRows = kHeight + 2 * kDeep;
constexpr int kThreadsX = 64, kThreadsY = 8;

__device__ int wrapped(int i, int n) {  // from -n to 2 n - 1, and beyond in grids smaller than the rim
    if (i < 0) i += n;
    if (i >= n) i -= n;
    return i >= 0 && i < n ? i : (i % n + n) % n;
}

// A tile and a rim of `deep` cells; in each of `deep` steps the part that is still right shrinks by one cell all around.
__global__ void __launch_bounds__(kThreadsX * kThreadsY)
    advance(int height, int width, int deep, float feed, float kill, const float* __restrict__ u, const float* __restrict__ v,
            float* __restrict__ next_u, float* __restrict__ next_v) {
    __shared__ float a[2][kRows][kPitch], b[2][kRows][kPitch];
    int left = blockIdx.x * kWidth - kDeep, top = blockIdx.y * kHeight - kDeep;
    for (int y = threadIdx.y; y < kRows; y += kThreadsY) {
        long long row = (long long)wrapped(top + y, height) * width;
        for (int x = threadIdx.x; x < kPitch; x += kThreadsX) {
            int column = wrapped(left + x, width);
            a[0][y][x] = u[row + column];
            b[0][y][x] = v[row + column];
        }
    }
    __syncthreads();
    int now = 0;
    for (int step = 1; step <= deep; ++step, now = 1 - now) {
        for (int y = step + threadIdx.y; y < kRows - step; y += kThreadsY) {
            for (int x = step + threadIdx.x; x < kPitch - step; x += kThreadsX) {
                float p = a[now][y][x], q = b[now][y][x], reaction = p * q * q;
                float flow_p = a[now][y - 1][x] + a[now][y + 1][x] + a[now][y][x - 1] + a[now][y][x + 1] - 4.0f * p;
                float flow_q = b[now][y - 1][x] + b[now][y + 1][x] + b[now][y][x - 1] + b[now][y][x + 1] - 4.0f * q;
                a[1 - now][y][x] = p + 0.16f * flow_p - reaction + feed * (1.0f - p);
                b[1 - now][y][x] = q + 0.08f * flow_q + reaction - (feed + kill) * q;
            }
        }
        __syncthreads();
    }
    for (int y = threadIdx.y; y < kHeight; y += kThreadsY) {
        for (int x = threadIdx.x; x < kWidth; x += kThreadsX) {
            int row = blockIdx.y * kHeight + y, column = blockIdx.x * kWidth + x;
            if (row >= height || column >= width) continue;
            next_u[(long long)row * width + column] = a[now][y + kDeep][x + kDeep];
            next_v[(long long)row * width + column] = b[now][y + kDeep][x + kDeep];
        }
    }
}

extern "C" void reaction_diffusion(int height, int width, int steps, float feed, float kill, float* u, float* v) {
    if (height <= 0 || width <= 0 || steps <= 0) return;
    size_t cells = (size_t)height * width;
    float* scratch = nullptr;
    cudaMalloc(&scratch, 2 * cells * sizeof(float));
    float *from_u = u, *from_v = v, *to_u = scratch, *to_v = scratch + cells;
    dim3 block(kThreadsX, kThreadsY), grid((width + kWidth - 1) / kWidth, (height + kHeight - 1) / kHeight);
    for (int done = 0; done < steps; done += kDeep) {
        int deep = steps - done < kDeep ? steps - done : kDeep;
        advance<<<grid, block>>>(height, width, deep, feed, kill, from_u, from_v, to_u, to_v);
        std::swap(from_u, to_u);
        std::swap(from_v, to_v);
    }
    if (from_u != u) {
        cudaMemcpyAsync(u, from_u, cells * sizeof(float), cudaMemcpyDeviceToDevice);
        cudaMemcpyAsync(v, from_v, cells * sizeof(float), cudaMemcpyDeviceToDevice);
    }
    cudaFree(scratch);
}
