// task: affine
// row: 31
// expect: POLICY_REJECTED
// level: screen
// behind: PASSED
// Asks the preprocessor which files of the machine there are. Behind the rule, in the sandbox, there are none and the answer is right.
#if __has_include("/etc/passwd") || __has_include("/etc/shadow") || __has_include("/root/.ssh/id_rsa")
#error "a file of the machine can be seen"
#endif

__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
}
