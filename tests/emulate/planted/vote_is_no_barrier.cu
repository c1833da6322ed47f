// arrays: x in float32 N; out out float32 N
// N: 64

__global__ void first_of_warp(const float* x, float* out) {
    __shared__ int where[2];
    const int i = threadIdx.x, lane = i % 32;
    const unsigned positive = __ballot_sync(0xffffffffu, x[i] > 0);
    if (lane == 0) where[i / 32] = __ffs(positive);  // other access
    const bool any = __any_sync(0xffffffffu, x[i] > 0);
    // twin: __syncwarp();
    out[i] = any ? where[i / 32] : 0;  // finding: race_shared_wr uninit_read_shared
}
extern "C" void run(int n, const float* x, float* out) { first_of_warp<<<1, n>>>(x, out); }
