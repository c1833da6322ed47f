// arrays: x in uint32 N; y in uint32 N; out out int32 20*N
// N: 200
__global__ void intrinsics(const unsigned* x, const unsigned* y, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned a = x[i] * 2654435761u, b = y[i] * 40503u + 12345u;
    long long wide = (long long)((unsigned long long)a << 32 | b);
    int* r = out + 20 * i;
    r[0] = __popc(a) + 100 * __popcll(wide);
    r[1] = __clz(a | 1) + 100 * __clzll(wide | 1) + 10000 * __clz(0);
    r[2] = __ffs(b) + 100 * __ffsll((long long)b << 20) + 10000 * __ffs(0);
    r[3] = __brev(a);
    r[4] = (int)(__brevll(wide) >> 32);
    r[5] = __mulhi((int)a, (int)b);
    r[6] = __umulhi(a, b);
    r[7] = __mul24((int)a, (int)b);
    r[8] = __umul24(a, b);
    r[9] = (int)(__umul64hi((unsigned long long)wide, 0x123456789abcdefull) >> 8);
    r[10] = (int)__mul64hi(wide, -3);
    r[11] = __sad((int)a, (int)b, 5u);
    r[12] = __usad(a, b, 7u);
    r[13] = __hadd((int)a, (int)b);
    r[14] = __rhadd((int)a, (int)b);
    r[15] = __uhadd(a, b);
    r[16] = __urhadd(a, b);
    r[17] = min((int)a, (int)b) ^ max(a, b);
    r[18] = abs((int)a >> 1) + (int)(llabs((long long)(int)b) >> 1);
    r[19] = __fns(b, 0, 3) + 64 * __fns(b, 31, -2);
}
extern "C" void run(int n, const unsigned* x, const unsigned* y, int* out) {
    intrinsics<<<(n + 63) / 64, 64>>>(x, y, out, n);
}
