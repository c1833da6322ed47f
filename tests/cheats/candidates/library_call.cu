// task: affine
// row: 30
// expect: POLICY_REJECTED
// level: screen
// A library call where the task wants a kernel.
#include <thrust/transform.h>

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
}
