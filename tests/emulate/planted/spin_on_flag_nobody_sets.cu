// arrays: x in int32 N; out out int32 N
// N: 64
__device__ volatile int ready;
__global__ void wait(const int* x, int* out) {
    while (ready == 0) {  // finding: livelock
    }
    out[threadIdx.x] = x[threadIdx.x];
}
extern "C" void run(int n, const int* x, int* out) {
    const int zero = 0;  // twin: const int zero = 1;
    cudaMemcpyToSymbol(ready, &zero, sizeof zero);
    wait<<<1, n>>>(x, out);
}
