// arrays: x in float32 N; out out float32 N
// N: 32
__global__ void k(float* o) {
    __shared__ float a[32];
    __shared__ float b[32];
    b[threadIdx.x] = 1;
    a[threadIdx.x + (threadIdx.x > 30)] = 2;  // finding: shared_oob
    __syncthreads();
    o[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}
extern "C" void run(int n, const float* x, float* out) { k<<<1, 32>>>(out); }
