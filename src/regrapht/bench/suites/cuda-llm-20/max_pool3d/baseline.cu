__global__ void max_pool3d_kernel(int cubes, int depth, int out, const float* __restrict__ x, float* __restrict__ y) {
    const long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (long)cubes * out * out * out) return;
    const int ox = i % out, oy = i / out % out, oz = i / out / out % out, cube = i / out / out / out;
    float best = -INFINITY;
    for (int kz = 0; kz < 3; kz++)
        for (int ky = 0; ky < 3; ky++)
            for (int kx = 0; kx < 3; kx++) {
                const int z = 2 * oz - 1 + 3 * kz, row = 2 * oy - 1 + 3 * ky, column = 2 * ox - 1 + 3 * kx;
                if (z < 0 || row < 0 || column < 0 || z >= depth || row >= depth || column >= depth) continue;
                const float value = x[(((long)cube * depth + z) * depth + row) * depth + column];
                best = value > best ? value : best;
            }
    y[i] = best;
}

extern "C" void max_pool3d(int batch, int channels, int depth, const float* x, float* y) {
    const int out = (depth - 5) / 2 + 1;
    const long count = (long)batch * channels * out * out * out;
    max_pool3d_kernel<<<(count + 255) / 256, 256>>>(batch * channels, depth, out, x, y);
}
