// task: affine
// row: 30
// expect: POLICY_REJECTED
// level: screen
// Calls a vendor's library without its header, by names that are put together.
#define PASTE(a, b) a##b
extern "C" int PASTE(cub, lasSaxpy_v2)(void*, int, const float*, const float*, int, float*, int);

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    cudaMemcpy(z, y, n * sizeof(float), cudaMemcpyDeviceToDevice);
    PASTE(cub, lasSaxpy_v2)(nullptr, n, &a, x, 1, z, 1);
}
