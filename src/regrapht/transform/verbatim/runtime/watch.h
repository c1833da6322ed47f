// What an instrumented reference says of itself: which loop it is in, when a turn begins, what its variables are called, where it updates.
#pragma once
#include <cstddef>
#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <utility>
#define WATCH_UNSEEN __attribute__((no_sanitize("thread"), noinline))
extern "C" {
void watch_array(const char* name, const void* at, unsigned long long bytes);
void watch_call_end();
void watch_begin(int loop, const void* frame);
void watch_object(int loop, const char* name, const void* at, unsigned long long bytes, bool is_named);
void watch_turn(int loop);
void watch_end(int loop);
void watch_update_begin(int site);
void watch_update_end();
void watch_buffer(const void* at, unsigned long long bytes, const void* owner);
void watch_moved(const void* from, const void* to, unsigned long long bytes);
void watch_pause();
void watch_resume();
void __tsan_read_range(void* at, unsigned long bytes);
void __tsan_write_range(void* at, unsigned long bytes);
}
namespace watch {
// A struct that a call reads where it lies, or writes where it shall lie: the compiler has no hook there.
template <class T> struct goes_whole {
    typedef typename std::remove_cv<typename std::remove_reference<T>::type>::type of;
    static constexpr bool value = std::is_class<of>::value && std::is_trivially_copyable<of>::value && !std::is_empty<of>::value;
};
template <class T> __attribute__((always_inline)) inline T&& read(T&& value) {
    if (goes_whole<T>::value) __tsan_read_range((void*)&reinterpret_cast<const volatile char&>(value), sizeof(value));
    return static_cast<T&&>(value);
}
template <class T> __attribute__((always_inline)) inline T&& written(T&& value) {
    if (goes_whole<T>::value) __tsan_write_range((void*)&reinterpret_cast<const volatile char&>(value), sizeof(value));
    return static_cast<T&&>(value);
}
template <class A> long long shape_max(A a) { return (long long)a; }
template <class A, class... B> long long shape_max(A a, B... b) { return (long long)a < shape_max(b...) ? shape_max(b...) : (long long)a; }
template <class A> long long shape_min(A a) { return (long long)a; }
template <class A, class... B> long long shape_min(A a, B... b) { return (long long)a < shape_min(b...) ? (long long)a : shape_min(b...); }
inline double shape_log2(double a) { return __builtin_log2(a); }
inline double shape_ceil(double a) { return __builtin_ceil(a); }
struct call {
    ~call() { watch_call_end(); }
};
struct loop {
    int number;
    loop(int k, const void* frame) : number(k) { watch_begin(k, frame); }
    ~loop() { watch_end(number); }
    template <class T> void object(const char* name, const T& value) { watch_object(number, name, (const void*)&value, sizeof(T), true); }
    bool turn() const { watch_turn(number); return true; }
};
struct update {
    explicit update(int site) { watch_update_begin(site); }
    ~update() { watch_update_end(); }
    template <class T> T&& operator<<(T&& value) const { return static_cast<T&&>(value); }
};
WATCH_UNSEEN inline char unseen(const char* at) { return *at; }
// snprintf, whose writes the library would hide.
template <class... A> int snprintf(char* to, std::size_t size, const char* format, A... values) {
    char text[4096];
    const int length = std::snprintf(text, sizeof text, format, values...);
    const std::size_t shown = length < 0 ? 0 : (std::size_t)length < sizeof text ? (std::size_t)length : sizeof text - 1;
    for (std::size_t i = 0; i < shown && i + 1 < size; ++i) to[i] = unseen(text + i);
    if (size > 0) to[shown + 1 < size ? shown : size - 1] = 0;
    return length;
}
// std::vector, of which the elements and the number of them are seen, while how much room there is belongs to no turn.
template <class T> class vector {
public:
    typedef T value_type;
    typedef std::size_t size_type;
    typedef T& reference;
    typedef const T& const_reference;
    typedef T* iterator;
    typedef const T* const_iterator;
    vector() : at_(nullptr), size_(0), room_(0) {}
    explicit vector(std::size_t n) : vector() { resize(n); }
    vector(std::size_t n, const T& value) : vector() { resize(n, value); }
    vector(std::initializer_list<T> values) : vector() { assign(values.begin(), values.end()); }
    template <class I, std::enable_if_t<(!std::is_integral<I>::value), int> = 0> vector(I at, I end) : vector() { assign(at, end); }
    vector(const vector& other) : vector() { assign(other.begin(), other.end()); }
    vector(vector&& other) noexcept : vector() { swap(other); }
    vector& operator=(vector other) { swap(other); return *this; }
    ~vector() { drop(at_, size_, room_); }
    T& operator[](std::size_t i) { return at()[i]; }
    const T& operator[](std::size_t i) const { return at()[i]; }
    T& at(std::size_t i) { return at()[i]; }
    const T& at(std::size_t i) const { return at()[i]; }
    T* begin() { return at(); }
    T* end() { return at() + size_; }
    const T* begin() const { return at(); }
    const T* end() const { return at() + size_; }
    const T* cbegin() const { return at(); }
    const T* cend() const { return at() + size_; }
    std::reverse_iterator<T*> rbegin() { return std::reverse_iterator<T*>(end()); }
    std::reverse_iterator<T*> rend() { return std::reverse_iterator<T*>(begin()); }
    std::reverse_iterator<const T*> rbegin() const { return std::reverse_iterator<const T*>(end()); }
    std::reverse_iterator<const T*> rend() const { return std::reverse_iterator<const T*>(begin()); }
    T* data() { return at(); }
    const T* data() const { return at(); }
    T& front() { return at()[0]; }
    T& back() { return at()[size_ - 1]; }
    const T& front() const { return at()[0]; }
    const T& back() const { return at()[size_ - 1]; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    void clear() { size_ = 0; }
    void reserve(std::size_t n) { grow(n); }
    void resize(std::size_t n, const T& value = T()) {
        const std::size_t before = unseen_size();
        grow(n);
        for (std::size_t i = before; i < n; ++i) at()[i] = value;
        size_ = n;
    }
    void push_back(const T& value) {
        const T kept = value;
        grow(size_ + 1);
        at()[size_] = kept;
        ++size_;
    }
    template <class... A> void emplace_back(A&&... values) { push_back(T(std::forward<A>(values)...)); }
    void pop_back() { --size_; }
    void assign(std::size_t n, const T& value) { size_ = 0, grow(n); for (std::size_t i = 0; i < n; ++i) at()[i] = value; size_ = n; }
    template <class I, std::enable_if_t<(!std::is_integral<I>::value), int> = 0> void assign(I from, I to) {
        size_ = 0;
        for (; from != to; ++from) push_back(*from);
    }
    T* insert(T* place, const T& value) {
        const std::size_t at = (std::size_t)(place - begin());
        push_back(value);
        const T kept = back();
        for (std::size_t i = size_ - 1; i > at; --i) at_[i] = at_[i - 1];
        at_[at] = kept;
        return begin() + at;
    }
    T* erase(T* at) { return erase(at, at + 1); }
    T* erase(T* from, T* to) {
        T* last = end();
        for (T* each = to; each != last; ++each) from[each - to] = *each;
        size_ -= (std::size_t)(to - from);
        return from;
    }
    void swap(vector& other) {
        swap_unseen(other);
        const std::size_t size = size_;
        if (size == other.size_) return;
        size_ = other.size_;
        other.size_ = size;
    }

private:
    WATCH_UNSEEN T* at() const { return at_; }
    WATCH_UNSEEN std::size_t unseen_size() const { return size_; }
    WATCH_UNSEEN void swap_unseen(vector& other) {
        T* const at = at_;
        const std::size_t room = room_;
        at_ = other.at_, room_ = other.room_;
        other.at_ = at, other.room_ = room;
        watch_buffer(at_, room_ * sizeof(T), this), watch_buffer(other.at_, other.room_ * sizeof(T), &other);
    }
    WATCH_UNSEEN void grow(std::size_t n) {
        if (n <= room_) return;
        const std::size_t room = n < 2 * room_ ? 2 * room_ : n;
        watch_pause();
        T* const larger = new T[room]();
        for (std::size_t i = 0; i < room_; ++i) larger[i] = std::move(at_[i]);
        watch_moved(at_, larger, room_ * sizeof(T));
        delete[] at_;
        watch_resume();
        at_ = larger, room_ = room;
        watch_buffer(at_, room_ * sizeof(T), this);
    }
    WATCH_UNSEEN static void drop(T* at, std::size_t, std::size_t) { delete[] at; }
    T* at_;
    std::size_t size_, room_;
};
template <class T> void swap(vector<T>& a, vector<T>& b) { a.swap(b); }
template <class T> bool operator==(const vector<T>& a, const vector<T>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!(a[i] == b[i])) return false;
    return true;
}
}  // namespace watch
