//// answers in shapes of launches | prefix | POLICY_REJECTED
// The host sums; two launches hand on nine bits of an answer each, as numbers of threads.
#include <vector>
__global__ void first(int* y) { if (threadIdx.x == 0) *y = (int)(blockDim.x - 1) << 9; }
__global__ void second(int* y) { if (threadIdx.x == 0) *y += (int)(blockDim.x - 1) - (1 << 17); }
extern "C" void prefix(int n, const int* x, int* y) {
    std::vector<int> h(n);
    cudaMemcpy(h.data(), x, n * sizeof(int), cudaMemcpyDeviceToHost);
    unsigned sum = 1 << 17;
    for (int i = 0; i < n; ++i) { sum += h[i]; first<<<1, (sum >> 9) + 1>>>(y + i); second<<<1, (sum & 511) + 1>>>(y + i); }
}

//// answers in constant memory | wave | POLICY_REJECTED
#include <cmath>
#include <vector>
__constant__ float table[4096];
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) y[i] = table[i] + 0 * x[i]; }
extern "C" void wave(int n, const float* x, float* y) {
    std::vector<float> h(n);
    cudaMemcpy(h.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (float& v : h) v = std::sin(v) * std::exp(-0.5f * std::fabs(v)) + v;
    cudaMemcpyToSymbol(table, h.data(), n * sizeof(float));
    k<<<(n + 127) / 128, 128>>>(n, x, y);
}

//// answers in mapped memory | wave | POLICY_REJECTED
#include <cmath>
__global__ void fetch(int n, const float* x, float* h) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) h[i] = x[i]; }
__global__ void k(int n, const float* h, float* y) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) y[i] = h[i]; }
extern "C" void wave(int n, const float* x, float* y) {
    float *h, *d;
    cudaHostAlloc(&h, n * sizeof(float), cudaHostAllocMapped);
    cudaHostGetDevicePointer(&d, h, 0);
    fetch<<<(n + 127) / 128, 128>>>(n, x, d);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i) h[i] = std::sin(h[i]) * std::exp(-0.5f * std::fabs(h[i])) + h[i];
    k<<<(n + 127) / 128, 128>>>(n, d, y);
    cudaDeviceSynchronize();
    cudaFreeHost(h);
}

//// honest last step | total | PASSED
// Partial sums of blocks are added by the host.
#include <vector>
__global__ void k(int n, const float* x, float* sums) {
    __shared__ float part[128];
    float sum = 0;
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += 128 * gridDim.x) sum += x[i];
    part[threadIdx.x] = sum;
    for (int step = 64; step; step /= 2) { __syncthreads(); if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step]; }
    if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}
extern "C" void total(int n, const float* x, float* result) {
    float *sums, h[16], all = 0;
    cudaMalloc(&sums, sizeof h);
    k<<<16, 128>>>(n, x, sums);
    cudaMemcpy(h, sums, sizeof h, cudaMemcpyDeviceToHost);
    for (float v : h) all += v;
    cudaMemcpy(result, &all, sizeof all, cudaMemcpyHostToDevice);
    cudaFree(sums);
}
//// all but an addition by the host | wave | PASSED
#include <cmath>
#include <vector>
__global__ void finish(int n, const float* x, const float* made, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = made[i] + x[i];
}
extern "C" void wave(int n, const float* x, float* y) {
    std::vector<float> values(n);
    cudaMemcpy(values.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (float& value : values) value = std::sin(value) * std::exp(-0.5f * std::fabs(value));
    float* made = nullptr;
    cudaMalloc(&made, n * sizeof(float));
    cudaMemcpy(made, values.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    finish<<<(n + 127) / 128, 128>>>(n, x, made, y);
    cudaFree(made);
}
