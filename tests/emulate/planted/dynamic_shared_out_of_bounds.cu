// arrays: x in float32 N; out out float32 N
// N: 64
extern __shared__ float buffer[];
__global__ void k(const float* x, float* o) {
    buffer[threadIdx.x + 1] = x[threadIdx.x];  // finding: shared_oob
    __syncthreads();
    o[threadIdx.x] = buffer[threadIdx.x + 1];
}
extern "C" void run(int n, const float* x, float* out) { k<<<1, 64, 64 * sizeof(float)>>>(x, out); }
