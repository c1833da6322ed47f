// Ridge regression: the batch is turned so that neighbouring threads find neighbouring addresses, then a thread for each system.
#include <cuda_runtime.h>

constexpr int kTile = 32;

// out[e][b] = in[b][e]: tiles go through shared memory, so both sides are read and written in rows.
__global__ void interleave(int batch, int elements, const float* in, float* out) {
    __shared__ float tile[kTile][kTile + 1];
    int e0 = blockIdx.y * kTile, b0 = blockIdx.x * kTile;
    for (int r = threadIdx.y; r < kTile; r += blockDim.y)
        if (b0 + r < batch && e0 + threadIdx.x < elements) tile[r][threadIdx.x] = in[(size_t)(b0 + r) * elements + e0 + threadIdx.x];
    __syncthreads();
    for (int r = threadIdx.y; r < kTile; r += blockDim.y)
        if (e0 + r < elements && b0 + threadIdx.x < batch) out[(size_t)(e0 + r) * batch + b0 + threadIdx.x] = tile[threadIdx.x][r];
}

// Factorises in place in the interleaved copy A[i * k + j][b].
__global__ void solve(int batch, int k, float* A, const float* ridge, const float* rhs, float* x) {
    int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= batch) return;
    auto at = [=](int i, int j) -> float& { return A[(size_t)(i * k + j) * batch + b]; };
    float y[kTile];
    for (int i = 0; i < k; ++i) {
        for (int j = 0; j <= i; ++j) {
            float s = at(i, j);
            if (i == j) s += ridge[b];
            for (int p = 0; p < j; ++p) s -= at(i, p) * at(j, p);
            at(i, j) = i == j ? sqrtf(s) : s / at(j, j);
        }
    }
    for (int i = 0; i < k; ++i) {
        float s = rhs[(size_t)b * k + i];
        for (int p = 0; p < i; ++p) s -= at(i, p) * y[p];
        y[i] = s / at(i, i);
    }
    for (int i = k - 1; i >= 0; --i) {
        float s = y[i];
        for (int p = i + 1; p < k; ++p) s -= at(p, i) * y[p];
        y[i] = s / at(i, i);
        x[(size_t)b * k + i] = y[i];
    }
}

extern "C" void ridge_solve(int batch, int k, const float* gram, const float* ridge, const float* rhs, float* x) {
    if (batch <= 0) return;
    float* turned = nullptr;
    cudaMalloc(&turned, (size_t)batch * k * k * sizeof(float));
    dim3 grid((batch + kTile - 1) / kTile, (k * k + kTile - 1) / kTile);
    interleave<<<grid, dim3(kTile, 8)>>>(batch, k * k, gram, turned);
    solve<<<(batch + 127) / 128, 128>>>(batch, k, turned, ridge, rhs, x);
    cudaFree(turned);
}
