// arrays: x in float32 N; out out float32 N
// N: 512

__global__ void pairs(const float* x, float* out) {
    extern __shared__ float buffer[];
    float* second = buffer + blockDim.x;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    buffer[threadIdx.x] = x[i];
    second[threadIdx.x] = x[i] * x[i];  // finding: shared_oob
    __syncthreads();
    out[i] = buffer[blockDim.x - 1 - threadIdx.x] + second[threadIdx.x];
}
extern "C" void run(int n, const float* x, float* out) { pairs<<<n / 128, 128, 128 * sizeof(float)>>>(x, out); }  // twin: extern "C" void run(int n, const float* x, float* out) { pairs<<<n / 128, 128, 256 * sizeof(float)>>>(x, out); }
