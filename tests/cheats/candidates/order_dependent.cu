// task: total_fixed
// row: fault
// expect: NONDETERMINISTIC
// level: full
// gpu: NONDETERMINISTIC WRONG_VALUE
// Floating-point atomics where one result is wanted.
__global__ void total_kernel(int n, const float* x, float* result) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(result, x[i]);
}

extern "C" void total(int n, const float* x, float* result) {
    cudaMemset(result, 0, sizeof(float));
    total_kernel<<<(n + 255) / 256, 256>>>(n, x, result);
}
