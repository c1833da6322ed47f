// arrays: x in float32 N; out out float32 N
// N: 2048
// One warp fetches, the others compute; all meet at the same barriers.
__global__ void pipeline(const float* x, float* out, int n) {
    __shared__ float stage[2][96];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, chunks = (n + 95) / 96;
    for (int chunk = 0; chunk <= chunks; chunk++) {
        if (warp == 0) {
            for (int k = lane; k < 96 && chunk < chunks; k += 32) stage[chunk % 2][k] = 96 * chunk + k < n ? x[96 * chunk + k] : 0.0f;
        } else if (chunk > 0) {
            int k = threadIdx.x - 32, i = 96 * (chunk - 1) + k;
            if (i < n) out[i] = stage[(chunk - 1) % 2][k] * stage[(chunk - 1) % 2][95 - k];
        }
        __syncthreads();
    }
}
extern "C" void run(int n, const float* x, float* out) { pipeline<<<1, 128>>>(x, out, n); }
