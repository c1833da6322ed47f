// task: affine
// row: 7
// expect: POLICY_REJECTED
// level: screen
// A worker thread under another name, declared by a pasted assembler label, goes on after the return.
#define PASTE(a, b) a##b
extern "C" int start(unsigned long*, const void*, void* (*)(void*), void*) PASTE(__as, m__)("pthread" "_create");

__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

static int n_;
static float a_, *z_;
static const float *x_, *y_;

static void* work(void*) {
    affine_kernel<<<(n_ + 255) / 256, 256>>>(n_, a_, x_, y_, z_);
    return nullptr;
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    n_ = n, a_ = a, x_ = x, y_ = y, z_ = z;
    unsigned long id;
    start(&id, nullptr, work, nullptr);
}
