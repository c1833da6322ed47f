// arrays: x in float32 N; out out float32 N
// N: 128

__global__ void four(const float* x, float* out) {
    __shared__ float part[132];  // twin: __shared__ __align__(16) float part[132];
    const int i = threadIdx.x;
    for (int k = i; k < 132; k += 32) part[k] = x[k % 128];
    __syncthreads();
    const float4 v = *(const float4*)(part + 4 * i + 1);  // finding: misaligned // twin: const float4 v = *(const float4*)(part + 4 * i);
    out[4 * i] = v.x, out[4 * i + 1] = v.y, out[4 * i + 2] = v.z, out[4 * i + 3] = v.w;
}
extern "C" void run(int n, const float* x, float* out) { four<<<1, 32>>>(x, out); }
