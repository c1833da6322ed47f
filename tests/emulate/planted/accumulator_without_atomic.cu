// arrays: x in int32 N; out out int32 1
// N: 1024
__device__ int total;
__global__ void add(const int* x) { total += x[blockIdx.x * blockDim.x + threadIdx.x]; }  // finding: race_global_ww race_global_wr race_global_rw // twin: __global__ void add(const int* x) { atomicAdd(&total, x[blockIdx.x * blockDim.x + threadIdx.x]); }
__global__ void take(int* out) { *out = total; }
extern "C" void run(int n, const int* x, int* out) {
    const int zero = 0;
    cudaMemcpyToSymbol(total, &zero, sizeof zero);
    add<<<n / 128, 128>>>(x);
    take<<<1, 1>>>(out);
}
