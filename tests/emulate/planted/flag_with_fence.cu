// arrays: x in int32 N; out out int32 N
// N: 64
// A right protocol, and still a warning: one schedule shows no more than that the fence was there.
// schedules: forward
__device__ int message;
__device__ volatile int ready;
__global__ void hand_over(const int* x, int* out) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        message = x[0];  // other access
        __threadfence();
        ready = 1;  // finding: race_unverified_fence // twin: out[0] = message;
    } else if (ready == 1) {  // finding: race_unverified_fence // twin: } else {
        out[blockIdx.x * 32 + threadIdx.x] = message;  // finding: race_unverified_fence // twin: out[blockIdx.x * 32 + threadIdx.x] = 1;
    }
}
extern "C" void run(int n, const int* x, int* out) {
    const int zero = 0;
    cudaMemset(out, 0, n * sizeof(int));
    cudaMemcpyToSymbol(message, &zero, sizeof zero);
    cudaMemcpyToSymbol(ready, &zero, sizeof zero);
    hand_over<<<2, 32>>>(x, out);
}
