//// inline ptx | affine | UNSUPPORTED | gpu PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= n) return;
    float r;
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(x[i]), "f"(y[i]));
    z[i] = r;
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 127) / 128, 128>>>(n, a, x, y, z); }

//// cp async by pipeline primitives | affine | PASSED
#include <cuda_pipeline.h>
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    __shared__ float s[2][128];
    const int step = gridDim.x * 128;
    int at = 0, i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) __pipeline_memcpy_async(&s[0][threadIdx.x], x + i, 4);
    __pipeline_commit();
    for (; i < n; i += step, at ^= 1) {
        if (i + step < n) __pipeline_memcpy_async(&s[at ^ 1][threadIdx.x], x + i + step, 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        z[i] = a * s[at][threadIdx.x] + y[i];
    }
    __pipeline_wait_prior(0);
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<4, 128>>>(n, a, x, y, z); }

//// float4 by union | affine | PASSED
union V { float4 v; float f[4]; };
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    int i = 4 * (blockIdx.x * 128 + threadIdx.x);
    if (i + 3 < n) {
        V p, q, r;
        p.v = *(const float4*)(x + i);
        q.v = *(const float4*)(y + i);
#pragma unroll
        for (int j = 0; j < 4; ++j) r.f[j] = a * p.f[j] + q.f[j];
        *(float4*)(z + i) = r.v;
    } else for (; i < n; ++i) z[i] = a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n / 4 + 128) / 128, 128>>>(n, a, x, y, z); }

//// array reset in a loop | rowsum | PASSED
__global__ void k(int rows, int cols, const float* x, float* y) {
    int r = blockIdx.x * 64 + threadIdx.x;
    if (r >= rows) return;
    float s = 0, tile[8];
    int filled;
    for (int c = 0; c < cols; c += 8) {
        filled = min(8, cols - c);
        for (int j = 0; j < filled; ++j) tile[j] = x[r * cols + c + j];
        for (int j = 0; j < filled; ++j) s += tile[j];
    }
    y[r] = s;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<(rows + 63) / 64, 64>>>(rows, cols, x, y); }

//// insertion buffer of unwritten places | sortk | PASSED
__global__ void k(int n, const int* keys, int* sorted) {
    int best[64], held = 0;
    for (int from = 0; from < n; from += 64) {
        held = 0;
        for (int i = from; i < min(n, from + 64); ++i) {
            int j = held++;
            for (; j > 0 && best[j - 1] > keys[i]; --j) best[j] = best[j - 1];
            best[j] = keys[i];
        }
        int w = from + held - 1, a = from - 1, b = held - 1;
        for (; b >= 0; --w) sorted[w] = a >= 0 && sorted[a] > best[b] ? sorted[a--] : best[b--];
    }
}
extern "C" void sortk(int n, const int* keys, int* sorted) { k<<<1, 1>>>(n, keys, sorted); }

//// out parameters | wave | PASSED
__device__ void both(float x, float* s, float* e) { sincosf(x, s, e); *e = expf(-0.5f * fabsf(x)); }
__global__ void k(int n, const float* x, float* y) {
    int i = blockIdx.x * 128 + threadIdx.x;
    float s, e;
    if (i >= n) return;
    both(x[i], &s, &e);
    y[i] = s * e + x[i];
}
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 127) / 128, 128>>>(n, x, y); }

//// lanes whose value is not used | total | PASSED
__global__ void k(int n, const float* x, float* y) {
    float v, w;
    if (threadIdx.x < 16) { v = 0; for (int i = threadIdx.x; i < n; i += 16) v += x[i]; }
    for (int d = 8; d; d /= 2) {
        w = __shfl_down_sync(~0u, v, d);
        if (threadIdx.x < d) v += w;
    }
    if (threadIdx.x == 0) y[0] = v;
}
extern "C" void total(int n, const float* x, float* y) { k<<<1, 32>>>(n, x, y); }

//// last block | total | PASSED
__device__ float part[64];
__device__ unsigned done = 0;
__global__ void k(int n, const float* x, float* y) {
    __shared__ bool last;
    __shared__ float s[64];
    float v = 0;
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64) v += x[i];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int d = 32; d; d /= 2) { if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d]; __syncthreads(); }
    if (threadIdx.x == 0) {
        part[blockIdx.x] = s[0];
        __threadfence();
        last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float t = 0;
        for (int j = 0; j < gridDim.x; ++j) t += ((volatile float*)part)[j];
        y[0] = t;
    }
}
extern "C" void total(int n, const float* x, float* y) { k<<<16, 64>>>(n, x, y); }

