// arrays: x in int32 N; out out int32 N
// N: 128
__managed__ int table[4];
__managed__ int calls;
__global__ void look_up(const int* x, int* out, int n) {
    int i = threadIdx.x;
    if (i < n) out[i] = table[x[i] % 4];
    if (i == 0) calls++;
}
extern "C" void run(int n, const int* x, int* out) {
    for (int k = 0; k < 4; k++) table[k] = 10 * k;
    calls = 0;
    look_up<<<1, 128>>>(x, out, n);
    cudaDeviceSynchronize();
    if (calls == 1) table[0] = 5;
    look_up<<<1, 128>>>(x, out, n);
    cudaDeviceSynchronize();
}
