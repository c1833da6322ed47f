// Cache-hinted loads and stores, address spaces, clocks.
#pragma once
// Through the cache for what no kernel writes.
template <class T>
EMULATED_INLINE T __ldg(const T* address) {
#ifdef EMULATED_CHECKED
    emulated_read_only(address, sizeof(T));
#endif
    return *address;
}
#define EMULATED_LOAD(NAME) \
    template <class T>      \
    EMULATED_INLINE T NAME(const T* address) { return *address; }
EMULATED_LOAD(__ldcs)
EMULATED_LOAD(__ldca)
EMULATED_LOAD(__ldcg)
EMULATED_LOAD(__ldlu)
EMULATED_LOAD(__ldcv)
#undef EMULATED_LOAD
#define EMULATED_STORE(NAME) \
    template <class T>       \
    EMULATED_INLINE void NAME(T* address, emulated::same_t<T> value) { *address = value; }
EMULATED_STORE(__stwb)
EMULATED_STORE(__stcs)
EMULATED_STORE(__stcg)
EMULATED_STORE(__stwt)
#undef EMULATED_STORE

// Which memory a pointer leads to.
EMULATED_INLINE unsigned __isGlobal(const void* p) { return emulated_space(p) == kSpaceGlobal; }
EMULATED_INLINE unsigned __isShared(const void* p) { return emulated_space(p) == kSpaceShared; }
EMULATED_INLINE unsigned __isConstant(const void* p) { return emulated_space(p) == kSpaceConstant; }
EMULATED_INLINE unsigned __isLocal(const void* p) { return emulated_space(p) == kSpaceLocal; }

EMULATED_INLINE long long clock64() { return (long long)emulated_clock(); }
EMULATED_INLINE void __nanosleep(unsigned) { emulated_sleep(); }
EMULATED_INLINE void __trap() { emulated_trap(); }
