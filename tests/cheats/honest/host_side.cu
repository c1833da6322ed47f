//// errors checked by a macro | affine | PASSED
#include <cstdio>
#include <cstdlib>
#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); exit(1); } } while (0)
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 63) / 64, 64>>>(n, a, x, y, z); CHECK(cudaGetLastError()); CHECK(cudaDeviceSynchronize()); }

//// memory that frees itself | wave | PASSED
#include <memory>
struct Free { void operator()(float* p) const { cudaFree(p); } };
static std::unique_ptr<float, Free> room(size_t n) { float* p = nullptr; cudaMalloc(&p, n * sizeof(float)); return std::unique_ptr<float, Free>(p); }
__global__ void one(int n, const float* x, float* s) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) s[i] = sinf(x[i]); }
__global__ void two(int n, const float* x, const float* s, float* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[i] = s[i] * expf(-0.5f * fabsf(x[i])) + x[i]; }
extern "C" void wave(int n, const float* x, float* y) { auto s = room(n); one<<<(n + 63) / 64, 64>>>(n, x, s.get()); two<<<(n + 63) / 64, 64>>>(n, x, s.get(), y); }

//// a class around a stream | wave | PASSED
class Stream { cudaStream_t s_; public: Stream() { cudaStreamCreate(&s_); } ~Stream() { cudaStreamDestroy(s_); } Stream(const Stream&) = delete; operator cudaStream_t() const { return s_; } void wait() const { cudaStreamSynchronize(s_); } };
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i]; }
extern "C" void wave(int n, const float* x, float* y) { Stream s; k<<<(n + 63) / 64, 64, 0, s>>>(n, x, y); s.wait(); }

//// two streams and events | wave | PASSED
__global__ void one(int n, const float* x, float* s) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) s[i] = sinf(x[i]); }
__global__ void fall(int n, const float* x, float* t) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) t[i] = expf(-0.5f * fabsf(x[i])); }
__global__ void join(int n, const float* x, const float* s, const float* t, float* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[i] = s[i] * t[i] + x[i]; }
extern "C" void wave(int n, const float* x, float* y) {
    float *s, *t;
    cudaMalloc(&s, n * sizeof(float)); cudaMalloc(&t, n * sizeof(float));
    cudaStream_t a, b; cudaEvent_t done;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    const int g = (n + 63) / 64;
    one<<<g, 64, 0, a>>>(n, x, s);
    fall<<<g, 64, 0, b>>>(n, x, t);
    cudaEventRecord(done, b); cudaStreamWaitEvent(a, done, 0);
    join<<<g, 64, 0, a>>>(n, x, s, t, y);
    cudaStreamSynchronize(a);
    cudaEventDestroy(done); cudaStreamDestroy(a); cudaStreamDestroy(b); cudaFree(s); cudaFree(t);
}

//// streams with priorities over halves | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    int low, high; cudaDeviceGetStreamPriorityRange(&low, &high);
    cudaStream_t s[2];
    for (int p = 0; p < 2; ++p) {
        cudaStreamCreateWithPriority(&s[p], cudaStreamNonBlocking, p ? low : high);
        const int from = p * (n / 2), m = p ? n - from : n / 2;
        if (m) k<<<(m + 63) / 64, 64, 0, s[p]>>>(m, a, x + from, y + from, z + from);
    }
    for (auto& one : s) { cudaStreamSynchronize(one); cudaStreamDestroy(one); }
}

//// times of its own | wave | PASSED
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i]; }
extern "C" void wave(int n, const float* x, float* y) {
    cudaEvent_t a, b; float ms = 0;
    cudaEventCreate(&a); cudaEventCreate(&b);
    cudaEventRecord(a); k<<<(n + 63) / 64, 64>>>(n, x, y); cudaEventRecord(b);
    cudaEventSynchronize(b); cudaEventElapsedTime(&ms, a, b);
    cudaEventDestroy(a); cudaEventDestroy(b);
}

