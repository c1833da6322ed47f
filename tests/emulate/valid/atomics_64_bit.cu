// arrays: x in int64 N; out out int64 9
// N: 400
typedef unsigned long long u64;
__global__ void update(const long long* x, long long* r, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    long long v = x[i] * 1000003 * (i % 2 ? 1 : -1);
    atomicAdd((u64*)&r[0], (u64)v);
    atomicMin(&r[1], v);
    atomicMax(&r[2], v);
    atomicAnd(&r[3], v | 0xff00);
    atomicOr(&r[4], v);
    atomicXor(&r[5], v);
    atomicMax((u64*)&r[6], (u64)x[i]);
    if (i == 5) atomicExch((u64*)&r[7], 1ull << 60);
    u64 old = 0, assumed;
    do {
        assumed = old;
        old = atomicCAS((u64*)&r[8], assumed, assumed + (u64)x[i] * 3);
    } while (old != assumed);
}
extern "C" void run(int n, const long long* x, long long* out) {
    long long start[9] = {0, 0, 0, -1, 0, 0, 0, 0, 0};
    cudaMemcpy(out, start, sizeof start, cudaMemcpyHostToDevice);
    update<<<(n + 63) / 64, 64>>>(x, out, n);
}
