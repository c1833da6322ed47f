__global__ void sigmoid_kernel(int count, const float* __restrict__ x, float* __restrict__ y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) y[i] = 1.0f / (1.0f + expf(-x[i]));
}

extern "C" void sigmoid(int batch, int dim, const float* x, float* y) {
    const int count = batch * dim;
    sigmoid_kernel<<<(count + 255) / 256, 256>>>(count, x, y);
}
