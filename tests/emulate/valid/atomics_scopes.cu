// arrays: x in int32 N; out out int32 4
// N: 1024
__global__ void count(const int* x, int* out, int n) {
    __shared__ int here[2];
    if (threadIdx.x < 2) here[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd_block(&here[0], x[i]);
        atomicMax_block(&here[1], x[i]);
        atomicAdd_system(&out[2], 1);
        atomicOr_system(&out[3], x[i]);
    }
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(&out[0], here[0]);
    if (threadIdx.x == 1) atomicMax(&out[1], here[1]);
}
extern "C" void run(int n, const int* x, int* out) {
    cudaMemset(out, 0, 4 * sizeof(int));
    count<<<n / 256, 256>>>(x, out, n);
}
