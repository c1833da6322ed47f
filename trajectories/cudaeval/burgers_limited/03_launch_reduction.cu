// Burgers' equation with limited slopes: the speed stays on the device, one slot a step, all cleared at once; the host waits no more.
#include <cuda_runtime.h>

constexpr int kAcross = 32, kDown = 8;
constexpr float kStill = 1e-6f;  // the speed that a step assumes at least

__device__ float gentler(float a, float b) { return a * b <= 0.0f ? 0.0f : fabsf(a) < fabsf(b) ? a : b; }

__device__ float face_flux(float near, float far) {
    const float speed = fmaxf(fabsf(near), fabsf(far));
    return 0.25f * (near * near + far * far) - 0.5f * speed * (far - near);
}

__device__ int wrapped(int i, int count) { return i < 0 ? i + count : i < count ? i : i - count; }

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

__global__ void find_slopes(int height, int width, const float* u, float* across, float* down) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x >= width || y >= height) return;
    const size_t here = (size_t)y * width + x;
    const float own = u[here];
    across[here] = gentler(own - u[(size_t)y * width + wrapped(x - 1, width)], u[(size_t)y * width + wrapped(x + 1, width)] - own);
    down[here] = gentler(own - u[(size_t)wrapped(y - 1, height) * width + x], u[(size_t)wrapped(y + 1, height) * width + x] - own);
}

__global__ void find_fluxes(int height, int width, const float* u, const float* slope_x, const float* slope_y, float* across, float* down) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x >= width || y >= height) return;
    const size_t here = (size_t)y * width + x, right = (size_t)y * width + wrapped(x + 1, width);
    const size_t below = (size_t)wrapped(y + 1, height) * width + x;
    across[here] = face_flux(u[here] + 0.5f * slope_x[here], u[right] - 0.5f * slope_x[right]);
    down[here] = face_flux(u[here] + 0.5f * slope_y[here], u[below] - 0.5f * slope_y[below]);
}

__global__ void update(int height, int width, float courant, const float* fastest, const float* across, const float* down, float* u) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x >= width || y >= height) return;
    const size_t here = (size_t)y * width + x, left = (size_t)y * width + wrapped(x - 1, width);
    const size_t above = (size_t)wrapped(y - 1, height) * width + x;
    const float ratio = courant / fmaxf(kStill, *fastest);
    u[here] -= ratio * (across[here] - across[left] + down[here] - down[above]);
}

extern "C" void burgers_limited(int height, int width, int steps, float courant, float* u) {
    const size_t cells = (size_t)height * width;
    const dim3 block(kAcross, kDown), grid((width - 1) / kAcross + 1, (height - 1) / kDown + 1);
    float* scratch = nullptr;
    cudaMalloc(&scratch, (4 * cells + steps) * sizeof(float));
    float *across = scratch, *down = across + cells, *fastest = scratch + 4 * cells;
    float *slope_x = down + cells, *slope_y = slope_x + cells;
    cudaMemsetAsync(fastest, 0, steps * sizeof(float));
    for (int step = 0; step < steps; ++step) {
        find_fastest<<<(cells - 1) / 256 + 1, 256>>>(cells, u, fastest + step);
        find_slopes<<<grid, block>>>(height, width, u, slope_x, slope_y);
        find_fluxes<<<grid, block>>>(height, width, u, slope_x, slope_y, across, down);
        update<<<grid, block>>>(height, width, courant, fastest + step, across, down, u);
    }
    cudaFree(scratch);
}
