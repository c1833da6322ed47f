// arrays: x in float32 N; out out float32 N
// N: 64

__global__ void sums(const float* x, float* out) {
    __shared__ float part[64];
    const int i = threadIdx.x;
    part[i] = x[i];
    __syncthreads();
    if (i < 32) {
        part[i] += part[i + 16];  // finding: race_shared_rw race_shared_wr // twin: const float v = part[i + 16]; __syncwarp(); part[i] += v;
        __syncwarp();
        part[i] += part[i + 8];  // finding: race_shared_rw race_shared_wr // twin: const float w = part[i + 8]; __syncwarp(); part[i] += w;
    }
    __syncthreads();
    out[i] = part[i];
}
extern "C" void run(int n, const float* x, float* out) { sums<<<1, n>>>(x, out); }
