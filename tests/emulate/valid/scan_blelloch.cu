// arrays: x in float32 N; out out float32 N
// N: 1024
__global__ void exclusiveScan(const float* in, float* out, int n) {
    extern __shared__ float tree[];
    const int me = threadIdx.x, half = n / 2;
    tree[me] = in[me];
    tree[me + half] = in[me + half];
    for (int span = 1; span < n; span *= 2) {
        __syncthreads();
        const int right = (me + 1) * 2 * span - 1;
        if (right < n) tree[right] += tree[right - span];
    }
    __syncthreads();
    if (me == 0) tree[n - 1] = 0.f;
    for (int span = half; span >= 1; span /= 2) {
        __syncthreads();
        const int right = (me + 1) * 2 * span - 1;
        if (right < n) {
            const float before = tree[right];
            tree[right] = before + tree[right - span];
            tree[right - span] = before;
        }
    }
    __syncthreads();
    out[me] = tree[me];
    out[me + half] = tree[me + half];
}
extern "C" void run(int n, const float* x, float* out) {
    exclusiveScan<<<1, n / 2, n * sizeof(float)>>>(x, out, n);
}
