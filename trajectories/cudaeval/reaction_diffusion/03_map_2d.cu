#include <cuda_runtime.h>
#include <utility>

__global__ void advance(int height, int width, float feed, float kill, const float* __restrict__ u, const float* __restrict__ v,
                        float* __restrict__ next_u, float* __restrict__ next_v) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    long long row = (long long)y * width, i = row + x;
    long long up = y == 0 ? (long long)(height - 1) * width : row - width, down = y == height - 1 ? 0 : row + width;
    int left = x == 0 ? width - 1 : x - 1, right = x == width - 1 ? 0 : x + 1;
    float a = u[i], b = v[i];
    float flow_u = u[up + x] + u[down + x] + u[row + left] + u[row + right] - 4.0f * a;
    float flow_v = v[up + x] + v[down + x] + v[row + left] + v[row + right] - 4.0f * b;
    float reaction = a * b * b;
    next_u[i] = a + 0.16f * flow_u - reaction + feed * (1.0f - a);
    next_v[i] = b + 0.08f * flow_v + reaction - (feed + kill) * b;
}

extern "C" void reaction_diffusion(int height, int width, int steps, float feed, float kill, float* u, float* v) {
    if (height <= 0 || width <= 0 || steps <= 0) return;
    size_t cells = (size_t)height * width;
    float* scratch = nullptr;
    cudaMalloc(&scratch, 2 * cells * sizeof(float));
    float *from_u = u, *from_v = v, *to_u = scratch, *to_v = scratch + cells;
    dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
    for (int step = 0; step < steps; ++step) {  // the two pairs of fields take turns
        advance<<<grid, block>>>(height, width, feed, kill, from_u, from_v, to_u, to_v);
        std::swap(from_u, to_u);
        std::swap(from_v, to_v);
    }
    if (from_u != u) {
        cudaMemcpyAsync(u, from_u, cells * sizeof(float), cudaMemcpyDeviceToDevice);
        cudaMemcpyAsync(v, from_v, cells * sizeof(float), cudaMemcpyDeviceToDevice);
    }
    cudaFree(scratch);
}
