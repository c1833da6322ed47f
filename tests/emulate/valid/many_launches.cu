// arrays: x in float32 N; out out float32 N
// N: 256
// More launches than the race check of a naive implementation can count.
__global__ void shift(const float* from, float* to, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[(i + 1) % n];
}
extern "C" void run(int n, const float* x, float* out) {
    float *a, *b;
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaMemcpy(a, x, n * sizeof(float), cudaMemcpyDeviceToDevice);
    for (int k = 0; k < 1500; k++) {
        shift<<<(n + 63) / 64, 64>>>(a, b, n);
        float* t = a;
        a = b;
        b = t;
    }
    cudaMemcpy(out, a, n * sizeof(float), cudaMemcpyDeviceToDevice);
    cudaFree(a);
    cudaFree(b);
}
