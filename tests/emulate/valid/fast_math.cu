// arrays: x in float32 N; out out float32 14*N
// N: 300
__global__ void functions(const float* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i], p = fabsf(v) + 0.5f, s, c;
    float* r = out + 14 * i;
    __sincosf(v, &s, &c);
    r[0] = __expf(v);
    r[1] = __logf(p);
    r[2] = __sinf(v) + s;
    r[3] = __cosf(v) + c;
    r[4] = __powf(p, 1.5f);
    r[5] = __fdividef(v, p);
    r[6] = __exp10f(v);
    r[7] = __log2f(p) + __log10f(p);
    r[8] = rsqrtf(p);
    r[9] = __frcp_rn(p);
    r[10] = __fsqrt_rn(p);
    r[11] = __fmaf_rn(v, p, 2.0f);
    r[12] = __saturatef(2 * v);
    r[13] = __tanf(v) + __frsqrt_rn(p);
}
extern "C" void run(int n, const float* x, float* out) { functions<<<(n + 127) / 128, 128>>>(x, out, n); }
