//// launches and arrays behind macros | count | PASSED
#define CEIL(a, b) (((a) + (b) - 1) / (b))
#define LAUNCH(kernel, n, threads, ...) do { kernel<<<CEIL(n, threads), threads>>>(__VA_ARGS__); } while (0)
#define TILE(type, name, length) __shared__ type name[length]
#define KERNEL __global__ void __launch_bounds__(64)
template <int T> KERNEL zero(int bins, int* counts) { for (int b = threadIdx.x; b < bins; b += T) counts[b] = 0; }
KERNEL add(int n, int bins, const int* keys, int* counts) {
    TILE(int, own, 64);
    TILE(volatile int, used, 1);
    for (int b = threadIdx.x; b < 64; b += 64) own[b] = 0;
    if (threadIdx.x == 0) used[0] = bins;
    __syncthreads();
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) atomicAdd(keys[i] < 64 ? own + keys[i] : counts + keys[i], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < used[0] && b < 64; b += 64) if (own[b]) atomicAdd(&counts[b], own[b]);
}
extern "C" void count(int n, int bins, const int* keys, int* counts) {
    LAUNCH(zero<32>, 1, 32, bins, counts);
    if (n > 0) LAUNCH(add, n, 64,
                      n, bins, keys, counts);
    else LAUNCH(zero<64>, 1, 64, bins, counts);
}
//// launches chosen by macros | affine | PASSED
#define CONFIG(g, b) <<<dim3(g), dim3(b), 0, cudaStreamPerThread>>>
#define CASE(T) case T: run<T> CONFIG((n + T - 1) / T, T) (n, a, x, y, z); break
#define CHECK(call) do { if ((call) != cudaSuccess) return; } while (0)
template <int T> __global__ void run(int n, float a, const float* x, const float* y, float* z) {
    const int i = blockIdx.x * T + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    switch (n > 300 ? 128 : 64) { CASE(128); CASE(64); default: break; }
    CHECK(cudaGetLastError());
    CHECK(cudaStreamSynchronize(cudaStreamPerThread));
}
//// launches by another name of a macro | total | PASSED
#ifndef RUN
#define RUN(kernel, blocks, ...) kernel<<<(blocks), 64>>>(n, ##__VA_ARGS__)
#endif
#define GO RUN
typedef void (*Kernel)(int, const float*, float*);
__device__ float found;
__global__ void clear(int n) { found = 0; }
__global__ void add(int n, const float* x, float* result) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    float v = i < n ? x[i] : 0;
    for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(~0u, v, o);
    if (!(threadIdx.x & 31)) atomicAdd(&found, v);
}
__global__ void give(int n, const float* x, float* result) { if (!threadIdx.x) *result = found; }
extern "C" void total(int n, const float* x, float* result) {
    RUN(clear, 1);
    GO(add, (n + 63) / 64, x, result);
    Kernel last = give;
    RUN(last, 1, x, result);
}
