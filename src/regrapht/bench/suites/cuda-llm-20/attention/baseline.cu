// A thread an output element; each goes over the scores of its row twice.
__global__ void attention_kernel(int n, int d, int width, float scale, const float* __restrict__ q, const float* __restrict__ k,
                                 const float* __restrict__ v, float* __restrict__ out) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
    if (column >= d) return;
    const int first = column / width * width;
    float most = -INFINITY;
    for (int j = 0; j < n; j++) {
        float dot = 0.0f;
        for (int c = 0; c < width; c++) dot += q[i * d + first + c] * k[j * d + first + c];
        most = fmaxf(most, dot * scale);
    }
    float total = 0.0f, sum = 0.0f;
    for (int j = 0; j < n; j++) {
        float dot = 0.0f;
        for (int c = 0; c < width; c++) dot += q[i * d + first + c] * k[j * d + first + c];
        const float weight = expf(dot * scale - most);
        total += weight;
        sum += weight * v[j * d + column];
    }
    out[i * d + column] = sum / total;
}

extern "C" void attention(int n, int d, int h, const float* q, const float* k, const float* v, float* out) {
    const int width = d / h;
    attention_kernel<<<dim3((d + 127) / 128, n), 128>>>(n, d, width, 1.0f / sqrtf((float)width), q, k, v, out);
}
