// The whole runtime as one unit: the compiler sees through every check, and it builds in one go. Compiled three times: with REGRAPHT_CHECKED
// for programs whose accesses are instrumented, with REGRAPHT_STACKS where only local arrays are, without both for plain ones. It is itself never instrumented. x86-64 Linux.
#include <sys/time.h>
#include "device_api.cpp"
#include "host_api.cpp"
#include "compiler_hooks.cpp"
#ifdef REGRAPHT_STACKS
#include "stack_checks.h"
#endif
#include "harness.cpp"