//// device queue | gather | PASSED
struct Queue { int items[4096]; int head, tail; };
__device__ Queue q;
__global__ void fill(int n) { for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64) q.items[atomicAdd(&q.tail, 1)] = i; }
__global__ void work(int n, const int* at, const float* x, float* y) {
    for (;;) {
        int t = atomicAdd(&q.head, 1);
        if (t >= n) return;
        int i = q.items[t];
        y[i] = 2 * x[at[i]];
    }
}
extern "C" void gather(int n, int m, const int* at, const float* x, float* y) {
    int zero[2] = {0, 0};
    cudaMemcpyToSymbol(q, zero, 8, offsetof(Queue, head));
    fill<<<3, 64>>>(n);
    work<<<4, 32>>>(n, at, x, y);
}

//// graph per call | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    cudaStream_t s;
    cudaGraph_t g;
    cudaGraphExec_t e;
    cudaStreamCreate(&s);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal);
    k<<<(n + 127) / 128, 128, 0, s>>>(n, a, x, y, z);
    cudaStreamEndCapture(s, &g);
    cudaGraphInstantiate(&e, g, nullptr, nullptr, 0);
    cudaGraphLaunch(e, s);
    cudaStreamSynchronize(s);
    cudaGraphExecDestroy(e);
    cudaGraphDestroy(g);
    cudaStreamDestroy(s);
}

//// texture | gather | UNSUPPORTED | gpu PASSED
__global__ void k(int n, cudaTextureObject_t t, const int* at, float* y) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) y[i] = 2 * tex1Dfetch<float>(t, at[i]);
}
extern "C" void gather(int n, int m, const int* at, const float* x, float* y) {
    cudaTextureObject_t t = 0;
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeLinear; r.res.linear.devPtr = (void*)x; r.res.linear.desc = cudaCreateChannelDesc<float>(); r.res.linear.sizeInBytes = 4 * m;
    cudaTextureDesc d = {};
    d.readMode = cudaReadModeElementType;
    cudaCreateTextureObject(&t, &r, &d, 0);
    k<<<(n + 127) / 128, 128>>>(n, t, at, y);
    cudaDeviceSynchronize();
    cudaDestroyTextureObject(t);
}

//// half2 | halves | PASSED
#include <cuda_fp16.h>
__global__ void k(int n, const __half* x, __half* y) {
    int i = 2 * (blockIdx.x * 64 + threadIdx.x);
    __half2 v;
    if (i + 1 < n) { v = *(const __half2*)(x + i); v = __hadd2(v, v); *(__half2*)(y + i) = v; }
    else if (i < n) y[i] = __hadd(x[i], x[i]);
}
extern "C" void halves(int n, const __half* x, __half* y) { k<<<(n / 2 + 64) / 64, 64>>>(n, x, y); }

//// constant table by host | wave | PASSED
__constant__ float C[3];
__global__ void k(int n, const float* x, float* y) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) y[i] = C[0] * (sinf(x[i]) * expf(C[1] * fabsf(x[i])) + C[2] * x[i]);
}
extern "C" void wave(int n, const float* x, float* y) {
    float c[3];
    c[0] = 1, c[1] = -0.5f, c[2] = 1;
    cudaMemcpyToSymbolAsync(C, c, sizeof c, 0, cudaMemcpyHostToDevice, 0);
    k<<<(n + 127) / 128, 128>>>(n, x, y);
    cudaDeviceSynchronize();
}

//// occupancy and launch bounds | affine | PASSED
template <int B> __global__ void __launch_bounds__(B, 2) k(int n, float a, const float* __restrict__ x, const float* __restrict__ y, float* __restrict__ z) {
    for (int i = blockIdx.x * B + threadIdx.x; i < n; i += gridDim.x * B) z[i] = fmaf(a, x[i], y[i]);
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    int device, sms, per;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, k<256>, 256, 0);
    k<256><<<max(1, min(sms * per, (n + 255) / 256)), 256>>>(n, a, x, y, z);
}

