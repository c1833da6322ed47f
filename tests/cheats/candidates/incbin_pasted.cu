// task: affine
// row: 31
// expect: POLICY_REJECTED
// level: screen
// behind: BUILD_FAILED
// Embeds a file of the machine by the assembler, with no word of it in one piece.
#define PASTE(a, b) a##b
PASTE(__as, m__)(".inc" "bin \"/etc/passwd\"");

__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
}
