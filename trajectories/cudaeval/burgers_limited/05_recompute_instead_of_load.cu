// Burgers' equation with limited slopes: a cell computes its four fluxes itself; the state goes to and fro between two arrays.
#include <cuda_runtime.h>

constexpr int kAcross = 32, kDown = 8;
constexpr float kStill = 1e-6f;  // the speed that a step assumes at least

__device__ float gentler(float a, float b) { return a * b <= 0.0f ? 0.0f : fabsf(a) < fabsf(b) ? a : b; }

__device__ float face_flux(float near, float far) {
    const float speed = fmaxf(fabsf(near), fabsf(far));
    return 0.25f * (near * near + far * far) - 0.5f * speed * (far - near);
}

// Flux between the second and the third of four cells in a row.
__device__ float limited_flux(float a, float b, float c, float d) {
    return face_flux(b + 0.5f * gentler(b - a, c - b), c - 0.5f * gentler(c - b, d - c));
}

// The largest speed of a block; one atomic for all its threads. Speeds are not negative, so their bits order as they do.
__device__ void take_fastest(int thread, float speed, float* fastest) {
    __shared__ float of_warp[8];
    for (int half = 16; half > 0; half /= 2) speed = fmaxf(speed, __shfl_xor_sync(~0u, speed, half));
    if (thread % 32 == 0) of_warp[thread / 32] = speed;
    __syncthreads();
    if (thread > 0) return;
    for (int w = 1; w < 8; ++w) speed = fmaxf(speed, of_warp[w]);
    atomicMax(reinterpret_cast<int*>(fastest), __float_as_int(speed));
}

__global__ void find_fastest(size_t cells, const float* u, float* fastest) {
    const size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
    take_fastest(threadIdx.x, i < cells ? fabsf(u[i]) : 0.0f, fastest);
}

__global__ void advance(int height, int width, float courant, const float* fastest, const float* u, float* next) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x >= width || y >= height) return;
    float row[5], column[5];
    for (int k = 0; k < 5; ++k) {
        row[k] = u[(size_t)y * width + (x + k - 2 + 2 * width) % width];
        column[k] = u[(size_t)((y + k - 2 + 2 * height) % height) * width + x];
    }
    const float across = limited_flux(row[1], row[2], row[3], row[4]) - limited_flux(row[0], row[1], row[2], row[3]);
    const float down = limited_flux(column[1], column[2], column[3], column[4]) - limited_flux(column[0], column[1], column[2], column[3]);
    const float ratio = courant / fmaxf(kStill, *fastest), now = row[2] - ratio * (across + down);
    next[(size_t)y * width + x] = now;
}

extern "C" void burgers_limited(int height, int width, int steps, float courant, float* u) {
    const size_t cells = (size_t)height * width;
    const dim3 block(kAcross, kDown), grid((width - 1) / kAcross + 1, (height - 1) / kDown + 1);
    float* other = nullptr;
    cudaMalloc(&other, (cells + steps + 1) * sizeof(float));
    float *fastest = other + cells, *now = u, *next = other;
    cudaMemsetAsync(fastest, 0, (steps + 1) * sizeof(float));
    for (int step = 0; step < steps; ++step) {
        find_fastest<<<(cells - 1) / 256 + 1, 256>>>(cells, now, fastest + step);
        advance<<<grid, block>>>(height, width, courant, fastest + step, now, next);
        float* swap = now;
        now = next;
        next = swap;
    }
    if (now != u) cudaMemcpyAsync(u, now, cells * sizeof(float), cudaMemcpyDeviceToDevice);
    cudaFree(other);
}