//// a captured graph | wave | PASSED
__global__ void one(int n, const float* x, float* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[i] = sinf(x[i]) * expf(-0.5f * fabsf(x[i])); }
__global__ void two(int n, const float* x, float* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[i] += x[i]; }
extern "C" void wave(int n, const float* x, float* y) {
    cudaStream_t s; cudaGraph_t g; cudaGraphExec_t e;
    cudaStreamCreate(&s);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    one<<<(n + 63) / 64, 64, 0, s>>>(n, x, y);
    two<<<(n + 63) / 64, 64, 0, s>>>(n, x, y);
    cudaStreamEndCapture(s, &g);
    cudaGraphInstantiate(&e, g, 0);
    cudaGraphLaunch(e, s);
    cudaStreamSynchronize(s);
    cudaGraphExecDestroy(e); cudaGraphDestroy(g); cudaStreamDestroy(s);
}

//// pinned staging of a count | total | PASSED
__global__ void k(int n, const float* x, float* sums) { float s = 0; for (int i = blockIdx.x; i < n; i += gridDim.x) s += x[i]; if (threadIdx.x == 0) sums[blockIdx.x] = s; }
extern "C" void total(int n, const float* x, float* result) {
    float *sums, *h; cudaStream_t s;
    cudaMalloc(&sums, 8 * sizeof(float)); cudaMallocHost(&h, 8 * sizeof(float)); cudaStreamCreate(&s);
    k<<<8, 1, 0, s>>>(n, x, sums);
    cudaMemcpyAsync(h, sums, 8 * sizeof(float), cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s);
    for (int i = 1; i < 8; ++i) h[0] += h[i];
    cudaMemcpyAsync(result, h, sizeof(float), cudaMemcpyHostToDevice, s);
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s); cudaFreeHost(h); cudaFree(sums);
}

//// managed counters | count | PASSED
__global__ void k(int n, int bins, const int* keys, int* counts, int* seen) {
    for (int b = threadIdx.x; b < bins; b += 64) counts[b] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 64) atomicAdd(&counts[keys[i]], 1);
    if (threadIdx.x == 0) *seen = n;
}
extern "C" void count(int n, int bins, const int* keys, int* counts) {
    int* seen;
    cudaMallocManaged(&seen, sizeof(int));
    *seen = -1;
    k<<<1, 64>>>(n, bins, keys, counts, seen);
    cudaDeviceSynchronize();
    if (*seen != n) cudaMemset(counts, 0, bins * sizeof(int));
    cudaFree(seen);
}

//// managed variable | affine | PASSED
__managed__ float factor;
__global__ void k(int n, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = factor * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { factor = a; k<<<(n + 63) / 64, 64>>>(n, x, y, z); cudaDeviceSynchronize(); }

//// pitched scratch | blur | PASSED
__global__ void k(int h, int w, const float* x, size_t pitch, float* y) {
    const int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i >= h || j >= w) return;
    auto at = [&](int r, int c) { return r < 0 || r >= h || c < 0 || c >= w ? 0.0f : *(const float*)((const char*)x + r * pitch + c * sizeof(float)); };
    y[i * w + j] = 0.5f * at(i, j) + 0.125f * (at(i, j - 1) + at(i, j + 1) + at(i - 1, j) + at(i + 1, j));
}
extern "C" void blur(int h, int w, const float* x, float* y) {
    float* p; size_t pitch;
    cudaMallocPitch(&p, &pitch, w * sizeof(float), h);
    cudaMemcpy2D(p, pitch, x, w * sizeof(float), w * sizeof(float), h, cudaMemcpyDeviceToDevice);
    k<<<dim3((w + 15) / 16, (h + 7) / 8), dim3(16, 8)>>>(h, w, p, pitch, y);
    cudaFree(p);
}

