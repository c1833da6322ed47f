// Burgers' equation with limited slopes: cells and a rim of two are read from a tile in shared memory.
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

// One step of a tile whose cells and rim of two have been brought to shared memory; the speed of this thread's cell.
__device__ float step_cell(int height, int width, int left, int top, float ratio, const float* now, float* next) {
    __shared__ float tile[kDown + 4][kAcross + 4];
    for (int v = threadIdx.y; v < kDown + 4; v += kDown) {
        const int row = (top + v - 2 + 2 * height) % height;
        for (int u = threadIdx.x; u < kAcross + 4; u += kAcross) tile[v][u] = now[(size_t)row * width + (left + u - 2 + 2 * width) % width];
    }
    __syncthreads();
    const int x = left + threadIdx.x, y = top + threadIdx.y;
    if (x >= width || y >= height) return 0.0f;
    const float* c = &tile[threadIdx.y + 2][threadIdx.x + 2];
    constexpr int kPitch = kAcross + 4;
    const float across = limited_flux(c[-1], c[0], c[1], c[2]) - limited_flux(c[-2], c[-1], c[0], c[1]);
    const float below = limited_flux(c[-kPitch], c[0], c[kPitch], c[2 * kPitch]);
    const float down = below - limited_flux(c[-2 * kPitch], c[-kPitch], c[0], c[kPitch]);
    const float after = c[0] - ratio * (across + down);
    next[(size_t)y * width + x] = after;
    return fabsf(after);
}

__global__ void __launch_bounds__(kAcross* kDown)
    advance(int height, int width, float courant, const float* fastest, const float* now, float* next, float* fastest_next) {
    const float ratio = courant / fmaxf(kStill, *fastest);
    const float speed = step_cell(height, width, blockIdx.x * kAcross, blockIdx.y * kDown, ratio, now, next);
    take_fastest(threadIdx.y * kAcross + threadIdx.x, speed, fastest_next);
}

extern "C" void burgers_limited(int height, int width, int steps, float courant, float* u) {
    const size_t cells = (size_t)height * width;
    const dim3 block(kAcross, kDown), grid((width - 1) / kAcross + 1, (height - 1) / kDown + 1);
    float* other = nullptr;
    cudaMalloc(&other, (cells + steps + 1) * sizeof(float));
    float *fastest = other + cells, *now = u, *next = other;
    cudaMemsetAsync(fastest, 0, (steps + 1) * sizeof(float));
    find_fastest<<<(cells - 1) / 256 + 1, 256>>>(cells, u, fastest);
    for (int step = 0; step < steps; ++step) {
        advance<<<grid, block>>>(height, width, courant, fastest + step, now, next, fastest + step + 1);
        float* swap = now;
        now = next;
        next = swap;
    }
    if (now != u) cudaMemcpyAsync(u, now, cells * sizeof(float), cudaMemcpyDeviceToDevice);
    cudaFree(other);
}
