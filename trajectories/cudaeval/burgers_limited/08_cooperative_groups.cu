// Burgers' equation with limited slopes: all steps in one launch with barriers of the grid.
#include <cooperative_groups.h>
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

// All steps in one launch: blocks take tiles in turn, the grid waits after the first look at the speeds and after each step. Nothing
// is copied in the end: with an odd number of steps the first one reads a copy that the blocks made while they looked.
__global__ void __launch_bounds__(kAcross* kDown)
    advance_all(int height, int width, int steps, float courant, float* u, float* other, float* fastest) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const int thread = threadIdx.y * kAcross + threadIdx.x, tiles_x = (width - 1) / kAcross + 1, tiles_y = (height - 1) / kDown + 1;
    const size_t cells = (size_t)height * width;
    float speed = 0.0f;
    for (size_t i = (size_t)blockIdx.x * kAcross * kDown + thread; i < cells; i += (size_t)gridDim.x * kAcross * kDown) {
        const float value = u[i];
        speed = fmaxf(speed, fabsf(value));
        if (steps % 2 == 1) other[i] = value;
    }
    take_fastest(thread, speed, fastest);
    const float* now = steps % 2 == 1 ? other : u;
    float* next = steps % 2 == 1 ? u : other;
    for (int step = 0; step < steps; ++step) {
        grid.sync();
        const float ratio = courant / fmaxf(kStill, __ldcg(fastest + step));
        speed = 0.0f;
        for (int tile = blockIdx.x; tile < tiles_x * tiles_y; tile += gridDim.x) {
            __syncthreads();  // the tile before is done with
            speed = fmaxf(speed, step_cell(height, width, tile % tiles_x * kAcross, tile / tiles_x * kDown, ratio, now, next));
        }
        take_fastest(thread, speed, fastest + step + 1);
        now = next;
        next = now == u ? other : u;
    }
}

extern "C" void burgers_limited(int height, int width, int steps, float courant, float* u) {
    const size_t cells = (size_t)height * width;
    float* other = nullptr;
    cudaMalloc(&other, (cells + steps + 1) * sizeof(float));
    float* fastest = other + cells;
    cudaMemsetAsync(fastest, 0, (steps + 1) * sizeof(float));
    int device = 0, processors = 0, resident = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, advance_all, kAcross * kDown, 0);
    const size_t tiles = (size_t)((width - 1) / kAcross + 1) * ((height - 1) / kDown + 1), most = (size_t)processors * resident;
    void* args[] = {&height, &width, &steps, &courant, &u, &other, &fastest};
    cudaLaunchCooperativeKernel((void*)advance_all, dim3(tiles < most ? tiles : most), dim3(kAcross, kDown), args, 0, 0);
    cudaFree(other);
}
