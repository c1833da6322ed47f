// arrays: x in float32 2*N; out out int32 N
// N: 400
// Every lane leaves its loop at another time.
__global__ void escape(const float* x, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float re = 3 * x[2 * i], im = 2.5f * x[2 * i + 1], a = 0, b = 0;
    int count = 0;
    while (a * a + b * b < 4 && count < 12) {
        float next = a * a - b * b + re;
        b = 2 * a * b + im;
        a = next;
        if (++count % 5 == 0) continue;
        if (count > 10 && re > 0.4f) break;
    }
    out[i] = count >= 6 ? 6 : count;
}
extern "C" void run(int n, const float* x, int* out) { escape<<<(n + 127) / 128, 128>>>(x, out, n); }
