// arrays: x in float64 N; out out float64 18*N
// N: 120
__global__ void functions(const double* x, double* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double v = x[i], p = fabs(v) + 0.25, s, c;
    double* r = out + 18 * i;
    sincospi(v, &s, &c);
    r[0] = normcdf(v);
    r[1] = normcdfinv(p);
    r[2] = erfcinv(p);
    r[3] = erfinv(v);
    r[4] = erfcx(4 * v);
    r[5] = sinpi(3 * v) + s;
    r[6] = cospi(3 * v) + c;
    r[7] = rhypot(v, p);
    r[8] = norm3d(v, p, 2.0);
    r[9] = rnorm4d(v, p, 2.0, 3.0);
    r[10] = rcbrt(p);
    r[11] = cyl_bessel_i0(v) + cyl_bessel_i1(v);
    r[12] = j0(p) + y1(p);
    r[13] = tgamma(p) + lgamma(p);
    r[14] = rsqrt(p);
    r[15] = normcdff((float)v) + erfcinvf((float)p);
    r[16] = sinpif((float)v) + cospif((float)v);
    sincos(v, &s, &c);
    r[17] = s + 2 * c + exp10(v);
}
extern "C" void run(int n, const double* x, double* out) { functions<<<(n + 31) / 32, 32>>>(x, out, n); }
