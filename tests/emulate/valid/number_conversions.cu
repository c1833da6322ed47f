// arrays: x in float32 N; out out int64 10*N
// N: 200
__global__ void convert(const float* x, long long* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i] * 1000.0f;
    long long* r = out + 10 * i;
    r[0] = __float2int_rn(v);
    r[1] = __float2int_rz(v);
    r[2] = __float2int_rd(v);
    r[3] = __float2int_ru(v);
    r[4] = __float2uint_rz(v);
    r[5] = __float2ll_rn(v * 1e10f);
    r[6] = __double2int_rn((double)v);
    r[7] = __double2ll_rd((double)v * 1e12);
    r[8] = __float2int_rz(v * 1e10f) + __float2int_rn(__int_as_float(0x7fc00000));
    r[9] = (long long)__float2ull_rn(fabsf(v));
}
extern "C" void run(int n, const float* x, long long* out) { convert<<<(n + 63) / 64, 64>>>(x, out, n); }
