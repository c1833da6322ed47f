// task: affine
// row: fault
// expect: BUILD_FAILED
// level: screen
// Not C++.
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { this is not code }
