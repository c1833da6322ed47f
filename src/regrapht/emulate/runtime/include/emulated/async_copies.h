// Copies that a thread asks for and waits for later. The source is read at once; the destination has its value after the wait. What is no
// word of 4, 8 or 16 bytes in its place is copied at once, as on a GPU.
#pragma once

namespace emulated {
struct __attribute__((aligned(16))) Word16 {
    unsigned long long low, high;
};
template <class Word>
EMULATED_INLINE void async_copy_of(void* to, const void* from) {
    const Word value = *(const Word*)from;
    emulated_async_copy(to, &value, sizeof(Word));
}
EMULATED_INLINE void async_copy(void* to, const void* from, size_t bytes) {
    if (bytes == 4) async_copy_of<unsigned>(to, from);
    else if (bytes == 8) async_copy_of<unsigned long long>(to, from);
    else async_copy_of<Word16>(to, from);
}

// One object, in the widest words that its size and place allow.
template <class T>
EMULATED_INLINE void async_copy_object(T* to, const T* from) {
    constexpr size_t word = sizeof(T) % 16 == 0 && alignof(T) >= 16 ? 16 : sizeof(T) % 8 == 0 && alignof(T) >= 8 ? 8 : 4;
    if constexpr (sizeof(T) % 4 == 0 && alignof(T) >= 4)
        for (size_t i = 0; i < sizeof(T); i += word) async_copy((char*)to + i, (const char*)from + i, word);
    else
        *to = *from;
}
}  // namespace emulated
