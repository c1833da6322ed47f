// task: affine
// row: 25
// expect: POLICY_REJECTED
// level: screen
// behind: UNSUPPORTED
// Sets LD_PRELOAD to its own object and starts the harness once more.
extern "C" int setenv(const char*, const char*, int);
extern "C" char* getenv(const char*);
extern "C" int execv(const char*, char* const*);

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    int (*volatile set)(const char*, const char*, int) = &setenv;
    char* (*volatile get)(const char*) = &getenv;
    int (*volatile again)(const char*, char* const*) = &execv;
    if (get("LD_PRELOAD") != nullptr) return;
    set("LD_PRELOAD", "./candidate.so", 1);
    char name[] = "harness", library[] = "candidate.so";
    char* arguments[] = {name, library, nullptr};
    again("/proc/self/exe", arguments);
}
