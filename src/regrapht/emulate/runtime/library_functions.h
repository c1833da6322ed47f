// The C library's functions that touch memory, as the linker gives them to candidates: each looks at what it is about to read and write.
// MEMORY_FUNCTIONS of build.py names them.
#pragma once
#include <strings.h>
#include "launches.h"

namespace runtime {
inline void reads(const void* p, size_t bytes, void* pc) {
    if (kChecked && bytes) check_range(p, bytes, AccessKind::kLoad, pc);
}
inline void writes(void* p, size_t bytes, void* pc) {
    if (kChecked && bytes) check_range(p, bytes, AccessKind::kStore, pc);
}
// What a function stores by a pointer to a number.
template <class T>
inline void store(T* to, T value, void* pc) {
    if (kChecked) check_access(to, sizeof(T), AccessKind::kStore, pc);
    *to = value;
}

// Strings on the device end inside their memory: a byte at a time, so that the first one outside is where the access fails.
inline size_t length_read(const char* s, size_t most, void* pc) {
    size_t n = 0;
    for (; n < most; n++) {
        if (in_kernel) reads(s + n, 1, pc);
        if (!s[n]) break;
    }
    return n;
}
inline void string_read(const char* s, size_t most, void* pc) {
    if (kChecked && in_kernel) length_read(s, most, pc);
}
// Two strings are read up to the first difference.
inline void strings_read(const char* a, const char* b, size_t most, void* pc) {
    if (!kChecked || !in_kernel) return;
    for (size_t i = 0; i < most; i++) {
        reads(a + i, 1, pc), reads(b + i, 1, pc);
        if (a[i] != b[i] || !a[i]) return;
    }
}
}  // namespace runtime

using namespace runtime;
#define CALLED_BY __builtin_return_address(0)

extern "C" {
void* __wrap_memcpy(void* to, const void* from, size_t n) { return reads(from, n, CALLED_BY), writes(to, n, CALLED_BY), memcpy(to, from, n); }
void* __wrap_memmove(void* to, const void* from, size_t n) { return reads(from, n, CALLED_BY), writes(to, n, CALLED_BY), memmove(to, from, n); }
void* __wrap_mempcpy(void* to, const void* from, size_t n) { return reads(from, n, CALLED_BY), writes(to, n, CALLED_BY), mempcpy(to, from, n); }
void __wrap_bcopy(const void* from, void* to, size_t n) { reads(from, n, CALLED_BY), writes(to, n, CALLED_BY), memmove(to, from, n); }
void* __wrap_memset(void* to, int value, size_t n) { return writes(to, n, CALLED_BY), memset(to, value, n); }
void __wrap_bzero(void* to, size_t n) { writes(to, n, CALLED_BY), memset(to, 0, n); }
int __wrap_memcmp(const void* a, const void* b, size_t n) { return reads(a, n, CALLED_BY), reads(b, n, CALLED_BY), memcmp(a, b, n); }
int __wrap_bcmp(const void* a, const void* b, size_t n) { return reads(a, n, CALLED_BY), reads(b, n, CALLED_BY), memcmp(a, b, n); }
void* __wrap_memchr(const void* p, int value, size_t n) {
    const void* const found = memchr(p, value, n);
    reads(p, found ? (const char*)found - (const char*)p + 1 : n, CALLED_BY);
    return (void*)found;
}

size_t __wrap_strlen(const char* s) { return string_read(s, ~0ul, CALLED_BY), strlen(s); }
size_t __wrap_strnlen(const char* s, size_t n) { return string_read(s, n, CALLED_BY), strnlen(s, n); }
int __wrap_strcmp(const char* a, const char* b) { return strings_read(a, b, ~0ul, CALLED_BY), strcmp(a, b); }
int __wrap_strncmp(const char* a, const char* b, size_t n) { return strings_read(a, b, n, CALLED_BY), strncmp(a, b, n); }
#define SEARCH(RESULT, NAME, T) \
    RESULT __wrap_##NAME(const char* s, T what) { return string_read(s, ~0ul, CALLED_BY), (RESULT)NAME(s, what); }
SEARCH(char*, strchr, int)
SEARCH(char*, strrchr, int)
#undef SEARCH
#define SEARCH(RESULT, NAME) \
    RESULT __wrap_##NAME(const char* s, const char* what) { return string_read(s, ~0ul, CALLED_BY), string_read(what, ~0ul, CALLED_BY), (RESULT)NAME(s, what); }
SEARCH(char*, strstr)
SEARCH(char*, strpbrk)
SEARCH(size_t, strspn)
SEARCH(size_t, strcspn)
#undef SEARCH
char* __wrap_strcpy(char* to, const char* from) {
    string_read(from, ~0ul, CALLED_BY);
    return writes(to, strlen(from) + 1, CALLED_BY), strcpy(to, from);
}
char* __wrap_stpcpy(char* to, const char* from) {
    string_read(from, ~0ul, CALLED_BY);
    return writes(to, strlen(from) + 1, CALLED_BY), stpcpy(to, from);
}
char* __wrap_strncpy(char* to, const char* from, size_t n) { return string_read(from, n, CALLED_BY), writes(to, n, CALLED_BY), strncpy(to, from, n); }
char* __wrap_stpncpy(char* to, const char* from, size_t n) { return string_read(from, n, CALLED_BY), writes(to, n, CALLED_BY), stpncpy(to, from, n); }
char* __wrap_strcat(char* to, const char* from) {
    string_read(to, ~0ul, CALLED_BY), string_read(from, ~0ul, CALLED_BY);
    return writes(to + strlen(to), strlen(from) + 1, CALLED_BY), strcat(to, from);
}
char* __wrap_strncat(char* to, const char* from, size_t n) {
    string_read(to, ~0ul, CALLED_BY), string_read(from, n, CALLED_BY);
    return writes(to + strlen(to), strnlen(from, n) + 1, CALLED_BY), strncat(to, from, n);
}

// Functions with a second result.
#define TWO_RESULTS(T, NAME, SECOND)                      \
    T __wrap_##NAME(T x, SECOND* to) {                    \
        SECOND second;                                    \
        const T first = NAME(x, &second);                 \
        return store(to, second, CALLED_BY), first;       \
    }
TWO_RESULTS(double, modf, double)
TWO_RESULTS(float, modff, float)
TWO_RESULTS(double, frexp, int)
TWO_RESULTS(float, frexpf, int)
TWO_RESULTS(double, lgamma_r, int)
TWO_RESULTS(float, lgammaf_r, int)
#undef TWO_RESULTS
#define OF_REAL(T, SUFFIX)                                                          \
    void __wrap_sincos##SUFFIX(T x, T* s, T* c) {                                   \
        T sine, cosine;                                                             \
        sincos##SUFFIX(x, &sine, &cosine);                                          \
        store(s, sine, CALLED_BY), store(c, cosine, CALLED_BY);                     \
    }                                                                               \
    T __wrap_remquo##SUFFIX(T x, T y, int* quotient) {                              \
        int found;                                                                  \
        const T rest = remquo##SUFFIX(x, y, &found);                                \
        return store(quotient, found, CALLED_BY), rest;                             \
    }
OF_REAL(double, )
OF_REAL(float, f)
#undef OF_REAL
}
#undef CALLED_BY
