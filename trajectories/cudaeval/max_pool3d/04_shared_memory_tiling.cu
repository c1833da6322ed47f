// Dilated pooling: a block reads the three slices of an output slice in order and keeps the largest of the three in shared memory.
#include <cuda_runtime.h>

constexpr int kThreads = 256, kMostDepth = 110;  // a plane takes up to 48 KiB

// The three places of a window along one axis. One that lies outside becomes the middle one, which never does and counts once or twice alike.
struct Window {
    int at[3];
};

__device__ Window window_of(int o, int depth) {
    const int middle = 2 * o + 2;
    return {{o > 0 ? middle - 3 : middle, middle, middle + 3 < depth ? middle + 3 : middle}};
}

// The outputs of one slice, from the largest values of its three input slices.
__device__ void pool_plane(int depth, int out, const float* plane, float* y) {
    for (int i = threadIdx.x; i < out * out; i += blockDim.x) {
        const Window rows = window_of(i / out, depth), columns = window_of(i % out, depth);
        float best = -INFINITY;
        for (int row : rows.at)
            for (int column : columns.at) best = fmaxf(best, plane[row * depth + column]);
        y[i] = best;
    }
}

// An output slice a block.
__global__ void pool_slices(int cubes, int depth, int out, const float* __restrict__ x, float* __restrict__ y) {
    extern __shared__ float plane[];
    const int area = depth * depth, oz = blockIdx.x;
    const Window slices = window_of(oz, depth);
    for (int cube = blockIdx.y; cube < cubes; cube += gridDim.y) {
        const float* own = x + (long long)cube * depth * area;
        const float *lower = own + slices.at[0] * area, *middle = own + slices.at[1] * area, *upper = own + slices.at[2] * area;
        for (int i = threadIdx.x; i < area; i += kThreads) plane[i] = fmaxf(fmaxf(lower[i], middle[i]), upper[i]);
        __syncthreads();
        pool_plane(depth, out, plane, y + ((long long)cube * out + oz) * out * out);
        __syncthreads();  // before the next cube's plane
    }
}

// For planes that do not fit into shared memory.
__global__ void pool_directly(int cubes, int depth, int out, const float* __restrict__ x, float* __restrict__ y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, line = i / out;
    if (line >= out * out) return;
    const int oz = line / out, oy = line - oz * out, ox = i - line * out;
    const Window slices = window_of(oz, depth), rows = window_of(oy, depth), columns = window_of(ox, depth);
    for (int cube = blockIdx.y; cube < cubes; cube += gridDim.y) {
        const float* own = x + (long long)cube * depth * depth * depth;
        float best = -INFINITY;
#pragma unroll
        for (int k = 0; k < 9; ++k) {
            const float* row = own + (slices.at[k / 3] * depth + rows.at[k % 3]) * depth;
            for (int column : columns.at) best = fmaxf(best, row[column]);
        }
        y[(long long)cube * out * out * out + i] = best;
    }
}

extern "C" void max_pool3d(int batch, int channels, int depth, const float* x, float* y) {
    const int cubes = batch * channels, out = (depth - 5) / 2 + 1;
    if (cubes < 1) return;
    const int rows = cubes < 65535 ? cubes : 65535;
    if (depth <= kMostDepth)
        pool_slices<<<dim3(out, rows), kThreads, sizeof(float) * depth * depth>>>(cubes, depth, out, x, y);
    else
        pool_directly<<<dim3((out * out * out - 1) / 128 + 1, rows), 128>>>(cubes, depth, out, x, y);
}
