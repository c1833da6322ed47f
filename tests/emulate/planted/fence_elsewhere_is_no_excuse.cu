// arrays: x in int32 N; out out int32 N
// N: 256
// One fence with its flag does not order the other accesses of the kernel.
__device__ unsigned tickets;
__global__ void shift(const int* x, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = x[i];  // finding: race_global_ww race_global_wr race_global_rw
    if (i + 1 < n) out[i + 1] = x[i];  // finding: race_global_ww race_global_wr race_global_rw // twin:
    __threadfence();
    if (threadIdx.x == 0) atomicAdd(&tickets, 1);
}
extern "C" void run(int n, const int* x, int* out) { shift<<<n / 64, 64>>>(x, out, n); }
