#include <cuda_runtime.h>

__global__ void advance(int height, int width, float feed, float kill, const float* u, const float* v, float* next_u, float* next_v) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (long long)height * width) return;
    int y = (int)(i / width), x = (int)(i % width);
    long long row = (long long)y * width;
    long long up = (long long)((y + height - 1) % height) * width, down = (long long)((y + 1) % height) * width;
    int left = (x + width - 1) % width, right = (x + 1) % width;
    float a = u[i], b = v[i];
    float flow_u = u[up + x] + u[down + x] + u[row + left] + u[row + right] - 4.0f * a;
    float flow_v = v[up + x] + v[down + x] + v[row + left] + v[row + right] - 4.0f * b;
    float reaction = a * b * b;
    next_u[i] = a + 0.16f * flow_u - reaction + feed * (1.0f - a);
    next_v[i] = b + 0.08f * flow_v + reaction - (feed + kill) * b;
}

__global__ void copy_back(long long cells, const float* next_u, const float* next_v, float* u, float* v) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= cells) return;
    u[i] = next_u[i];
    v[i] = next_v[i];
}

extern "C" void reaction_diffusion(int height, int width, int steps, float feed, float kill, float* u, float* v) {
    if (height <= 0 || width <= 0 || steps <= 0) return;
    size_t cells = (size_t)height * width;
    float* scratch = nullptr;
    cudaMalloc(&scratch, 2 * cells * sizeof(float));
    unsigned blocks = (unsigned)((cells + 255) / 256);
    for (int step = 0; step < steps; ++step) {
        advance<<<blocks, 256>>>(height, width, feed, kill, u, v, scratch, scratch + cells);
        copy_back<<<blocks, 256>>>((long long)cells, scratch, scratch + cells, u, v);
    }
    cudaFree(scratch);
}
