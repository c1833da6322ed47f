// Burgers' equation with limited slopes: a kernel a phase; the host reads the largest speed and sets the step.
#include <cuda_runtime.h>

constexpr int kAcross = 32, kDown = 8;
constexpr float kStill = 1e-6f;  // the speed that a step assumes at least

__device__ float gentler(float a, float b) { return a * b <= 0.0f ? 0.0f : fabsf(a) < fabsf(b) ? a : b; }

__device__ float face_flux(float near, float far) {
    const float speed = fmaxf(fabsf(near), fabsf(far));
    return 0.25f * (near * near + far * far) - 0.5f * speed * (far - near);
}

__device__ int wrapped(int i, int count) { return i < 0 ? i + count : i < count ? i : i - count; }

__global__ void find_fastest(size_t cells, const float* u, float* fastest) {
    const size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
    if (i < cells) atomicMax(reinterpret_cast<int*>(fastest), __float_as_int(fabsf(u[i])));  // not negative: bits order as numbers do
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

__global__ void update(int height, int width, float ratio, const float* across, const float* down, float* u) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x >= width || y >= height) return;
    const size_t here = (size_t)y * width + x, left = (size_t)y * width + wrapped(x - 1, width);
    const size_t above = (size_t)wrapped(y - 1, height) * width + x;
    u[here] -= ratio * (across[here] - across[left] + down[here] - down[above]);
}

extern "C" void burgers_limited(int height, int width, int steps, float courant, float* u) {
    const size_t cells = (size_t)height * width;
    const dim3 block(kAcross, kDown), grid((width - 1) / kAcross + 1, (height - 1) / kDown + 1);
    float* scratch = nullptr;
    cudaMalloc(&scratch, (4 * cells + 1) * sizeof(float));
    float *across = scratch, *down = across + cells, *fastest = scratch + 4 * cells;
    float *slope_x = down + cells, *slope_y = slope_x + cells;
    for (int step = 0; step < steps; ++step) {
        cudaMemsetAsync(fastest, 0, sizeof(float));
        find_fastest<<<(cells - 1) / 256 + 1, 256>>>(cells, u, fastest);
        float speed = 0.0f;
        cudaMemcpy(&speed, fastest, sizeof(float), cudaMemcpyDeviceToHost);
        find_slopes<<<grid, block>>>(height, width, u, slope_x, slope_y);
        find_fluxes<<<grid, block>>>(height, width, u, slope_x, slope_y, across, down);
        update<<<grid, block>>>(height, width, courant / (speed > kStill ? speed : kStill), across, down, u);
    }
    cudaFree(scratch);
}
