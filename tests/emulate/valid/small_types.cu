// arrays: a in int8 N; b in uint16 N; out out int16 2*N
// N: 501
__global__ void mix(const signed char* a, const unsigned short* b, short* out, int n) {
    __shared__ signed char bytes[128];
    __shared__ unsigned short words[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bytes[threadIdx.x] = i < n ? a[i] : 0;
    words[127 - threadIdx.x] = i < n ? b[i] : 0;
    __syncthreads();
    if (i >= n) return;
    out[2 * i] = (short)(bytes[threadIdx.x] - words[127 - threadIdx.x]);
    out[2 * i + 1] = (short)(bytes[threadIdx.x ^ 1] * 2);
}
extern "C" void run(int n, const signed char* a, const unsigned short* b, short* out) { mix<<<(n + 127) / 128, 128>>>(a, b, out, n); }
