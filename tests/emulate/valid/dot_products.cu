// arrays: x in uint32 N; y in uint32 N; out out int32 6*N
// N: 200
__global__ void dots(const unsigned* x, const unsigned* y, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned a = x[i] * 2654435761u, b = y[i] * 2246822519u + 99u;
    out[6 * i] = __dp4a((int)a, (int)b, i);
    out[6 * i + 1] = (int)__dp4a(a, b, 1u);
    out[6 * i + 2] = __dp2a_lo((int)a, (int)b, -i);
    out[6 * i + 3] = __dp2a_hi((int)a, (int)b, 3);
    out[6 * i + 4] = (int)__dp2a_hi(a, b, 5u);
    char4 p = make_char4(1, -2, 3, (signed char)x[i]), q = make_char4(4, 5, -6, 7);
    out[6 * i + 5] = __dp4a(p, q, 0);
}
extern "C" void run(int n, const unsigned* x, const unsigned* y, int* out) { dots<<<(n + 63) / 64, 64>>>(x, y, out, n); }
