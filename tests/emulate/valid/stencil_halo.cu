// arrays: x in float32 N*N; out out float32 N*N
// N: 70
#define R 2
#define EDGE 16
__global__ void stencil(const float* in, float* out, int w, int h) {
    __shared__ float t[EDGE + 2 * R][EDGE + 2 * R];
    int gx = blockIdx.x * EDGE + threadIdx.x, gy = blockIdx.y * EDGE + threadIdx.y;
    for (int y = threadIdx.y; y < EDGE + 2 * R; y += EDGE)
        for (int x = threadIdx.x; x < EDGE + 2 * R; x += EDGE) {
            int ix = min(max((int)(blockIdx.x * EDGE) + x - R, 0), w - 1), iy = min(max((int)(blockIdx.y * EDGE) + y - R, 0), h - 1);
            t[y][x] = in[iy * w + ix];
        }
    __syncthreads();
    if (gx < w && gy < h) {
        float s = 0;
        for (int d = -R; d <= R; d++) s += t[threadIdx.y + R + d][threadIdx.x + R] + t[threadIdx.y + R][threadIdx.x + R + d];
        out[gy * w + gx] = s / (4 * R + 2);
    }
}
extern "C" void run(int n, const float* x, float* out) {
    stencil<<<dim3((n + EDGE - 1) / EDGE, (n + EDGE - 1) / EDGE), dim3(EDGE, EDGE)>>>(x, out, n, n);
}
