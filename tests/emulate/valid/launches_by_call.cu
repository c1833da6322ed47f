// arrays: x in float32 N; out out float32 N
// N: 500
struct Scale {
    float factor, offset;
};
__global__ void scaled(const float* x, float* out, int n, Scale scale) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = scale.factor * x[i] + scale.offset;
}
template <int Power>
__global__ void raised(float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = 1;
    for (int k = 0; k < Power; k++) v *= out[i];
    out[i] = v;
}
extern "C" void run(int n, const float* x, float* out) {
    Scale scale = {2.0f, 0.25f};
    void* arguments[] = {&x, &out, &n, &scale};
    cudaLaunchKernel((void*)scaled, dim3((n + 63) / 64), dim3(64), arguments, 0, 0);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((n + 31) / 32);
    config.blockDim = dim3(32);
    cudaLaunchKernelEx(&config, raised<2>, out, n);
    void (*third)(float*, int) = raised<3>;
    third<<<(n + 127) / 128, 128>>>(out, n);
}
