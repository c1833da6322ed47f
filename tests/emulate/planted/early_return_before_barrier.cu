// arrays: x in float32 N; out out float32 N
// N: 1000
__global__ void copy(const float* a, float* o, int n) {
    __shared__ float s[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;  // twin: if (i < n)
    s[threadIdx.x] = a[i];
    __syncthreads();  // finding: barrier_after_exit
    o[i] = s[threadIdx.x];  // twin: if (i < n) o[i] = s[threadIdx.x];
}
extern "C" void run(int n, const float* x, float* out) { copy<<<4, 256>>>(x, out, n); }
