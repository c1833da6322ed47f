// arrays: x in float32 N; out out float32 N
// N: 520
struct alignas(16) Two {
    float first[4];
    float4 second;
};
__global__ void k(const float* x, float* out) {
    const int i = threadIdx.x;
    const Two* two = (const Two*)(x + 2);  // twin: const Two* two = (const Two*)(x + 4);
    const float4 v = two[i].second;  // finding: misaligned // twin: const float4 v = two[i].second;
    out[i] = v.x + v.w;
}
extern "C" void run(int n, const float* x, float* out) {
    cudaMemset(out, 0, n * sizeof(float));
    k<<<1, 64>>>(x, out);
}
