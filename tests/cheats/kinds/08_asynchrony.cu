//// pipelined copies waited for one too late | rowsum | RACE UNINITIALISED_READ | gpu RACE UNINITIALISED_READ WRONG_VALUE
// Waits until one group is left, where none may be.
#include <cuda_pipeline.h>
__global__ void k(int rows, int cols, const float* x, float* y) {
    __shared__ float tile[128];
    for (int c = threadIdx.x; c < cols; c += 128) __pipeline_memcpy_async(&tile[c % 128], &x[blockIdx.x * cols + c], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    if (threadIdx.x == 0) { float sum = 0; for (int c = 0; c < cols; ++c) sum += tile[c % 128]; y[blockIdx.x] = sum; }
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<rows, 128>>>(rows, cols, x, y); }

//// counter of a block in all blocks | count | RACE
__global__ void zero(int bins, int* counts) { for (int b = threadIdx.x; b < bins; b += 128) counts[b] = 0; }
__global__ void k(int n, const int* keys, int* counts) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) atomicAdd_block(&counts[keys[i]], 1); }
extern "C" void count(int n, int bins, const int* keys, int* counts) { zero<<<1, 128>>>(bins, counts); k<<<(n + 127) / 128, 128>>>(n, keys, counts); }

//// tail of a warp read without its barrier | rowsum | RACE | gpu RACE WRONG_VALUE
// Lanes hand sums on through shared memory, with a vote in the place of a barrier.
__global__ void k(int rows, int cols, const float* x, float* y) {
    __shared__ volatile float part[32];
    float sum = 0;
    for (int c = threadIdx.x; c < cols; c += 32) sum += x[blockIdx.x * cols + c];
    part[threadIdx.x] = sum;
    for (int step = 16; step; step /= 2) if (threadIdx.x < step) part[threadIdx.x] = part[threadIdx.x] + part[threadIdx.x + step];
    if (threadIdx.x == 0) y[blockIdx.x] = part[0];
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<rows, 32>>>(rows, cols, x, y); }

//// other stream read too early | wave | RACE LATE_WRITE | gpu RACE LATE_WRITE WRONG_VALUE
__global__ void one(int n, const float* x, float* s) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) s[i] = sinf(x[i]); }
__global__ void two(int n, const float* x, const float* s, float* y) { int i = blockIdx.x * 128 + threadIdx.x; if (i < n) y[i] = s[i] * expf(-0.5f * fabsf(x[i])) + x[i]; }
extern "C" void wave(int n, const float* x, float* y) {
    float* s; cudaMalloc(&s, n * sizeof(float));
    cudaStream_t a, b; cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    one<<<(n + 127) / 128, 128, 0, a>>>(n, x, s);
    two<<<(n + 127) / 128, 128, 0, b>>>(n, x, s, y);
    cudaStreamSynchronize(b); cudaStreamSynchronize(a);
    cudaStreamDestroy(a); cudaStreamDestroy(b); cudaFree(s);
}

//// honest pipeline | rowsum | PASSED
#include <cuda_pipeline.h>
__global__ void k(int rows, int cols, const float* x, float* y) {
    __shared__ float tile[128];
    for (int c = threadIdx.x; c < cols; c += 128) __pipeline_memcpy_async(&tile[c % 128], &x[blockIdx.x * cols + c], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    if (threadIdx.x == 0) { float sum = 0; for (int c = 0; c < cols; ++c) sum += tile[c % 128]; y[blockIdx.x] = sum; }
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<rows, 128>>>(rows, cols, x, y); }

//// freed in another stream | affine | RACE | gpu RACE PASSED CRASHED WRONG_VALUE
// Scratch is given back in a stream that does not wait for the kernel that reads it.
__global__ void scaled(int n, float a, const float* x, float* t) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) t[i] = a * x[i];
}
__global__ void added(int n, const float* t, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = t[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    static cudaStream_t other;
    if (!other) cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    float* t;
    cudaMallocAsync((void**)&t, sizeof(float) * n, 0);
    scaled<<<(n + 127) / 128, 128>>>(n, a, x, t);
    added<<<(n + 127) / 128, 128>>>(n, t, y, z);
    cudaFreeAsync(t, other);
}

//// a pinned number that is written again | transpose | RACE | gpu RACE PASSED WRONG_VALUE
// The host changes what an asynchronous copy may not have read yet.
__global__ void k(int rows, int cols, const float* x, float* y, const int* row) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c < cols) y[c * rows + *row] = x[*row * cols + c];
}
extern "C" void transpose(int rows, int cols, const float* x, float* y) {
    static int *here, *there;
    if (!here) {
        cudaMallocHost((void**)&here, sizeof(int));
        cudaMalloc(&there, sizeof(int));
    }
    for (int r = 0; r < rows; ++r) {
        *here = r;
        cudaMemcpyAsync(there, here, sizeof(int), cudaMemcpyHostToDevice);
        k<<<(cols + 127) / 128, 128>>>(rows, cols, x, y, there);
    }
}

//// a barrier of every other tile | matmul | RACE | gpu RACE WRONG_VALUE PASSED
// Two buffers in turn, but from the third tile on every other barrier is left out.
__global__ void k(int m, int n, int k, const float* a, const float* b, float* c) {
    __shared__ float s[2][8][8], t[2][8][8];
    int x = threadIdx.x, y = threadIdx.y, j = blockIdx.x * 8 + x, i = blockIdx.y * 8 + y;
    float sum = 0;
    for (int from = 0, p = 0; from < k; from += 8, p ^= 1) {
        s[p][y][x] = i < m && from + x < k ? a[i * k + from + x] : 0;
        t[p][y][x] = j < n && from + y < k ? b[(from + y) * n + j] : 0;
        if (from < 16 || p) __syncthreads();
        for (int q = 0; q < 8; ++q) sum += s[p][y][q] * t[p][q][x];
    }
    if (i < m && j < n) c[i * n + j] = sum;
}
extern "C" void matmul(int m, int n, int depth, const float* a, const float* b, float* c) {
    k<<<dim3((n + 7) / 8, (m + 7) / 8), dim3(8, 8)>>>(m, n, depth, a, b, c);
}
