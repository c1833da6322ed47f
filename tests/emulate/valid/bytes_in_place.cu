// arrays: x inout uint8 N
// N: 1001
// Neighbouring threads use neighbouring bytes of one word: no race.
__global__ void invert(unsigned char* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 255 - x[i];
}
extern "C" void run(int n, unsigned char* x) { invert<<<(n + 127) / 128, 128>>>(x, n); }
