// arrays: x in float32 N; out out int32 N
// N: 64
__global__ void rounded(const float* x, int* out, int n) {
    const int i = threadIdx.x;
    const float scaled = x[i] + 1e9f * i;
    out[i] = (int)scaled;  // finding: number_beyond_type // twin: out[i] = (int)fminf(scaled, 2e9f);
}
extern "C" void run(int n, const float* x, int* out) { rounded<<<1, n>>>(x, out, n); }
