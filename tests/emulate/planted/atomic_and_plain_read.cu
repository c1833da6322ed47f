// arrays: x in int32 N; out out int32 N
// N: 256
__global__ void place(const int* x, int* out, int* total) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(total, x[i]);  // finding: atomic_and_plain
    out[i] = *total;  // finding: atomic_and_plain // twin: out[i] = x[i];
}
extern "C" void run(int n, const int* x, int* out) {
    int* total;
    cudaMalloc(&total, sizeof(int));
    cudaMemset(total, 0, sizeof(int));
    place<<<n / 64, 64>>>(x, out, total);
    cudaFree(total);
}
