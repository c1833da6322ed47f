// task: affine
// row: 13
// expect: POLICY_REJECTED
// level: screen
// behind: UNWRITTEN
// Writes a forged completion mark into every descriptor it can name, and computes nothing.
extern "C" long pwrite(int descriptor, const void* data, unsigned long bytes, long offset);

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    const unsigned forged[4] = {0x52474552u, 0x31545041u, 99u, 0x600D600Du};
    for (int descriptor = 3; descriptor < 64; ++descriptor) pwrite(descriptor, forged, sizeof forged, 0);
}
