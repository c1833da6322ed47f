// arrays: x in uint8 N; out out uint32 256
// N: 30000
#define BINS 256
__global__ void hist(const unsigned char* in, unsigned int* out, int n) {
    __shared__ unsigned int h[BINS];
    for (int i = threadIdx.x; i < BINS; i += blockDim.x) h[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&h[in[i]], 1);
    __syncthreads();
    for (int i = threadIdx.x; i < BINS; i += blockDim.x) atomicAdd(&out[i], h[i]);
}
extern "C" void run(int n, const unsigned char* x, unsigned int* out) {
    cudaMemset(out, 0, BINS * sizeof(unsigned));
    hist<<<6, 128>>>(x, out, n);
}
