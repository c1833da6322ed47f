"""What a candidate's compiled code may take from the libraries of the system: what computes, counts, keeps memory and prints.

The list is of what is allowed, since nobody can list all by which a C library starts a thread, opens a file or asks the kernel: functions
for asynchronous reading, for messages and names, for words as a shell reads them, for folders, for the character sets of other countries.
"""

import re
from collections.abc import Iterable

from regrapht.records.task import Task

# fmt: off
_MATHEMATICS = (
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign", "cos", "cosh", "erf",
    "erfc", "exp", "exp2", "exp10", "expm1", "fabs", "fdim", "floor", "fma", "fmax", "fmin", "fmod", "frexp",
    "hypot", "ilogb", "j0", "j1", "jn", "ldexp", "lgamma", "llrint", "llround", "log", "log10", "log1p", "log2",
    "logb", "lrint", "lround", "modf", "nan", "nearbyint", "nextafter", "nexttoward", "pow", "remainder", "remquo",
    "rint", "round", "roundeven", "scalbln", "scalbn", "sin", "sincos", "sinh", "sqrt", "tan", "tanh", "tgamma",
    "trunc", "y0", "y1", "yn", "gamma", "drem", "cabs", "cacos", "cacosh", "carg", "casin", "casinh", "catan",
    "catanh", "ccos", "ccosh", "cexp", "cimag", "clog", "conj", "cpow", "cproj", "creal", "csin", "csinh", "csqrt",
    "ctan", "ctanh",
)
_PURE = frozenset({
    # strings and memory
    "memcpy", "memmove", "mempcpy", "memset", "memcmp", "memchr", "memrchr", "memccpy", "memmem", "bcopy", "bzero",
    "bcmp", "rawmemchr", "strlen", "strnlen", "strcmp", "strncmp", "strcasecmp", "strncasecmp", "strchr", "strrchr",
    "strchrnul", "strstr", "strcasestr", "strpbrk", "strspn", "strcspn", "strcpy", "stpcpy", "strncpy", "stpncpy",
    "strcat", "strncat", "strdup", "strndup", "strtok", "strtok_r", "strsep", "strerror", "strerror_r", "strcoll",
    "strxfrm", "ffs", "ffsl", "ffsll", "wcslen", "wmemcpy", "wmemset", "wmemmove", "wmemcmp", "wmemchr", "wcscmp",
    "malloc", "calloc", "realloc", "reallocarray", "free", "aligned_alloc", "posix_memalign", "memalign", "valloc",
    "malloc_usable_size",
    # numbers, order and chance
    "abs", "labs", "llabs", "div", "ldiv", "lldiv", "atoi", "atol", "atoll", "atof", "strtol", "strtoll", "strtoul",
    "strtoull", "strtof", "strtod", "strtold", "strtoimax", "strtoumax", "qsort", "qsort_r", "bsearch", "rand",
    "srand", "rand_r", "random", "srandom", "random_r", "drand48", "erand48", "lrand48", "nrand48", "mrand48",
    "jrand48", "srand48", "getrandom", "arc4random", "lgamma_r", "lgammaf_r", "lgammal_r", "fegetround",
    "fesetround", "feclearexcept", "fetestexcept", "feraiseexcept", "fegetenv", "fesetenv",
    # printing; what a program prints is refused elsewhere, by what it does
    "printf", "vprintf", "fprintf", "vfprintf", "sprintf", "vsprintf", "snprintf", "vsnprintf", "asprintf",
    "vasprintf", "sscanf", "vsscanf", "puts", "fputs", "putchar", "putc", "fputc", "fwrite", "fflush", "perror",
    "stdout", "stderr", "putchar_unlocked", "fputc_unlocked", "fputs_unlocked", "fwrite_unlocked", "ferror",
    "clearerr", "setvbuf", "setbuf",
    # time
    "time", "clock", "clock_gettime", "clock_getres", "gettimeofday", "difftime", "mktime", "timegm", "gmtime",
    "gmtime_r", "localtime", "localtime_r", "strftime", "asctime", "ctime", "timespec_get", "nanosleep",
    "clock_nanosleep", "usleep", "sleep",
    # endings, and what a compiler or the C++ library's headers need themselves; nvcc's own start-up code registers an ending
    "abort", "exit", "atexit", "regrapht_call", "pthread_self", "pthread_equal", "pthread_once",
    "pthread_mutex_init", "pthread_mutex_destroy", "pthread_mutex_lock", "pthread_mutex_trylock",
    "pthread_mutex_unlock", "pthread_key_create", "pthread_key_delete", "pthread_getspecific",
    "pthread_setspecific", "pthread_rwlock_rdlock", "pthread_rwlock_wrlock", "pthread_rwlock_unlock", "sched_yield",
    "sched_getcpu", "get_nprocs", "sysconf", "getpagesize", "iswctype", "isalnum", "isalpha", "isblank", "iscntrl",
    "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace", "isupper", "isxdigit", "tolower", "toupper",
})
_LOADING = frozenset({"dlopen", "dlsym", "dlclose", "dlerror", "getenv", "secure_getenv"})
"""What the headers of CUB and Thrust use themselves: allowed with them."""
_KINDS = re.compile(
    rf"({'|'.join(_MATHEMATICS)})[fl]?(_finite)?|__({'|'.join(_MATHEMATICS)})[fl]?_finite|({'|'.join(_MATHEMATICS)})f(16|32|64|128)x?"
    r"|__(fpclassify|isinf|isnan|finite|signbit|issignaling)[fl]?|(isinf|isnan|finite)[fl]?"
    r"|__\w+([hsdtxb]f|[sdt]i|[hsdtx]c)[2345]?"  # the compiler's own: wide integers, halves, complex numbers
    r"|__(memcpy|memmove|mempcpy|memset|strcpy|stpcpy|strncpy|strcat|strncat|v?s?n?printf|v?fprintf|asprintf|longjmp|fdelt|explicit_bzero)_chk"
    r"|__isoc(99|23)_\w+|__ctype_\w+|__errno_location|__assert_(fail|perror_fail)|__stack_chk_fail|__tls_get_addr|__libc_single_threaded"
    r"|__pthread_key_create|__gmon_start__|_ITM_\w+|_GLOBAL_OFFSET_TABLE_|_DYNAMIC|__dso_handle|_Unwind_\w+|__gxx_personality_\w+|__gcc_personality_v0"
    r"|__cxa_(?!at_quick_exit)\w+|__dynamic_cast|__once_proxy|__(tsan|asan|ubsan|sanitizer)_\w+|__atomic_\w+|__wrap_\w+"
    r"|emulated\w*|(block|grid|thread)(Dim|Idx)|warpSize|(__)?cuda[A-Z]\w*|__nv\w*|cu[A-Z]\w*|(cublas|cufft|cusparse|cusolver|cudnn|curand|npp|nccl)\w*"
)
_CLASSES = re.compile(
    r"_ZN?K?7runtime|_Z\w*?(St6thread|St7jthread|St14basic_ifstream|St14basic_ofstream|St13basic_f|St12__basic_file|NSt10filesystem|NSt12experimental10filesystem"
    r"|St18condition_variable|St15condition_|St13__future_base|stdio_\w*filebuf|9__gnu_cxx13stdio|St6localeC\dEPKc|4tzdb)"
)
"""Of the C++ library, for threads and files; and the emulator's own variables."""
# fmt: on


def forbidden_imports(names: Iterable[str], task: Task) -> list[str]:
    """Those of `names` that a candidate for `task` may not use, sorted."""
    plain = {name.split("@")[0] for name in names}
    return sorted(name for name in plain if name and not _is_allowed(name, task))


def _is_allowed(name: str, task: Task) -> bool:
    if name.startswith("_Z"):
        return _CLASSES.match(name) is None
    if name in _LOADING:
        return bool(task.contract.allow_libraries)
    return name in _PURE or _KINDS.fullmatch(name) is not None
