__global__ void relu_kernel(int n, const float* __restrict__ x, float* __restrict__ y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] > 0.0f ? x[i] : 0.0f;
}

extern "C" void relu(int n, const float* x, float* y) { relu_kernel<<<(n + 255) / 256, 256>>>(n, x, y); }
