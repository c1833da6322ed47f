// BFGS update: two launches, the second walking H from its end, which the L2 cache still holds.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kRows = 16;     // rows that a thread of the update walks down
constexpr int kBlock = 256;

__device__ float warp_sum(float value) {
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
    return value;
}

__device__ void multiply_row(int n, int row, bool wide, const float* H, const float* y, float* w) {
    int lane = threadIdx.x % 32;
    float acc = 0.0f;
    if (wide) {
        const float4* h = reinterpret_cast<const float4*>(H + (size_t)row * n);
        const float4* v = reinterpret_cast<const float4*>(y);
        for (int q = lane; q < n / 4; q += 32) {
            float4 a = h[q], b = v[q];
            acc += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
        }
    } else {
        for (int col = lane; col < n; col += 32) acc += H[(size_t)row * n + col] * y[col];
    }
    acc = warp_sum(acc);
    if (lane == 0) w[row] = acc;
}

// w = H y; the last block to finish also leaves the factor of s s^T behind.
__global__ void multiply(int n, float rho, bool wide, const float* H, const float* y, float* w, float* factor, unsigned* done) {
    __shared__ float part[kBlock];
    __shared__ bool last;
    int row = blockIdx.x * (kBlock / 32) + threadIdx.x / 32;
    if (row < n) multiply_row(n, row, wide, H, y, w);
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();  // the block's part of w is out before the block is counted
        last = atomicAdd(done, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    float sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += kBlock) sum += __ldcg(w + i) * y[i];  // written by other blocks, so not from L1
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int half = kBlock / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) *factor = rho * (1.0f + rho * part[0]);
}

__global__ void update_quads(int n, float rho, const float* s, const float* w, const float* factor, float* H) {
    int row = (gridDim.y - 1 - blockIdx.y) * kRows, quad = blockIdx.x * blockDim.x + threadIdx.x;
    if (quad >= n / 4) return;
    float4 sc = reinterpret_cast<const float4*>(s)[quad], wc = reinterpret_cast<const float4*>(w)[quad];
    float c = *factor;
    float4 u = make_float4(c * sc.x - rho * wc.x, c * sc.y - rho * wc.y, c * sc.z - rho * wc.z, c * sc.w - rho * wc.w);
    for (int r = row; r < min(row + kRows, n); ++r) {
        float4* place = reinterpret_cast<float4*>(H + (size_t)r * n) + quad;
        float4 h = *place;
        float a = s[r], b = rho * w[r];
        h.x += a * u.x - b * sc.x, h.y += a * u.y - b * sc.y, h.z += a * u.z - b * sc.z, h.w += a * u.w - b * sc.w;
        *place = h;
    }
}

__global__ void update(int n, float rho, const float* s, const float* w, const float* factor, float* H) {
    int row = (gridDim.y - 1 - blockIdx.y) * kRows, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= n) return;
    float along_w = rho * s[col], along_s = *factor * s[col] - rho * w[col];
    for (int r = row; r < min(row + kRows, n); ++r) H[(size_t)r * n + col] += s[r] * along_s - w[r] * along_w;
}

extern "C" void bfgs_update(int n, float rho, const float* s, const float* y, float* H) {
    float* w = nullptr;  // w, then the factor, then the count of finished blocks
    cudaMalloc(&w, (n + 2) * sizeof(float));
    unsigned* done = reinterpret_cast<unsigned*>(w + n + 1);
    cudaMemsetAsync(done, 0, sizeof(unsigned));
    // Rows of H start on 16-byte boundaries if H does and their length is a multiple of four.
    bool wide = n % 4 == 0 && (reinterpret_cast<uintptr_t>(H) | reinterpret_cast<uintptr_t>(s) | reinterpret_cast<uintptr_t>(y)) % 16 == 0;
    int bands = (n + kRows - 1) / kRows;
    multiply<<<(n + 7) / 8, kBlock>>>(n, rho, wide, H, y, w, w + n, done);
    if (wide)
        update_quads<<<dim3((n / 4 + 255) / 256, bands), 256>>>(n, rho, s, w, w + n, H);
    else
        update<<<dim3((n + 255) / 256, bands), 256>>>(n, rho, s, w, w + n, H);
    cudaFree(w);
}
