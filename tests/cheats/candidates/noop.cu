// task: affine
// row: 1
// expect: UNWRITTEN
// level: screen
// Does nothing at all, and hopes that an earlier result still lies there.
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {}
