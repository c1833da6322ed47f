__global__ void conv2d_valid_kernel(int n, int size, const float* __restrict__ image, const float* __restrict__ kernel, float* __restrict__ out) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= size || j >= size) return;
    float sum = 0.0f;
    for (int u = 0; u < 24; u++)
        for (int v = 0; v < 24; v++) sum += image[(i + u) * n + j + v] * kernel[u * 24 + v];
    out[i * size + j] = sum;
}

extern "C" void conv2d_valid(int n, const float* image, const float* kernel, float* out) {
    const int size = n - 23;
    conv2d_valid_kernel<<<dim3((size + 31) / 32, (size + 7) / 8), dim3(32, 8)>>>(n, size, image, kernel, out);
}
