// The whole runtime as one unit: the compiler sees through every check, and it builds in one go. Compiled twice: with REGRAPHT_CHECKED
// for programs whose accesses are instrumented, without it for plain ones. It is itself never instrumented. x86-64 Linux.
#include <sys/time.h>
#include "device_api.cpp"
#include "host_api.cpp"
#include "compiler_hooks.cpp"
#include "harness.cpp"
