// arrays: x in float32 N; out out float32 N
// N: 128

__global__ void classify(const float* x, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int bins[4] = {0, 0, 0, 0};
    for (int k = 0; k < 16; k++) bins[(int)((x[(i + k) % n] + 0.5f) * 4.0f) + 1]++;  // finding: local_oob // twin: for (int k = 0; k < 16; k++) bins[(int)((x[(i + k) % n] + 0.5f) * 4.0f)]++;
    out[i] = (float)(bins[0] + 2 * bins[1] + 3 * bins[2] + 4 * bins[3]);
}
extern "C" void run(int n, const float* x, float* out) { classify<<<n / 64, 64>>>(x, out, n); }
