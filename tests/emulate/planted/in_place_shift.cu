// arrays: x inout float32 N
// N: 1000
__global__ void shift(float* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n) x[i] = x[i + 1];  // finding: race_global_rw race_global_wr // twin: if (i + 1 < n) x[i] = x[i] + 1;
}
extern "C" void run(int n, float* x) { shift<<<(n + 127) / 128, 128>>>(x, n); }
