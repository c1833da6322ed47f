// arrays: x in float32 N; out out float32 N
// N: 512

__global__ void rounds(const float* x, float* out, int n) {
    __shared__ float part[64];
    float total = 0;
    for (int first = 0; first < n; first += 64) {
        part[threadIdx.x] = x[first + threadIdx.x];  // finding: race_shared_rw
        __syncthreads();
        for (int k = 0; k < 64; k++) total += part[k];  // finding: race_shared_wr // twin: for (int k = 0; k < 64; k++) total += part[k]; __syncthreads();
    }
    for (int i = threadIdx.x; i < n; i += 64) out[i] = total;
}
extern "C" void run(int n, const float* x, float* out) { rounds<<<1, 64>>>(x, out, n); }
