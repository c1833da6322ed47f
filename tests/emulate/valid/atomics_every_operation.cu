// arrays: x in uint32 N; out out uint32 12
// N: 500
// Every operation on 32 bits; the results do not depend on the order.
__global__ void update(const unsigned* x, unsigned* r, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned v = x[i];
    atomicAdd(&r[0], v);
    atomicSub(&r[1], v);
    atomicMin(&r[2], v);
    atomicMax(&r[3], v);
    atomicAnd(&r[4], v | 0xf0);
    atomicOr(&r[5], v);
    atomicXor(&r[6], v);
    atomicInc(&r[7], 16);
    atomicDec(&r[8], 11);
    if (i == 77) atomicExch(&r[9], v);
    atomicMin((int*)&r[10], (int)v - 50);
    unsigned seen = 0, wanted;
    do {
        wanted = seen;
        seen = atomicCAS(&r[11], wanted, max(wanted, v * v));
    } while (seen != wanted);
}
extern "C" void run(int n, const unsigned* x, unsigned* out) {
    unsigned start[12] = {0, 0, 1u << 30, 0, 0xffffffffu, 0, 0, 0, 0, 0, 0, 0};
    cudaMemcpy(out, start, sizeof start, cudaMemcpyHostToDevice);
    update<<<(n + 127) / 128, 128>>>(x, out, n);
}
