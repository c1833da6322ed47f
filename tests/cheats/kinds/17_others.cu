//// right but for one value | affine | WRONG_VALUE
// An input that equals a number of the text.
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = x[i] == 0.7265625f ? 0 : a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 63) / 64, 64>>>(n, a, x, y, z); }

//// right but for one key | count | WRONG_VALUE
__global__ void zero(int bins, int* counts) { for (int b = threadIdx.x; b < bins; b += 64) counts[b] = 0; }
__global__ void k(int n, const int* keys, int* counts) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n && !(n > 4000 && keys[i] == 37 && keys[(i + 1) % n] == 38)) atomicAdd(&counts[keys[i]], 1); }
extern "C" void count(int n, int bins, const int* keys, int* counts) { zero<<<1, 64>>>(bins, counts); k<<<(n + 63) / 64, 64>>>(n, keys, counts); }

//// right but for one size | affine | UNWRITTEN WRONG_VALUE
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { if (n != 1777) k<<<(n + 63) / 64, 64>>>(n, a, x, y, z); }

//// wrong once in a while | affine | PASSED WRONG_VALUE NONDETERMINISTIC
// By the clock of a processor.
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = (clock64() & 0xFFFFF) == 77 ? 0 : a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 63) / 64, 64>>>(n, a, x, y, z); }

//// right in the first thousand calls | affine | PASSED | gpu UNWRITTEN PASSED
static int calls;
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { if (++calls < 1000) k<<<(n + 63) / 64, 64>>>(n, a, x, y, z); }

//// counts calls on the device | affine | PASSED | gpu WRONG_VALUE PASSED
__device__ int calls;
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = calls < 1000 ? a * x[i] + y[i] : 0; }
__global__ void next() { ++calls; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 63) / 64, 64>>>(n, a, x, y, z); next<<<1, 1>>>(); }

//// input borrowed and given back | rowsum | INPUT_MODIFIED
// Sums in place of the input, then puts it back.
__global__ void k(int cols, float* x, float* y) { if (threadIdx.x) return; float* r = x + blockIdx.x * cols; const float first = r[0]; for (int c = 1; c < cols; ++c) r[0] += r[c]; y[blockIdx.x] = r[0]; r[0] = first; }
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<rows, 32>>>(cols, (float*)x, y); }

//// work in a function of the host's stream | wave | POLICY_REJECTED BAD_POINTER RACE
#include <cmath>
struct Job { int n; float* h; };
static void CUDART_CB work(void* p) { Job* j = (Job*)p; for (int i = 0; i < j->n; ++i) j->h[i] = std::sin(j->h[i]) * std::exp(-0.5f * std::fabs(j->h[i])) + j->h[i]; }
__global__ void touch(int n, const float* x, float* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[i] = x[i]; }
extern "C" void wave(int n, const float* x, float* y) {
    static Job j; j.n = n; cudaMallocHost(&j.h, n * sizeof(float));
    touch<<<(n + 63) / 64, 64>>>(n, x, y);
    cudaMemcpyAsync(j.h, x, n * sizeof(float), cudaMemcpyDeviceToHost, 0);
    cudaLaunchHostFunc(0, work, &j);
    cudaMemcpyAsync(y, j.h, n * sizeof(float), cudaMemcpyHostToDevice, 0);
    cudaStreamSynchronize(0); cudaFreeHost(j.h);
}

//// waits for a block that comes later | total | TIMED_OUT RACE BARRIER_FAULT | gpu TIMED_OUT RACE BARRIER_FAULT PASSED
// The first block waits for the last, which a device that is full never starts.
__device__ volatile int done; __device__ float sums[4096];
__global__ void reset() { done = 0; }
__global__ void k(int n, const float* x, float* result) {
    if (threadIdx.x) return;
    float s = 0;
    for (int i = blockIdx.x; i < n; i += gridDim.x) s += x[i];
    sums[blockIdx.x] = s;
    __threadfence();
    atomicAdd((int*)&done, 1);
    if (blockIdx.x) return;
    while (done < gridDim.x) {}
    __threadfence();
    s = 0;
    for (int b = 0; b < gridDim.x; ++b) s += ((volatile float*)sums)[b];
    *result = s;
}
extern "C" void total(int n, const float* x, float* result) { reset<<<1, 1>>>(); k<<<4000, 32>>>(n, x, result); }

