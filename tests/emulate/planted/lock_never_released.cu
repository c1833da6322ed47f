// arrays: x in int32 N; out out int32 1
// N: 8
__device__ int lock;
__global__ void add(const int* x, int* out) {
    while (atomicCAS(&lock, 0, 1) != 0) {  // finding: livelock
    }
    atomicAdd(out, x[blockIdx.x]);  // twin: atomicAdd(out, x[blockIdx.x]); atomicExch(&lock, 0);
}
extern "C" void run(int n, const int* x, int* out) {
    const int zero = 0;
    cudaMemcpyToSymbol(lock, &zero, sizeof zero);
    cudaMemset(out, 0, sizeof(int));
    add<<<n, 1>>>(x, out);
}
