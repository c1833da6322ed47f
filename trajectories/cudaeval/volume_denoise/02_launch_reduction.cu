// Denoising a volume: the sums stay on the device, one a step, all cleared at once; the host waits no more.
#include <cuda_runtime.h>

constexpr int kAcross = 32, kDown = 8;

struct Box {
    int depth, height, width;
    __host__ __device__ long long voxels() const { return (long long)depth * height * width; }
};

__device__ float flow(float difference, float usual) { return difference / (1.0f + difference * difference / usual); }

__global__ void subtract(Box box, const float* voxel, float* east, float* south, float* below) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y, z = blockIdx.z;
    const long long plane = (long long)box.height * box.width, i = z * plane + (long long)y * box.width + x;
    if (x >= box.width || y >= box.height) return;
    const float own = voxel[i];
    east[i] = x + 1 < box.width ? voxel[i + 1] - own : 0.0f;
    south[i] = y + 1 < box.height ? voxel[i + box.width] - own : 0.0f;
    below[i] = z + 1 < box.depth ? voxel[i + plane] - own : 0.0f;
}

__global__ void add_squares(long long voxels, const float* east, const float* south, const float* below, double* squares) {
    const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    if (i < voxels) atomicAdd(squares, (double)(east[i] * east[i] + south[i] * south[i] + below[i] * below[i]));
}

__device__ float usual_of(Box box, const double* squares) { return (float)(*squares / box.voxels()) + 1e-6f; }

__global__ void limit(long long voxels, Box box, const double* squares, float* east, float* south, float* below) {
    const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    if (i >= voxels) return;
    const float usual = usual_of(box, squares);
    east[i] = flow(east[i], usual);
    south[i] = flow(south[i], usual);
    below[i] = flow(below[i], usual);
}

__global__ void update(Box box, float rate, const float* east, const float* south, const float* below, float* voxel) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y, z = blockIdx.z;
    const long long plane = (long long)box.height * box.width, i = z * plane + (long long)y * box.width + x;
    if (x >= box.width || y >= box.height) return;
    float change = east[i] + south[i] + below[i];
    if (x > 0) change -= east[i - 1];
    if (y > 0) change -= south[i - box.width];
    if (z > 0) change -= below[i - plane];
    voxel[i] += rate * change;
}

extern "C" void volume_denoise(int depth, int height, int width, int steps, float rate, float* voxel) {
    const Box box = {depth, height, width};
    const long long voxels = box.voxels();
    const dim3 block(kAcross, kDown), grid((width - 1) / kAcross + 1, (height - 1) / kDown + 1, depth);
    const int blocks = (int)((voxels - 1) / 256 + 1);
    double* squares = nullptr;
    cudaMalloc(&squares, steps * sizeof(double) + 3 * voxels * sizeof(float));
    float *east = reinterpret_cast<float*>(squares + steps), *south = east + voxels, *below = south + voxels;
    cudaMemsetAsync(squares, 0, steps * sizeof(double));
    for (int step = 0; step < steps; ++step) {
        subtract<<<grid, block>>>(box, voxel, east, south, below);
        add_squares<<<blocks, 256>>>(voxels, east, south, below, squares + step);
        limit<<<blocks, 256>>>(voxels, box, squares + step, east, south, below);
        update<<<grid, block>>>(box, rate, east, south, below, voxel);
    }
    cudaFree(squares);
}
