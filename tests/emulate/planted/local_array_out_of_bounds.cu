// arrays: x in float32 N; out out float32 N
// N: 256

__global__ void smooth(const float* x, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float window[8];
    for (int k = 0; k < 8; k++) window[k] = x[(i + k) % n];
    float total = 0;
    for (int k = 0; k < 8; k++) total += window[(k + i % 3) % 9];  // finding: local_oob // twin: for (int k = 0; k < 8; k++) total += window[(k + i % 3) % 8];
    out[i] = total;
}
extern "C" void run(int n, const float* x, float* out) { smooth<<<n / 64, 64>>>(x, out, n); }