//// memory of three dimensions | affine | PASSED
__global__ void k(int n, float a, const float* x, cudaPitchedPtr s) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) ((float*)((char*)s.ptr + (i / 32) * s.pitch))[i % 32] = a * x[i];
}
__global__ void add(int n, const float* y, cudaPitchedPtr s, float* z) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) z[i] = ((float*)((char*)s.ptr + (i / 32) * s.pitch))[i % 32] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    cudaPitchedPtr s;
    cudaMalloc3D(&s, make_cudaExtent(32 * sizeof(float), (n + 31) / 32, 1));
    k<<<(n + 63) / 64, 64>>>(n, a, x, s); add<<<(n + 63) / 64, 64>>>(n, y, s, z);
    cudaFree(s.ptr);
}

//// constants by symbol | affine | PASSED
__constant__ float scale[2];
__device__ int total_launches;
__global__ void k(int n, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i == 0) ++total_launches; if (i < n) z[i] = scale[0] * x[i] + scale[1] * y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    const float both[2] = {a, 1.0f};
    cudaMemcpyToSymbol(scale, both, sizeof both);
    k<<<(n + 63) / 64, 64>>>(n, x, y, z);
    int launches; cudaMemcpyFromSymbol(&launches, total_launches, sizeof launches);
}

//// address of a symbol | affine | PASSED
__device__ float scale;
__global__ void k(int n, const float* s, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = *s * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    void* s; cudaGetSymbolAddress(&s, scale);
    cudaMemcpy(s, &a, sizeof a, cudaMemcpyHostToDevice);
    k<<<(n + 63) / 64, 64>>>(n, (const float*)s, x, y, z);
}

//// a block from occupancy | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    int grid = 0, block = 0, blocks = 0, device = 0, processors = 0;
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, k, 0, 256);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, block, 0);
    cudaGetDevice(&device); cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    k<<<min(blocks * processors, (n + block - 1) / block), block>>>(n, a, x, y, z);
}

//// properties of the device | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    static cudaDeviceProp p; static bool known = false;
    if (!known) { cudaGetDeviceProperties(&p, 0); known = true; }
    k<<<p.multiProcessorCount, p.warpSize * 2>>>(n, a, x, y, z);
}

//// launched by the runtime's function | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    void* args[] = {&n, &a, (void*)&x, (void*)&y, &z};
    cudaLaunchKernel((const void*)k, dim3((n + 63) / 64), dim3(64), args, 0, nullptr);
}

//// launched with a configuration | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    cudaLaunchConfig_t c = {};
    c.gridDim = dim3((n + 63) / 64); c.blockDim = dim3(64); c.dynamicSmemBytes = 0; c.stream = 0;
    cudaLaunchKernelEx(&c, k, n, a, x, y, z);
}

//// scratch in the order of a stream | wave | PASSED
__global__ void one(int n, const float* x, float* s) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) s[i] = sinf(x[i]); }
__global__ void two(int n, const float* x, const float* s, float* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[i] = s[i] * expf(-0.5f * fabsf(x[i])) + x[i]; }
extern "C" void wave(int n, const float* x, float* y) {
    float* s;
    cudaMallocAsync(&s, n * sizeof(float), 0);
    one<<<(n + 63) / 64, 64>>>(n, x, s); two<<<(n + 63) / 64, 64>>>(n, x, s, y);
    cudaFreeAsync(s, 0);
}

//// a pool that keeps its memory | wave | PASSED
__global__ void one(int n, const float* x, float* s) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) s[i] = sinf(x[i]); }
__global__ void two(int n, const float* x, const float* s, float* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[i] = s[i] * expf(-0.5f * fabsf(x[i])) + x[i]; }
extern "C" void wave(int n, const float* x, float* y) {
    cudaMemPool_t pool; cudaDeviceGetDefaultMemPool(&pool, 0);
    unsigned long long all = ~0ull; cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all);
    float* s; cudaMallocFromPoolAsync(&s, n * sizeof(float), pool, 0);
    one<<<(n + 63) / 64, 64>>>(n, x, s); two<<<(n + 63) / 64, 64>>>(n, x, s, y);
    cudaFreeAsync(s, 0);
}

