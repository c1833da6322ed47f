// arrays: x in float32 N; out out float32 1
// N: 20001
__device__ __inline__ float sumOfWarp(float x) {
    for (int step = 1; step < warpSize; step *= 2) x += __shfl_down_sync(~0u, x, step);
    return x;
}
__device__ __inline__ float sumOfBlock(float x) {
    static __shared__ float perWarp[32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x & 31, warps = blockDim.x / 32;
    x = sumOfWarp(x);
    if (!lane) perWarp[warp] = x;
    __syncthreads();
    if (warp) return 0.f;
    return sumOfWarp(lane < warps ? perWarp[lane] : 0.f);
}
__global__ void total(const float* in, float* out, int n) {
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) mine += in[i];
    mine = sumOfBlock(mine);
    if (threadIdx.x == 0) atomicAdd(out, mine);
}
extern "C" void run(int n, const float* x, float* out) {
    cudaMemset(out, 0, sizeof(float));
    total<<<8, 256>>>(x, out, n);
}
