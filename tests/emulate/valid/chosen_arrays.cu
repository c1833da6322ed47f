// arrays: x in int32 N; y out int32 N
// N: 256
// Arrays that a condition chooses: members of an object in shared memory, rows, parameters, local arrays, by a macro; and pointers.
struct Pair { int even[64], odd[64]; };

#define CHOSEN(parity, a, b) ((parity) ? (b) : (a))

__device__ void put(int (&a)[64], int (&b)[64], int place, int value) { (place % 2 == 0 ? a : b)[place / 2] = value; }

__global__ void choose(int n, const int* x, int* y) {
    __shared__ Pair pair;
    __shared__ int row[2][64], third[64];
    const int t = threadIdx.x, base = blockIdx.x * 128;
    int own[2] = {t, t + 1}, other[2] = {3 * t, 3 * t + 1};
    (t % 2 == 0 ? pair.even : pair.odd)[t / 2] = x[base + t];
    CHOSEN(t % 2, row[0], row[1])[t / 2] = 2 * x[base + t];
    if (t < 64) third[t] = 0;
    __syncthreads();
    const int sum = (t < 64 ? pair.even : t < 128 ? pair.odd : third)[t % 64] + ((t % 2 == 0 ? row[0] : row[1]))[t / 2];
    const int mine = (x[base + t] % 2 == 0 ? own : other)[t % 2];
    const int again = (t % 2 ? x : x + 1)[base + t - 1 + t % 2];
    __syncthreads();
    put(pair.even, pair.odd, t, sum);
    __syncthreads();
    y[base + t] = (t % 2 == 0 ? pair.even : pair.odd)[t / 2] + mine + again;
}

extern "C" void run(int n, const int* x, int* y) { choose<<<n / 128, 128>>>(n, x, y); }
