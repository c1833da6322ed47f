// Functions of the C library that touch memory, in checked builds: calls, which the linker leads to the checks (compiler_hooks.cpp). The
// compiler would expand them to accesses without hooks, or leave them to a library that has none. Copies of one word stay accesses: they
// are how programs look at a number's bits, and have hooks.
#pragma once
#include <string.h>
#include <strings.h>

#if defined(__SANITIZE_THREAD__)
#define EMULATED_CHECKED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define EMULATED_CHECKED 1
#endif
#endif

#ifdef EMULATED_CHECKED
extern "C" {
void* emulated_memcpy(void* to, const void* from, size_t bytes) noexcept __asm__("memcpy");
void* emulated_memmove(void* to, const void* from, size_t bytes) noexcept __asm__("memmove");
void* emulated_memset(void* to, int value, size_t bytes) noexcept __asm__("memset");

#define EMULATED_INSTEAD extern inline __attribute__((gnu_inline, always_inline, artificial))
EMULATED_INSTEAD void* memcpy(void* __restrict to, const void* __restrict from, size_t bytes) noexcept {
    if (__builtin_constant_p(bytes) && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8)) return __builtin_memcpy(to, from, bytes);
    return emulated_memcpy(to, from, bytes);
}
EMULATED_INSTEAD void* memmove(void* to, const void* from, size_t bytes) noexcept {
    if (__builtin_constant_p(bytes) && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8)) return __builtin_memmove(to, from, bytes);
    return emulated_memmove(to, from, bytes);
}
EMULATED_INSTEAD void* memset(void* to, int value, size_t bytes) noexcept { return emulated_memset(to, value, bytes); }
#undef EMULATED_INSTEAD
}
// Also where a program, or a template of the C++ library, asks for the compiler's own.
#define __builtin_memcpy memcpy
#define __builtin_memmove memmove
#define __builtin_memset memset
#endif