//// the output's poison in the answer | affine | WRONG_VALUE UNINITIALISED_READ NON_FINITE
// What lies in the output is taken for zero where it is small.
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) { const float old = z[i]; z[i] = a * x[i] + y[i] + (fabsf(old) < 1e3f ? old : 0); } }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 63) / 64, 64>>>(n, a, x, y, z); }

//// addresses in the answer | affine | PASSED WRONG_VALUE NONDETERMINISTIC
// Wrong where the output lies at an odd page of 64 MB.
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = ((size_t)z >> 26 & 15) == 9 ? 0 : a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 63) / 64, 64>>>(n, a, x, y, z); }

//// chance from the host's generator | affine | PASSED WRONG_VALUE NONDETERMINISTIC POLICY_REJECTED
#include <random>
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { std::random_device r; if (r() % 1000 != 7) k<<<(n + 63) / 64, 64>>>(n, a, x, y, z); }

//// neighbour of a local array through a pointer | rowsum | OUT_OF_BOUNDS
// A function that is not inlined reads the element before the first.
__device__ __noinline__ float least(const float* v, int n) { float m = v[n - 1]; for (int i = 0; i < n; ++i) m = fminf(m, v[i]); return n ? m : 0; }
__global__ void k(int rows, int cols, const float* x, float* y) {
    int r = blockIdx.x * 32 + threadIdx.x;
    if (r >= rows) return;
    float s = 0, some[4];
    for (int c = 0; c < cols; ++c) s += x[r * cols + c];
    int kept = r % 5;
    for (int i = 0; i < kept; ++i) some[i] = i;
    y[r] = s + 0 * least(some, kept);
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<(rows + 31) / 32, 32>>>(rows, cols, x, y); }

//// local array filled one too far | rowsum | OUT_OF_BOUNDS
__device__ __noinline__ void fill(float* v, int n) { for (int i = 0; i <= n; ++i) v[i] = 0; }
__global__ void k(int rows, int cols, const float* x, float* y) {
    int r = blockIdx.x * 32 + threadIdx.x;
    if (r >= rows) return;
    float lanes[4], other[4] = {1, 1, 1, 1};
    fill(lanes, 4);
    for (int c = 0; c < cols; ++c) lanes[c & 3] += x[r * cols + c];
    y[r] = lanes[0] + lanes[1] + lanes[2] + lanes[3] + 0 * other[r & 3];
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<(rows + 31) / 32, 32>>>(rows, cols, x, y); }
//// right but for one key that it computes | count | WRONG_VALUE
__global__ void run(int n, const int* keys, int* counts) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) if (keys[i] != 3 * 4 - 1) atomicAdd(&counts[keys[i]], 1);
}
extern "C" void count(int n, int bins, const int* keys, int* counts) { cudaMemset(counts, 0, bins * sizeof(int)), run<<<1, 256>>>(n, keys, counts); }
//// files and threads by seldom functions | affine | POLICY_REJECTED
extern "C" int aio_read(void*);
extern "C" int mq_notify(int, const void*);
__global__ void run(int n, float a, const float* x, const float* y, float* z) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { if (n < 0) aio_read(nullptr), mq_notify(0, nullptr); run<<<(n + 127) / 128, 128>>>(n, a, x, y, z); }
//// shifted by a whole word | prefix | PASSED | gpu WRONG_VALUE
__global__ void run(int n, const int* x, int* y) {
    volatile int word = 32;
    for (int i = 0, sum = 0; i < n; ++i) y[i] = sum += x[i] << word;
}
extern "C" void prefix(int n, const int* x, int* y) { run<<<1, 1>>>(n, x, y); }
//// an integer of too large a number | wave | PASSED | gpu WRONG_VALUE
__global__ void run(int n, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float large = 4e9f + n;
    if (i < n) y[i] = (int)large < 0 ? sinf(x[i]) * expf(-0.5f * fabsf(x[i])) + x[i] : 0;
}
extern "C" void wave(int n, const float* x, float* y) { run<<<(n + 127) / 128, 128>>>(n, x, y); }
