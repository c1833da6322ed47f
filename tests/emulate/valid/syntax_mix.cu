// arrays: x in float32 N; out out float32 N
// N: 256
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
#define CEIL(a, b) (((a) + (b) - 1) / (b))
namespace ns {
template <typename T>
__global__ void __launch_bounds__(256, 2) fill(T* __restrict__ p, T v, size_t n) {
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) p[i] = v;
}
template <>
__global__ void fill<double>(double* __restrict__ p, double v, size_t n) {
    size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = v + 1;
}
}  // namespace ns
struct Params {
    int n;
    float a[3];
    __host__ __device__ Params(int n_) : n(n_) { a[0] = 1, a[1] = 2, a[2] = 3; }
};
__constant__ float cmat[3][3];
__device__ float total;
static __device__ __forceinline__ float sq(float x) { return x * x; }
struct Mixed {
    float4 v[8];
    int cnt;
};
__global__ void many(Params p, const float* in, float* out, const double* d) {
    extern __shared__ __align__(16) unsigned char smem[];
    float* s = reinterpret_cast<float*>(smem);
    __shared__ Mixed sm;
    __shared__ union {
        int i[32];
        float f[32];
    } u;
    __shared__ __align__(16) float aligned_buf[64];
    volatile __shared__ int flag;
    const int tid = threadIdx.x;
    if (tid == 0) {
        sm.cnt = 0;
        flag = 0;
    }
    if (tid < 32) u.i[tid] = 0;
    __syncthreads();
    s[tid] = in[tid];
    if (tid < 64) aligned_buf[tid] = in[tid];
    atomicAdd(&sm.cnt, 1);
    atomicMax(&u.i[0], tid);
    if (__syncthreads_or(tid == 3) && tid == 0) flag = 1;
    __syncthreads();
    auto blk = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(blk);
    float r = cg::reduce(tile, s[tid], cg::plus<float>());
#pragma unroll 4
    for (int i = 0; i < 3; i++) r += cmat[i][i] * p.a[i] * 0.f;
    if (tile.thread_rank() == 0) atomicAdd(&total, r);
    auto f = [=](float x) { return x + sq(1.f) - 1.f; };
    dim3 bd = blockDim;
    uint3 t = threadIdx;
    unsigned long long k = (unsigned long long)blockIdx.x * bd.x + t.x;
    float4 q = make_float4(r, 0, 0, 0);
    if (tid < 8) sm.v[tid] = q;
    blk.sync();
    const float extra = sm.cnt == 256 && flag == 1 && u.i[0] == 255 && d[tid] == 8.0 ? 1.f : 0.f;
    switch (tid & 1) {
        case 0: out[k] = f(in[k]) + extra; break;
        default: out[k] = in[k] + extra;
    }
}
template <typename T>
struct Runner {
    T* p;
    void go(int n, cudaStream_t st = 0) { ns::fill<T><<<CEIL(n, 128), 128, 0, st>>>(p, T(7), n); }
};
extern "C" void run(int n, const float* x, float* out) {
    float m[9] = {1};
    cudaMemcpyToSymbol(cmat, m, sizeof(m));
    Runner<double> doubles;
    cudaMalloc(&doubles.p, n * sizeof(double));
    doubles.go(n);
    Params p(n);
    many<<<1, n, n * sizeof(float)>>>(p, x, out, doubles.p);
    cudaFree(doubles.p);
}
