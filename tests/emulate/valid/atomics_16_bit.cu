// arrays: x in int32 N; out out uint16 2
// N: 300
// Two 16-bit counters in one word, each updated by compare-and-swap of its own half.
__global__ void count(const int* x, unsigned short* counters, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned short* mine = &counters[x[i] % 2];
    unsigned short old = 0, assumed;
    do {
        assumed = old;
        old = atomicCAS(mine, assumed, (unsigned short)(assumed + 1));
    } while (old != assumed);
}
extern "C" void run(int n, const int* x, unsigned short* out) {
    cudaMemset(out, 0, 2 * sizeof(unsigned short));
    count<<<(n + 63) / 64, 64>>>(x, out, n);
}
