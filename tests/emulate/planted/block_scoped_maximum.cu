// arrays: x in int32 N; out out int32 N
// N: 1024

__global__ void clear(int* counts) { counts[threadIdx.x] = 0; }
__global__ void count(const int* x, int* counts) {
    __shared__ int own[8];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < 8) own[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd_block(&own[x[i] & 7], 1);
    __syncthreads();
    atomicMax_block(&counts[x[i] & 7], i);  // finding: race_global_ww // twin: atomicMax_system(&counts[x[i] & 7], i);
}
extern "C" void run(int n, const int* x, int* out) {
    clear<<<1, n>>>(out);
    count<<<n / 256, 256>>>(x, out);
}
