// arrays: x in uint32 N; y in uint32 N; out out uint32 10*N
// N: 200
__global__ void shuffle(const unsigned* x, const unsigned* y, unsigned* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned a = x[i] * 2654435761u, b = y[i] * 40503u + 12345u;
    unsigned* r = out + 10 * i;
    r[0] = __byte_perm(a, b, 0x5140);
    r[1] = __byte_perm(a, b, 0x0123);
    r[2] = __byte_perm(a, b, y[i]);
    r[3] = __funnelshift_l(a, b, x[i]);
    r[4] = __funnelshift_r(a, b, x[i]);
    r[5] = __funnelshift_lc(a, b, x[i]);
    r[6] = __funnelshift_rc(a, b, x[i]);
    r[7] = __float_as_uint(__uint_as_float(a & 0x7f7fffff));
    r[8] = __double2hiint(__hiloint2double((int)(a & 0x7fefffff), (int)b));
    r[9] = __double2loint(__longlong_as_double((long long)b));
}
extern "C" void run(int n, const unsigned* x, const unsigned* y, unsigned* out) {
    shuffle<<<(n + 63) / 64, 64>>>(x, y, out, n);
}
