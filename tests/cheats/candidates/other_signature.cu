// task: affine
// row: fault
// expect: BUILD_FAILED
// level: screen
// The right name with other parameters.
extern "C" void affine(int n, float* z) {}
