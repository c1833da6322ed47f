// arrays: x in int32 N; out out int32 N
// N: 64
__global__ void high_bits(const int* x, int* out, int n) {
    const int i = threadIdx.x;
    const unsigned word = x[i];
    out[i] = word >> (n / 2 - i % 32);  // finding: shift_beyond_type // twin: out[i] = i % 32 ? word >> (n / 2 - i % 32) : 0;
}
extern "C" void run(int n, const int* x, int* out) { high_bits<<<1, n>>>(x, out, n); }
