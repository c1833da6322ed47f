// arrays: x in uint32 N; y in uint32 N; out out uint32 40*N
// N: 150
#define LANES4(OP) *r++ = OP##4(a, b)
#define LANES2(OP) *r++ = OP##2(a, b)
__global__ void lanes(const unsigned* x, const unsigned* y, unsigned* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned a = x[i] * 2654435761u, b = y[i] * 2246822519u + 99u, *r = out + 40 * i;
    if (i % 16 == 0) a = 0x807f8080u, b = 0x80ff017fu;
    LANES4(__vadd), LANES4(__vaddss), LANES4(__vaddus), LANES4(__vsub), LANES4(__vsubss), LANES4(__vsubus), LANES4(__vavgs);
    LANES4(__vavgu), LANES4(__vhaddu), LANES4(__vabsdiffs), LANES4(__vabsdiffu), LANES4(__vmaxs), LANES4(__vmaxu), LANES4(__vmins);
    LANES4(__vminu), LANES4(__vsads), LANES4(__vsadu), LANES4(__vcmpeq), LANES4(__vcmpgts), LANES4(__vcmpltu), LANES4(__vsetges);
    *r++ = __vabs4(a), *r++ = __vabsss4(a), *r++ = __vneg4(a), *r++ = __vnegss4(a);
    LANES2(__vadd), LANES2(__vaddss), LANES2(__vsubus), LANES2(__vavgs), LANES2(__vabsdiffs), LANES2(__vmaxs), LANES2(__vminu);
    LANES2(__vsads), LANES2(__vsadu), LANES2(__vcmpne), LANES2(__vcmples), LANES2(__vsetgtu);
    *r++ = __vabs2(a), *r++ = __vabsss2(a), *r++ = __vnegss2(b);
}
extern "C" void run(int n, const unsigned* x, const unsigned* y, unsigned* out) {
    lanes<<<(n + 63) / 64, 64>>>(x, y, out, n);
}
