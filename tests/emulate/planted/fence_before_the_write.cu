// arrays: x in int32 N; out out int32 N
// N: 64
// twin warns: race_unverified_fence
// schedules: forward
// The fence stands before what it should publish.
__device__ int message;
__device__ volatile int ready;
__global__ void hand_over(const int* x, int* out) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        __threadfence();  // twin:
        message = x[0];  // finding: race_global_rw // twin: message = x[0]; __threadfence();
        ready = 1;
    } else if (ready == 1) {
        out[blockIdx.x * 32 + threadIdx.x] = message;  // finding: race_global_wr
    }
}
extern "C" void run(int n, const int* x, int* out) {
    const int zero = 0;
    cudaMemset(out, 0, n * sizeof(int));
    cudaMemcpyToSymbol(message, &zero, sizeof zero);
    cudaMemcpyToSymbol(ready, &zero, sizeof zero);
    hand_over<<<2, 32>>>(x, out);
}