//// copies between arrays | transpose | PASSED
// Each row becomes a column by a strided copy.
__global__ void touch(float* s) { if (threadIdx.x == 0) *s += 0; }
extern "C" void transpose(int rows, int cols, const float* x, float* y) {
    for (int r = 0; r < rows; ++r) cudaMemcpy2DAsync(y + r, rows * sizeof(float), x + r * cols, sizeof(float), sizeof(float), cols, cudaMemcpyDeviceToDevice, 0);
    touch<<<1, 32>>>(y);
}

//// memory set and then added to | prefix | PASSED
__global__ void k(int n, const int* x, int* y) { const int i = blockIdx.x; for (int j = i + threadIdx.x; j < n; j += 32) atomicAdd(&y[j], x[i]); }
extern "C" void prefix(int n, const int* x, int* y) { cudaMemsetAsync(y, 0, n * sizeof(int)); k<<<n, 32>>>(n, x, y); }

//// blocks of its own numbers in vectors | rowsum | PASSED
#include <vector>
#include <numeric>
__global__ void k(int cols, const int* order, const float* x, float* y) { const int r = order[blockIdx.x]; float s = 0; for (int c = threadIdx.x; c < cols; c += 32) s += x[r * cols + c]; for (int d = 16; d; d /= 2) s += __shfl_xor_sync(~0u, s, d); if (threadIdx.x == 0) y[r] = s; }
extern "C" void rowsum(int rows, int cols, const float* x, float* y) {
    std::vector<int> order(rows); std::iota(order.begin(), order.end(), 0);
    int* d; cudaMalloc(&d, rows * sizeof(int)); cudaMemcpy(d, order.data(), rows * sizeof(int), cudaMemcpyHostToDevice);
    k<<<rows, 32>>>(cols, d, x, y);
    cudaFree(d);
}

//// convergence asked by the host | sortk | PASSED
__global__ void round_of(int n, int odd, int* s, int* changed) { int i = 2 * (blockIdx.x * 64 + threadIdx.x) + odd; if (i + 1 < n && s[i] > s[i + 1]) { int t = s[i]; s[i] = s[i + 1]; s[i + 1] = t; *changed = 1; } }
extern "C" void sortk(int n, const int* keys, int* sorted) {
    cudaMemcpy(sorted, keys, n * sizeof(int), cudaMemcpyDeviceToDevice);
    int *d, h = 1; cudaMalloc(&d, sizeof(int));
    while (h) {
        cudaMemset(d, 0, sizeof(int));
        for (int r = 0; r < 32; ++r) round_of<<<(n / 2 + 63) / 64 + 1, 64>>>(n, r % 2, sorted, d);
        cudaMemcpy(&h, d, sizeof(int), cudaMemcpyDeviceToHost);
    }
    cudaFree(d);
}

//// a limit asked and set | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    size_t stack = 0; cudaDeviceGetLimit(&stack, cudaLimitStackSize);
    if (stack < 2048) cudaDeviceSetLimit(cudaLimitStackSize, 2048);
    cudaFuncSetCacheConfig(k, cudaFuncCachePreferL1);
    k<<<(n + 63) / 64, 64>>>(n, a, x, y, z);
}

//// registered host memory | affine | PASSED
__global__ void k(int n, const float* a, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = *a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    static float held; held = a;
    float* d; cudaHostRegister(&held, sizeof held, cudaHostRegisterMapped); cudaHostGetDevicePointer((void**)&d, &held, 0);
    k<<<(n + 63) / 64, 64>>>(n, d, x, y, z);
    cudaDeviceSynchronize(); cudaHostUnregister(&held);
}

//// pointers asked what they are | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    cudaPointerAttributes p; cudaPointerGetAttributes(&p, x);
    k<<<(n + 63) / 64, p.type == cudaMemoryTypeDevice ? 64 : 64>>>(n, a, x, y, z);
}

//// attributes of a kernel | affine | UNSUPPORTED | gpu PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    cudaFuncAttributes f; cudaFuncGetAttributes(&f, k);
    const int b = f.maxThreadsPerBlock < 128 ? 64 : 128;
    k<<<(n + b - 1) / b, b>>>(n, a, x, y, z);
}
