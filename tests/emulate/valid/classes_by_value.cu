// arrays: x in int32 N; out out int64 N
// N: 64
// Elements of arrays are what calls return and take by value: in registers, in memory, from operators, as members.
struct Triple {
    char a, b, c;
};
struct Wide {
    long long part[5];
};
struct Cell {
    short2 corner;
    float4 weight;
    Wide wide;
    Triple triple;
};
__device__ __noinline__ short2 corner_of(int v) { return {(short)v, (short)(v + 1)}; }
__device__ __noinline__ float4 operator+(float4 a, float4 b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }
__device__ __noinline__ Wide widened(short2 c) { return {{c.x, c.y, 2, 3, 4}}; }
__device__ __noinline__ Triple triple_of(int v) { return {(char)(v & 3), 2, 3}; }
__device__ __noinline__ long long total(Wide w, float4 f, Triple t) {
    return w.part[0] + w.part[1] + w.part[4] + (long long)(f.x + f.w) + t.a + t.c;
}
__global__ void fill(const int* x, Cell* cells) {
    extern __shared__ short2 corners[];
    __shared__ float4 weights[64];
    const int i = threadIdx.x, j = 63 - i;
    corners[i] = corner_of(x[i]);
    weights[i] = make_float4(i, 0, 0, 1) + make_float4(1, 1, 1, 1);
    __syncthreads();
    cells[i].corner = corners[j];
    cells[i].weight = weights[j] + weights[i];
    cells[i].wide = widened(corners[j]);
    cells[i].triple = triple_of(x[j]);
}
__global__ void add(const Cell* cells, long long* out) {
    const int i = threadIdx.x;
    out[i] = total(cells[i].wide, cells[i].weight, cells[i].triple) + cells[i].corner.x;
}
extern "C" void run(int n, const int* x, long long* out) {
    Cell* cells;
    cudaMalloc(&cells, n * sizeof(Cell));
    fill<<<1, n, n * sizeof(short2)>>>(x, cells);
    add<<<1, n>>>(cells, out);
    cudaFree(cells);
}
