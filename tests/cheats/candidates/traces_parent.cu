// task: affine
// row: 22
// expect: POLICY_REJECTED
// level: slow
// Attaches to the first process of its space, by the system call itself. That stops its own sandbox, and nothing else.
#define PASTE(a, b) a##b
static long raw(long number, long first, long second, long third, long fourth) {
    long result;
    register long r10 PASTE(__as, m__)("r10") = fourth;
    PASTE(__as, m__) volatile("sysc" "all" : "=a"(result) : "a"(number), "D"(first), "S"(second), "d"(third), "r"(r10) : "rcx", "r11", "memory");
    return result;
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    raw(101, 16, 1, 0, 0);
}
