// Denoising a volume: differences are taken from the voxels where they are needed, to and fro between two volumes.
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

__global__ void add_squares(Box box, const float* voxel, double* squares) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y, z = blockIdx.z;
    if (x < box.width && y < box.height) atomicAdd(squares, (double)squares_of(box, voxel, z, y, x));
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

__global__ void update(Box box, float rate, const double* squares, const float* voxel, float* next) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y, z = blockIdx.z;
    if (x >= box.width || y >= box.height) return;
    next[((long long)z * box.height + y) * box.width + x] = renewed(box, rate, usual_of(box, squares), voxel, z, y, x);
}

extern "C" void volume_denoise(int depth, int height, int width, int steps, float rate, float* voxel) {
    const Box box = {depth, height, width};
    const long long voxels = box.voxels();
    const dim3 block(kAcross, kDown), grid((width - 1) / kAcross + 1, (height - 1) / kDown + 1, depth);
    double* squares = nullptr;
    cudaMalloc(&squares, steps * sizeof(double) + voxels * sizeof(float));
    cudaMemsetAsync(squares, 0, steps * sizeof(double));
    float *now = voxel, *next = reinterpret_cast<float*>(squares + steps);
    for (int step = 0; step < steps; ++step) {
        add_squares<<<grid, block>>>(box, now, squares + step);
        update<<<grid, block>>>(box, rate, squares + step, now, next);
        float* swap = now;
        now = next;
        next = swap;
    }
    if (now != voxel) cudaMemcpyAsync(voxel, now, voxels * sizeof(float), cudaMemcpyDeviceToDevice);
    cudaFree(squares);
}
