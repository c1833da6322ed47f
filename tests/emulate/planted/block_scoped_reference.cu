// arrays: x in int32 N; out out int32 N
// N: 1024
#include <cuda/atomic>

__global__ void clear(int* counts) { counts[threadIdx.x] = 0; }
__global__ void count(const int* x, int* counts) {
    __shared__ int own[8];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < 8) own[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd_block(&own[x[i] & 7], 1);
    __syncthreads();
    cuda::atomic_ref<int, cuda::thread_scope_block>(counts[x[i] & 7]).fetch_add(1, cuda::memory_order_relaxed);  // finding: race_global_ww // twin: cuda::atomic_ref<int, cuda::thread_scope_device>(counts[x[i] & 7]).fetch_add(1, cuda::memory_order_relaxed);
}
extern "C" void run(int n, const int* x, int* out) {
    clear<<<1, n>>>(out);
    count<<<n / 256, 256>>>(x, out);
}
