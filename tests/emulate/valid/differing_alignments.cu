// arrays: x in int32 N; out out int64 N
// N: 64
// Sixteen bytes of eight-byte alignment, at every second multiple of eight, beside vectors that are aligned to their size.
struct Counted {
    long long value;
    int count;
};
struct Entry {
    long long key;
    Counted counted;
};
struct Pair {
    int first, second;
};
struct Odd {
    int before;
    Pair pair;
};
__device__ __noinline__ Counted twice(Counted c) { return {2 * c.value, c.count + 7}; }
__global__ void turn(const int* x, Entry* entries, Odd* odd) {
    __shared__ Entry table[64];
    __shared__ double2 aligned[64];
    const int i = threadIdx.x, j = 63 - i;
    table[i].counted = Counted{x[i], 0};
    table[i].key = i;
    aligned[i] = make_double2(x[i], 1);
    __syncthreads();
    entries[i] = table[j];
    entries[i].counted = twice(table[j].counted);
    odd[i].pair = Pair{x[j], (int)aligned[j].x};
}
__global__ void add(const Entry* entries, const Odd* odd, long long* out) {
    const int i = threadIdx.x;
    const Counted c = entries[i].counted;
    const Pair p = odd[i].pair;
    out[i] = c.value + c.count + (p.first + p.second) / 2;
}
extern "C" void run(int n, const int* x, long long* out) {
    Entry* entries;
    Odd* odd;
    cudaMalloc(&entries, n * sizeof(Entry));
    cudaMalloc(&odd, n * sizeof(Odd));
    turn<<<1, n>>>(x, entries, odd);
    add<<<1, n>>>(entries, odd, out);
    cudaFree(entries);
    cudaFree(odd);
}
