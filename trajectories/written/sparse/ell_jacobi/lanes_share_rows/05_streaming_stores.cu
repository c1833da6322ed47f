// Jacobi sweeps: four lanes for each row, and the matrix read past the caches' reusable part.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kLanes = 4;  // of a row

// What a slot subtracts; the value at `safe` is read in place of an empty one's.
__device__ float product(int c, float v, int safe, const float* old) {
    float x = __ldg(old + (c < 0 ? safe : c));
    return c < 0 ? 0.0f : v * x;
}

__global__ void sweep(int n, int width, bool wide, float damping, const int* column, const float* value, const float* diagonal,
                      const float* b, const float* old, float* x) {
    int r = (blockIdx.x * blockDim.x + threadIdx.x) / kLanes, lane = threadIdx.x % kLanes;
    float sum = 0.0f;
    if (r < n) {
        if (wide) {
            const int4* columns = reinterpret_cast<const int4*>(column + (size_t)r * width);
            const float4* values = reinterpret_cast<const float4*>(value + (size_t)r * width);
            for (int q = lane; q < width / 4; q += kLanes) {
                int4 c = __ldcs(columns + q);
                float4 v = __ldcs(values + q);
                sum += product(c.x, v.x, r, old) + product(c.y, v.y, r, old) + product(c.z, v.z, r, old) + product(c.w, v.w, r, old);
            }
        } else {
            for (int k = lane; k < width; k += kLanes)
                sum += product(column[(size_t)r * width + k], value[(size_t)r * width + k], r, old);
        }
    }
    for (int distance = kLanes / 2; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffffu, sum, distance, kLanes);
    if (r < n && lane == 0) x[r] = old[r] + damping * (b[r] - diagonal[r] * old[r] - sum) / diagonal[r];
}

extern "C" void ell_jacobi(int n, int width, int sweeps, float damping, const int* column, const float* value, const float* diagonal,
                           const float* b, float* x) {
    float* other = nullptr;
    cudaMalloc(&other, n * sizeof(float));
    float *from = x, *to = other;  // after each sweep they change places; with an odd number the start is moved, so that x is last
    if (sweeps % 2 == 1) {
        cudaMemcpyAsync(other, x, n * sizeof(float), cudaMemcpyDeviceToDevice);
        from = other, to = x;
    }
    bool wide = width % 4 == 0 && (reinterpret_cast<uintptr_t>(column) | reinterpret_cast<uintptr_t>(value)) % 16 == 0;
    for (int s = 0; s < sweeps; ++s) {
        sweep<<<(n + 256 / kLanes - 1) / (256 / kLanes), 256>>>(n, width, wide, damping, column, value, diagonal, b, from, to);
        float* swap = from;
        from = to, to = swap;
    }
    cudaFree(other);
}
