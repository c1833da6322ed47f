// BFGS update: a warp for each row of H y, one block for the curvature, H in 16-byte pieces where rows allow it.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kRows = 16;     // rows that a thread of the update walks down
constexpr int kBlock = 1024;  // threads that sum the curvature

__device__ float warp_sum(float value) {
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
    return value;
}

__global__ void multiply(int n, bool wide, const float* H, const float* y, float* w) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= n) return;  // the same for all lanes of a warp
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

// The factor of s s^T, left at the end of the scratch array.
__global__ void curvature(int n, float rho, const float* y, const float* w, float* factor) {
    __shared__ float part[kBlock];
    float sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += kBlock) sum += w[i] * y[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int half = kBlock / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) *factor = rho * (1.0f + rho * part[0]);
}

__global__ void update_quads(int n, float rho, const float* s, const float* w, const float* factor, float* H) {
    int row = blockIdx.y * kRows, quad = blockIdx.x * blockDim.x + threadIdx.x;
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
    int row = blockIdx.y * kRows, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= n) return;
    float along_w = rho * s[col], along_s = *factor * s[col] - rho * w[col];
    for (int r = row; r < min(row + kRows, n); ++r) H[(size_t)r * n + col] += s[r] * along_s - w[r] * along_w;
}

extern "C" void bfgs_update(int n, float rho, const float* s, const float* y, float* H) {
    float* w = nullptr;  // w, then the factor
    cudaMalloc(&w, (n + 1) * sizeof(float));
    // Rows of H start on 16-byte boundaries if H does and their length is a multiple of four.
    bool wide = n % 4 == 0 && (reinterpret_cast<uintptr_t>(H) | reinterpret_cast<uintptr_t>(s) | reinterpret_cast<uintptr_t>(y)) % 16 == 0;
    int bands = (n + kRows - 1) / kRows;
    multiply<<<(n + 7) / 8, 256>>>(n, wide, H, y, w);
    curvature<<<1, kBlock>>>(n, rho, y, w, w + n);
    if (wide)
        update_quads<<<dim3((n / 4 + 255) / 256, bands), 256>>>(n, rho, s, w, w + n, H);
    else
        update<<<dim3((n + 255) / 256, bands), 256>>>(n, rho, s, w, w + n, H);
    cudaFree(w);
}
