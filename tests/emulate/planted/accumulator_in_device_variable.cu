// arrays: x in float32 N; out out float32 1
// N: 1024
__device__ float sum;
__global__ void clear() { sum = 0; }
__global__ void add(const float* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum += a[i];  // finding: race_global_wr race_global_rw race_global_ww
}
__global__ void store(float* out) { *out = sum; }
extern "C" void run(int n, const float* x, float* out) {
    clear<<<1, 1>>>();
    add<<<4, 256>>>(x, n);
    store<<<1, 1>>>(out);
}
