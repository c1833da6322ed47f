// arrays: x in int32 N; y in int32 N; out out int32 8*N
// N: 150
__global__ void extremes(const int* x, const int* y, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int a = x[i] - 50, b = y[i] - 50, c = i - 75;
    unsigned p = x[i] * 2654435761u, q = y[i] * 2246822519u;
    bool first;
    int* r = out + 8 * i;
    r[0] = __vimax3_s32(a, b, c);
    r[1] = __vimin3_s32_relu(a, b, c);
    r[2] = __viaddmax_s32(a, b, c);
    r[3] = __viaddmin_s32_relu(a, b, c);
    r[4] = __vibmax_s32(a, b, &first);
    r[4] += 1000 * first;
    r[5] = __vimax3_s16x2(p, q, 0x00010001u);
    r[6] = __viaddmax_s16x2_relu(p, q, 0u);
    r[7] = __vimin3_u16x2(p, q, 0x7fff7fffu);
}
extern "C" void run(int n, const int* x, const int* y, int* out) { extremes<<<(n + 31) / 32, 32>>>(x, y, out, n); }
