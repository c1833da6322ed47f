// arrays: x in int16 N; out out int64 N
// N: 700
// 64-bit indices, negative strides, offsets from the end.
__global__ void walk(const short* end, long long* out, size_t n) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const short* p = end - 1;
    long long back = -(long long)i;
    out[n - 1 - i] = (long long)p[back] * 3000000000ll + (long long)((n << 32) >> 32);
}
extern "C" void run(int n, const short* x, long long* out) { walk<<<(n + 255) / 256, 256>>>(x + n, out, n); }
