// Dilated pooling: slices are read by quads, with as many threads as share them evenly.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kMostThreads = 256, kMostDepth = 110;  // a plane takes up to 48 KiB

// The three places of a window along one axis. One that lies outside becomes the middle one, which never does and counts once or twice alike.
struct Window {
    int at[3];
};

__device__ Window window_of(int o, int depth) {
    const int middle = 2 * o + 2;
    return {{o > 0 ? middle - 3 : middle, middle, middle + 3 < depth ? middle + 3 : middle}};
}

__device__ float4 larger(float4 a, float4 b) { return {fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z), fmaxf(a.w, b.w)}; }

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

// An output slice a block. Slices of an even depth consist of whole quads.
__global__ void pool_slices(int cubes, int depth, int out, const float4* __restrict__ x, float* __restrict__ y) {
    extern __shared__ float4 plane[];
    const int quads = depth * depth / 4, oz = blockIdx.x;
    const Window slices = window_of(oz, depth);
    for (int cube = blockIdx.y; cube < cubes; cube += gridDim.y) {
        const float4* own = x + (long long)cube * depth * quads;
        const float4 *lower = own + slices.at[0] * quads, *middle = own + slices.at[1] * quads, *upper = own + slices.at[2] * quads;
        for (int i = threadIdx.x; i < quads; i += blockDim.x) plane[i] = larger(larger(lower[i], middle[i]), upper[i]);
        __syncthreads();
        pool_plane(depth, out, (const float*)plane, y + ((long long)cube * out + oz) * out * out);
        __syncthreads();  // before the next cube's plane
    }
}

// For odd depths, and for planes that do not fit into shared memory.
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
    if (depth % 2 == 0 && depth <= kMostDepth && (uintptr_t)x % 16 == 0) {
        const int quads = depth * depth / 4, rounds = (quads - 1) / kMostThreads + 1, threads = (quads - 1) / rounds / 32 * 32 + 32;
        pool_slices<<<dim3(out, rows), threads, sizeof(float4) * quads>>>(cubes, depth, out, (const float4*)x, y);
    } else {
        pool_directly<<<dim3((out * out * out - 1) / 128 + 1, rows), 128>>>(cubes, depth, out, x, y);
    }
}
