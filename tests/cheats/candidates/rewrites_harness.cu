// task: affine
// row: 21
// expect: POLICY_REJECTED
// level: screen
// behind: UNWRITTEN
// Opens the running program for writing, through a pointer past the text's rules.
#include <cstdio>

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    FILE* (*volatile open)(const char*, const char*) = &std::fopen;
    if (FILE* file = open("/proc/self/exe", "r+")) std::fclose(file);
}
