// arrays: x in float32 N; out out float32 N
// N: 96

// Thread 95 has read the word itself after all others: one remembered reader would hide them.
__global__ void broadcast(const float* x, float* out) {
    __shared__ float first;
    const int i = threadIdx.x;
    if (i == 0) first = x[0];
    __syncthreads();
    out[i] = first;  // finding: race_shared_wr // twin: out[i] = first; __syncthreads();
    if (i == 95) first = out[i] + 1;  // finding: race_shared_rw
}
extern "C" void run(int n, const float* x, float* out) { broadcast<<<1, n>>>(x, out); }
