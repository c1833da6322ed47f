// What instrumented code calls at each access and basic block, and the library functions whose calls the linker redirects here.
#include "library_functions.h"

using namespace runtime;
#define CALLER __builtin_return_address(0)

extern "C" {
#ifdef REGRAPHT_CHECKED
#define HOOKS(N)                                                                                                             \
    void __tsan_read##N(void* p) { check_plain<N, false>(p, CALLER); }                                                       \
    void __tsan_write##N(void* p) { check_plain<N, true>(p, CALLER); }                                                       \
    void __tsan_volatile_read##N(void* p) { check_access(p, N, AccessKind::kLoad, CALLER, true, false, true); }              \
    void __tsan_volatile_write##N(void* p) { check_access(p, N, AccessKind::kStore, CALLER, true, false, true); }            \
    void __tsan_unaligned_read##N(void* p) { check_access(p, N, AccessKind::kLoad, CALLER, false); }                         \
    void __tsan_unaligned_write##N(void* p) { check_access(p, N, AccessKind::kStore, CALLER, false); }                       \
    void __tsan_unaligned_volatile_read##N(void* p) { check_access(p, N, AccessKind::kLoad, CALLER, false, false, true); }   \
    void __tsan_unaligned_volatile_write##N(void* p) { check_access(p, N, AccessKind::kStore, CALLER, false, false, true); }
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)
void __tsan_read_range(void* p, unsigned long bytes) { check_range(p, bytes, AccessKind::kLoad, CALLER); }
void __tsan_write_range(void* p, unsigned long bytes) { check_range(p, bytes, AccessKind::kStore, CALLER); }
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
void __tsan_atomic_thread_fence(int) {}
void __tsan_atomic_signal_fence(int) {}
#define ATOMIC_UPDATE(BITS, T, NAME, VALUE)                                                                          \
    T __tsan_atomic##BITS##_fetch_##NAME(volatile T* p, T v, int) {                                                  \
        check_access((void*)p, sizeof(T), AccessKind::kAtomic, CALLER);                                              \
        const T old = *p;                                                                                            \
        *p = VALUE;                                                                                                  \
        return old;                                                                                                  \
    }
#define ATOMIC_HOOKS(BITS, T)                                                                                        \
    T __tsan_atomic##BITS##_load(const volatile T* p, int) {                                                         \
        check_access((void*)p, sizeof(T), AccessKind::kLoad, CALLER, true, false, true);                             \
        return *p;                                                                                                   \
    }                                                                                                                \
    void __tsan_atomic##BITS##_store(volatile T* p, T v, int) {                                                      \
        check_access((void*)p, sizeof(T), AccessKind::kAtomic, CALLER);                                              \
        *p = v;                                                                                                      \
    }                                                                                                                \
    T __tsan_atomic##BITS##_exchange(volatile T* p, T v, int) {                                                      \
        check_access((void*)p, sizeof(T), AccessKind::kAtomic, CALLER);                                              \
        const T old = *p;                                                                                            \
        *p = v;                                                                                                      \
        return old;                                                                                                  \
    }                                                                                                                \
    ATOMIC_UPDATE(BITS, T, add, old + v)                                                                             \
    ATOMIC_UPDATE(BITS, T, sub, old - v)                                                                             \
    ATOMIC_UPDATE(BITS, T, and, old & v)                                                                             \
    ATOMIC_UPDATE(BITS, T, or, old | v)                                                                              \
    ATOMIC_UPDATE(BITS, T, xor, old ^ v)                                                                             \
    int __tsan_atomic##BITS##_compare_exchange_strong(volatile T* p, T* expected, T v, int, int) {                   \
        check_access((void*)p, sizeof(T), AccessKind::kAtomic, CALLER);                                              \
        const T old = *p;                                                                                            \
        if (old == *expected) return *p = v, 1;                                                                      \
        return *expected = old, 0;                                                                                   \
    }
ATOMIC_HOOKS(8, u8)
ATOMIC_HOOKS(16, u16)
ATOMIC_HOOKS(32, u32)
ATOMIC_HOOKS(64, u64)
void __sanitizer_cov_trace_pc() {
    if (attention & (kTracing | kOutOfTime)) [[unlikely]] {
        if (attention & kOutOfTime && in_kernel) out_of_time(CALLER);
        if (tracing()) trace_basic_block(CALLER);
    }
}
// Called before an access beside a local variable or through one, when it lies outside of it; and before one of an object, or of a part
// of it, that is not aligned as its type demands.
struct TypeMismatch {
    struct {
        const char* file;
        u32 line, column;
    } place;
    void* type;
    u8 log_alignment, kind;
};
void __ubsan_handle_type_mismatch_v1(TypeMismatch* what, u64 address) {
    char* const p = (char*)address;
    if (!in_kernel) return;
    if (what->log_alignment) {  // whether an access of the whole follows, its own hook tells
        if (what->log_alignment >= 4) launch.misaligned.insert(address);
        return;
    }
    if (p < stacks_begin || p >= stacks_end) return;  // what lies elsewhere is checked by its address
    report_finding("local_oob", CALLER, (what->kind == 1 ? "write by " : "read by ") + whereabouts());
    abort_launch(cudaErrorIllegalAddress);
}
// Called before an access by an index beyond the array's type. Where the whole object ends, the other checks tell.
struct OutOfBounds {
    struct {
        const char* file;
        u32 line, column;
    } place;
    struct {
        u16 kind, info;
        char name[];
    } *array;
};
void __ubsan_handle_out_of_bounds(OutOfBounds* what, u64 index) {
    if (in_kernel) report_finding("index_beyond_type", CALLER, "index " + std::to_string((long)(int)index) + " of " + what->array->name + " by " + whereabouts());
}
// Called where the language leaves a value open and processors differ: a CPU takes a shift's count by its last bits, a GPU shifts all bits out;
// of a number that is too large for an integer, or none, a CPU makes the lowest one, a GPU the nearest, or zero.
void __ubsan_handle_shift_out_of_bounds(void*, u64, u64) {
    if (in_kernel) report_finding("shift_beyond_type", CALLER, "by " + whereabouts());
}
void __ubsan_handle_float_cast_overflow(void*, u64) {
    if (in_kernel) report_finding("number_beyond_type", CALLER, "by " + whereabouts());
}
#endif

static void refuse_device_allocation() {
    if (!in_kernel) return;
    report_unsupported("allocation in device code");
    abort_launch(cudaErrorLaunchFailure);
}
void* __wrap_malloc(size_t bytes) {
    refuse_device_allocation();
    return malloc(bytes);
}
void* __wrap_calloc(size_t count, size_t bytes) {
    refuse_device_allocation();
    return calloc(count, bytes);
}
void* __wrap_realloc(void* p, size_t bytes) {
    refuse_device_allocation();
    return realloc(p, bytes);
}
void __wrap_free(void* p) {
    refuse_device_allocation();
    if (on_device(p))
        report_finding("wrong_free", CALLER, "");
    else
        free(p);
}
}
