// Dilated pooling: every third output slice shares an input slice with the one before, which threads keep in registers.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kQuads = 2, kChain = 4, kMostDepth = 76;  // quads of a thread, output slices of a block; two planes take up to 48 KiB

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

// A block takes up to kChain output slices, three apart: the last input slice of one is the first of the next. Two planes take turns, so
// that one barrier a slice is enough. Slices of an even depth consist of whole quads.
__global__ void pool_chains(int cubes, int depth, int out, const float4* __restrict__ x, float* __restrict__ y) {
    extern __shared__ float4 planes[];
    const int quads = depth * depth / 4, first = blockIdx.x / 3 * (3 * kChain) + blockIdx.x % 3;
    if (first >= out) return;
    for (int cube = blockIdx.y; cube < cubes; cube += gridDim.y) {
        const float4* own = x + (long long)cube * depth * quads;
        const float4* lower = own + window_of(first, depth).at[0] * quads;
        float4 kept[kQuads];
#pragma unroll
        for (int k = 0; k < kQuads; ++k)
            if (threadIdx.x + k * blockDim.x < quads) kept[k] = lower[threadIdx.x + k * blockDim.x];
        for (int oz = first, turn = 0; oz < out && turn < kChain; oz += 3, ++turn) {
            const Window slices = window_of(oz, depth);
            const float4 *middle = own + slices.at[1] * quads, *upper = own + slices.at[2] * quads;
            float4* plane = planes + turn % 2 * quads;
#pragma unroll
            for (int k = 0; k < kQuads; ++k) {
                const int i = threadIdx.x + k * blockDim.x;
                if (i >= quads) continue;
                const float4 next = upper[i];
                plane[i] = larger(larger(kept[k], middle[i]), next);
                kept[k] = next;
            }
            __syncthreads();
            pool_plane(depth, out, (const float*)plane, y + ((long long)cube * out + oz) * out * out);
        }
        __syncthreads();  // before the next cube's planes
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
        const int quads = depth * depth / 4, groups = (out - 1) / (3 * kChain) + 1, threads = max(64, (quads - 1) / kQuads / 32 * 32 + 32);
        pool_chains<<<dim3(3 * groups, rows), threads, 2 * sizeof(float4) * quads>>>(cubes, depth, out, (const float4*)x, y);
    } else {
        pool_directly<<<dim3((out * out * out - 1) / 128 + 1, rows), 128>>>(cubes, depth, out, x, y);
    }
}
