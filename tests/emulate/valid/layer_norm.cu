// arrays: x in float32 96*N; out out float32 96*N
// N: 30
// A warp a row; two sums in one pass.
__global__ void normalise(const float* x, float* out, int rows) {
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float v[3], sum = 0, squares = 0;
    for (int k = 0; k < 3; k++) {
        v[k] = x[row * 96 + 32 * k + lane];
        sum += v[k];
        squares += v[k] * v[k];
    }
    for (int d = 16; d; d >>= 1) {
        sum += __shfl_xor_sync(~0u, sum, d);
        squares += __shfl_xor_sync(~0u, squares, d);
    }
    float mean = sum / 96, scale = rsqrtf(squares / 96 - mean * mean + 1e-5f);
    for (int k = 0; k < 3; k++) out[row * 96 + 32 * k + lane] = (v[k] - mean) * scale;
}
extern "C" void run(int n, const float* x, float* out) { normalise<<<(n + 3) / 4, 128>>>(x, out, n); }
