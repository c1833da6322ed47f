// arrays: x in float32 N; out out float32 N
// N: 1000
__device__ float table[32];
__global__ void k(const float* x, float* o) {
    table[threadIdx.x] = x[threadIdx.x];  // finding: device_variable_oob
    o[threadIdx.x] = table[threadIdx.x];
}
extern "C" void run(int n, const float* x, float* out) { k<<<1, 1000>>>(x, out); }
