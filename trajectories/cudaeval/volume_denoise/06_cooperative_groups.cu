// Denoising a volume: all steps in one launch with barriers of the grid.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

constexpr int kAcross = 32, kDown = 8;

struct Box {
    int depth, height, width;
    __host__ __device__ long long voxels() const { return (long long)depth * height * width; }
};

__device__ float flow(float difference, float usual) { return difference / (1.0f + difference * difference / usual); }

__device__ float usual_of(Box box, const double* squares) { return (float)(*squares / box.voxels()) + 1e-6f; }

// The squares of a voxel's differences to the three neighbours after it.
__device__ float squares_of(Box box, const float* voxel, int z, int y, int x) {
    const long long plane = (long long)box.height * box.width, i = z * plane + (long long)y * box.width + x;
    const float own = voxel[i], east = x + 1 < box.width ? voxel[i + 1] - own : 0.0f;
    const float south = y + 1 < box.height ? voxel[i + box.width] - own : 0.0f;
    const float below = z + 1 < box.depth ? voxel[i + plane] - own : 0.0f;
    return east * east + south * south + below * below;
}

// Adds the values of a block of 256 threads: by shuffles, then one atomic.
__device__ void add_block(double value, double* sum) {
    __shared__ double of_warp[kDown];
    for (int half = 16; half > 0; half /= 2) value += __shfl_down_sync(~0u, value, half);
    if (threadIdx.x == 0) of_warp[threadIdx.y] = value;
    __syncthreads();
    if (threadIdx.x > 0 || threadIdx.y > 0) return;
    for (int w = 1; w < kDown; ++w) value += of_warp[w];
    atomicAdd(sum, value);
}

// A voxel after the step.
__device__ float renewed(Box box, float rate, float usual, const float* voxel, int z, int y, int x) {
    const long long plane = (long long)box.height * box.width, i = z * plane + (long long)y * box.width + x;
    const float own = voxel[i];
    float change = 0.0f;
    if (x + 1 < box.width) change += flow(voxel[i + 1] - own, usual);
    if (y + 1 < box.height) change += flow(voxel[i + box.width] - own, usual);
    if (z + 1 < box.depth) change += flow(voxel[i + plane] - own, usual);
    if (x > 0) change += flow(voxel[i - 1] - own, usual);
    if (y > 0) change += flow(voxel[i - box.width] - own, usual);
    if (z > 0) change += flow(voxel[i - plane] - own, usual);
    return own + rate * change;
}

// All steps in one launch: blocks take tiles in turn; the grid waits when squares are added and when voxels are renewed.
__global__ void __launch_bounds__(kAcross* kDown) denoise(Box box, int steps, float rate, double* squares, float* voxel, float* other) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const int across = (box.width - 1) / kAcross + 1, down = (box.height - 1) / kDown + 1, tiles = across * down * box.depth;
    float *now = voxel, *next = other;
    for (int step = 0; step < steps; ++step) {
        double sum = 0.0;
        for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            const int x = tile % across * kAcross + threadIdx.x, y = tile / across % down * kDown + threadIdx.y;
            if (x < box.width && y < box.height) sum += squares_of(box, now, tile / across / down, y, x);
        }
        add_block(sum, squares + step);
        grid.sync();
        const float usual = usual_of(box, squares + step);
        for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            const int x = tile % across * kAcross + threadIdx.x, y = tile / across % down * kDown + threadIdx.y, z = tile / across / down;
            if (x >= box.width || y >= box.height) continue;
            next[((long long)z * box.height + y) * box.width + x] = renewed(box, rate, usual, now, z, y, x);
        }
        grid.sync();
        float* swap = now;
        now = next;
        next = swap;
    }
    if (now == voxel) return;
    const long long threads = (long long)gridDim.x * kAcross * kDown;
    for (long long i = ((long long)blockIdx.x * kDown + threadIdx.y) * kAcross + threadIdx.x; i < box.voxels(); i += threads) {
        voxel[i] = now[i];
    }
}

extern "C" void volume_denoise(int depth, int height, int width, int steps, float rate, float* voxel) {
    Box box = {depth, height, width};
    const long long voxels = box.voxels();
    double* squares = nullptr;
    cudaMalloc(&squares, steps * sizeof(double) + voxels * sizeof(float));
    cudaMemsetAsync(squares, 0, steps * sizeof(double));
    float* other = reinterpret_cast<float*>(squares + steps);
    int device = 0, processors = 0, resident = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, denoise, kAcross * kDown, 0);
    const long long tiles = (long long)((width - 1) / kAcross + 1) * ((height - 1) / kDown + 1) * depth;
    const long long most = (long long)processors * resident;
    void* args[] = {&box, &steps, &rate, &squares, &voxel, &other};
    cudaLaunchCooperativeKernel((void*)denoise, dim3(tiles < most ? tiles : most), dim3(kAcross, kDown), args, 0, 0);
    cudaFree(squares);
}
