// arrays: x in float32 N; y in float32 N; out out float32 12*N
// N: 200
// Each result rounded down, up and towards zero.
__global__ void rounded(const float* x, const float* y, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float a = x[i], b = y[i];
    float* r = out + 12 * i;
    r[0] = __fadd_rd(a, b);
    r[1] = __fadd_ru(a, b);
    r[2] = __fadd_rz(a, b);
    r[3] = __fmul_rd(a, b);
    r[4] = __fmul_ru(a, b);
    r[5] = __fmul_rz(a, b);
    r[6] = __double2float_rd(a * 1.000000123);
    r[7] = __double2float_ru(a * 1.000000123);
    r[8] = __double2float_rz(a * 1.000000123);
    r[9] = __int2float_rd(__float_as_int(a));
    r[10] = __int2float_ru(__float_as_int(a));
    r[11] = __fadd_rn(__fmul_rn(a, b), 1.0f);
}
extern "C" void run(int n, const float* x, const float* y, float* out) {
    rounded<<<(n + 63) / 64, 64>>>(x, y, out, n);
}