//// matrix of shuffles | transpose | PASSED
__global__ void k(int rows, int cols, const float* x, float* y) {
    int lane = threadIdx.x, c0 = blockIdx.x * 32, r0 = blockIdx.y * 32;
    float line[32];
    for (int j = 0; j < 32; ++j) if (r0 + j < rows && c0 + lane < cols) line[j] = x[(r0 + j) * cols + c0 + lane];
    for (int j = 0; j < 32; ++j) {
        float v;
        for (int s = 0; s < 32; ++s) { float w = __shfl_sync(~0u, line[s], j); if (s == lane) v = w; }
        if (c0 + j < cols && r0 + lane < rows) y[(c0 + j) * rows + r0 + lane] = v;
    }
}
extern "C" void transpose(int rows, int cols, const float* x, float* y) { k<<<dim3((cols + 31) / 32, (rows + 31) / 32), 32>>>(rows, cols, x, y); }

//// managed | count | PASSED
__global__ void k(int n, int bins, const int* keys, int* m) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) atomicAdd(&m[keys[i]], 1); }
extern "C" void count(int n, int bins, const int* keys, int* counts) {
    int* m;
    cudaMallocManaged(&m, 4 * bins);
    cudaMemset(m, 0, 4 * bins);
    k<<<(n + 63) / 64, 64>>>(n, bins, keys, m);
    cudaMemcpy(counts, m, 4 * bins, cudaMemcpyDeviceToDevice);
    cudaFree(m);
}

//// pinned staging | longest | PASSED
__global__ void k(int n, const int* x, int* best) { int m = 0; for (int i = 0, r = 0; i < n; ++i) { r = i && x[i] == x[i - 1] ? r + 1 : 1; m = max(m, r); } *best = m; }
extern "C" void longest(int n, const int* x, int* y) {
    int *h, *d;
    cudaMallocHost(&h, 4);
    cudaMalloc(&d, 4);
    k<<<1, 1>>>(n, x, d);
    cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, 0);
    cudaStreamSynchronize(0);
    if (*h > n || *h < 1) return;
    cudaMemcpyAsync(y, d, 4, cudaMemcpyDeviceToDevice, 0);
    cudaDeviceSynchronize();
    cudaFree(d);
    cudaFreeHost(h);
}

//// two best of each thread | rowmax | PASSED
struct Best { float v; int at; };
__device__ Best better(Best a, Best b) { return b.v > a.v || (b.v == a.v && b.at < a.at) ? b : a; }
__global__ void k(int rows, int cols, const float* x, int* at) {
    int r = blockIdx.x, lane = threadIdx.x;
    Best mine, other;
    mine.v = -INFINITY, mine.at = 0x7fffffff;
    for (int c = lane; c < cols; c += 32) { other.v = x[r * cols + c]; other.at = c; mine = better(mine, other); }
    for (int d = 16; d; d /= 2) {
        other.v = __shfl_xor_sync(~0u, mine.v, d), other.at = __shfl_xor_sync(~0u, mine.at, d);
        mine = better(mine, other);
    }
    if (!lane) at[r] = mine.at;
}
extern "C" void rowmax(int rows, int cols, const float* x, int* at) { k<<<rows, 32>>>(rows, cols, x, at); }

//// local struct copied with padding | longsum | PASSED
struct Acc { char used; long long sum; short times; };
__device__ Acc joined(Acc a, Acc b) { Acc c; c.used = a.used | b.used; c.sum = a.sum + b.sum; c.times = a.times + b.times; return c; }
__global__ void k(int n, const int* x, long long* y) {
    __shared__ Acc s[64];
    Acc mine;
    mine.used = 0, mine.sum = 0, mine.times = 0;
    for (int i = threadIdx.x; i < n; i += 64) { Acc one; one.used = 1, one.sum = x[i], one.times = 0; mine = joined(mine, one); }
    s[threadIdx.x] = mine;
    __syncthreads();
    if (threadIdx.x == 0) { for (int j = 1; j < 64; ++j) mine = joined(mine, s[j]); y[0] = mine.sum; }
}
extern "C" void longsum(int n, const int* x, long long* y) { k<<<1, 64>>>(n, x, y); }
