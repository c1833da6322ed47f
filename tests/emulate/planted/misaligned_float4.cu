// arrays: x in float32 N; out out float32 256
// N: 260
__global__ void copy(const float* a, float* o) {
    int i = threadIdx.x;
    ((float4*)o)[i] = *(const float4*)(a + 1 + 4 * i);  // finding: misaligned
}
extern "C" void run(int n, const float* x, float* out) { copy<<<1, 64>>>(x, out); }
