// arrays: x in int32 N; out out float64 3
// N: 600
// Quarters: sums are exact in any order.
__global__ void add(const int* x, float* single, double* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAdd(single, x[i] * 0.25f);
    atomicAdd(&out[0], x[i] * 0.25);
    atomicAdd(&out[1], -1.0);
}
__global__ void finish(const float* single, double* out) { out[2] = *single; }
extern "C" void run(int n, const int* x, double* out) {
    float* single;
    cudaMalloc(&single, sizeof(float));
    cudaMemset(single, 0, sizeof(float));
    cudaMemset(out, 0, 3 * sizeof(double));
    add<<<(n + 127) / 128, 128>>>(x, single, out, n);
    finish<<<1, 1>>>(single, out);
    cudaFree(single);
}
