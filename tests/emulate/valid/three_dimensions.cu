// arrays: x in float32 N*N*N; out out float32 N*N*N
// N: 13
// A 7-point stencil on a cube, blocks and grid in three dimensions, odd edges.
__global__ void stencil(const float* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    int k = blockIdx.z * blockDim.z + threadIdx.z;
    if (i >= n || j >= n || k >= n) return;
    auto at = [&](int a, int b, int c) { return a < 0 || b < 0 || c < 0 || a >= n || b >= n || c >= n ? 0.0f : x[(c * n + b) * n + a]; };
    out[(k * n + j) * n + i] =
        at(i, j, k) + 0.5f * (at(i - 1, j, k) + at(i + 1, j, k) + at(i, j - 1, k) + at(i, j + 1, k) + at(i, j, k - 1) + at(i, j, k + 1));
}
extern "C" void run(int n, const float* x, float* out) {
    dim3 block(8, 4, 2), grid((n + 7) / 8, (n + 3) / 4, (n + 1) / 2);
    stencil<<<grid, block>>>(x, out, n);
}
