// The pieces of the standard library that device code lacks, with the same meaning.
namespace verbatim {
template <class T, std::size_t N> struct array {
    T at_[N];
    __host__ __device__ constexpr T& operator[](std::size_t i) { return at_[i]; }
    __host__ __device__ constexpr const T& operator[](std::size_t i) const { return at_[i]; }
    __host__ __device__ constexpr T* begin() { return at_; }
    __host__ __device__ constexpr T* end() { return at_ + N; }
    __host__ __device__ constexpr const T* begin() const { return at_; }
    __host__ __device__ constexpr const T* end() const { return at_ + N; }
    __host__ __device__ constexpr std::reverse_iterator<T*> rbegin() { return std::reverse_iterator<T*>(at_ + N); }
    __host__ __device__ constexpr std::reverse_iterator<T*> rend() { return std::reverse_iterator<T*>(at_); }
    __host__ __device__ constexpr T* data() { return at_; }
    __host__ __device__ constexpr const T* data() const { return at_; }
    __host__ __device__ constexpr std::size_t size() const { return N; }
    __host__ __device__ constexpr T& front() { return at_[0]; }
    __host__ __device__ constexpr T& back() { return at_[N - 1]; }
    __host__ __device__ constexpr const T& front() const { return at_[0]; }
    __host__ __device__ constexpr const T& back() const { return at_[N - 1]; }
    __host__ __device__ constexpr bool empty() const { return N == 0; }
    __host__ __device__ constexpr void fill(const T& value) { for (std::size_t i = 0; i < N; ++i) at_[i] = value; }
};

template <std::size_t N> struct bitset {
    unsigned long long at_[(N + 63) / 64];
    struct reference {
        bitset* of;
        std::size_t i;
        __host__ __device__ constexpr operator bool() const { return of->test(i); }
        __host__ __device__ constexpr bool operator~() const { return !of->test(i); }
        __host__ __device__ constexpr reference& operator=(bool v) { of->set(i, v); return *this; }
        __host__ __device__ constexpr reference& operator=(const reference& o) { of->set(i, (bool)o); return *this; }
        __host__ __device__ constexpr reference& flip() { of->flip(i); return *this; }
    };
    __host__ __device__ constexpr bitset(unsigned long long v = 0) : at_{} { at_[0] = v; trim(); }
    __host__ __device__ constexpr explicit bitset(const char* text) : at_{} {
        std::size_t n = 0;
        while (text[n] != 0) ++n;
        for (std::size_t i = 0; i < N && i < n; ++i) set(i, text[(n < N ? n : N) - 1 - i] == '1');
    }
    __host__ __device__ constexpr bool test(std::size_t i) const { return at_[i / 64] >> i % 64 & 1; }
    __host__ __device__ constexpr bool operator[](std::size_t i) const { return test(i); }
    __host__ __device__ constexpr reference operator[](std::size_t i) { return reference{this, i}; }
    __host__ __device__ constexpr bitset& set(std::size_t i, bool v = true) {
        at_[i / 64] = (at_[i / 64] & ~(1ull << i % 64)) | ((unsigned long long)v << i % 64);
        return *this;
    }
    __host__ __device__ constexpr bitset& set() { for (auto& word : at_) word = ~0ull; trim(); return *this; }
    __host__ __device__ constexpr bitset& reset(std::size_t i) { return set(i, false); }
    __host__ __device__ constexpr bitset& reset() { for (auto& word : at_) word = 0; return *this; }
    __host__ __device__ constexpr bitset& flip(std::size_t i) { at_[i / 64] ^= 1ull << i % 64; return *this; }
    __host__ __device__ constexpr bitset& flip() { for (auto& word : at_) word = ~word; trim(); return *this; }
    __host__ __device__ constexpr std::size_t size() const { return N; }
    __host__ __device__ constexpr std::size_t count() const {
        std::size_t n = 0;
        for (auto word : at_)
            for (; word != 0; word &= word - 1) ++n;
        return n;
    }
    __host__ __device__ constexpr bool any() const { for (auto word : at_) if (word != 0) return true; return false; }
    __host__ __device__ constexpr bool none() const { return !any(); }
    __host__ __device__ constexpr bool all() const { return count() == N; }
    __host__ __device__ constexpr unsigned long long to_ullong() const { return at_[0]; }
    __host__ __device__ constexpr unsigned long to_ulong() const { return (unsigned long)at_[0]; }
    __host__ __device__ constexpr bitset& operator&=(const bitset& o) { for (std::size_t k = 0; k < sizeof(at_) / 8; ++k) at_[k] &= o.at_[k]; return *this; }
    __host__ __device__ constexpr bitset& operator|=(const bitset& o) { for (std::size_t k = 0; k < sizeof(at_) / 8; ++k) at_[k] |= o.at_[k]; return *this; }
    __host__ __device__ constexpr bitset& operator^=(const bitset& o) { for (std::size_t k = 0; k < sizeof(at_) / 8; ++k) at_[k] ^= o.at_[k]; return *this; }
    __host__ __device__ constexpr bitset& operator<<=(std::size_t by) { for (std::size_t i = N; i-- > 0;) set(i, i >= by && test(i - by)); return *this; }
    __host__ __device__ constexpr bitset& operator>>=(std::size_t by) { for (std::size_t i = 0; i < N; ++i) set(i, i + by < N && test(i + by)); return *this; }
    __host__ __device__ constexpr bitset operator<<(std::size_t by) const { bitset out = *this; return out <<= by; }
    __host__ __device__ constexpr bitset operator>>(std::size_t by) const { bitset out = *this; return out >>= by; }
    __host__ __device__ constexpr bitset operator~() const { bitset out = *this; return out.flip(); }
    __host__ __device__ constexpr bool operator==(const bitset& o) const { for (std::size_t k = 0; k < sizeof(at_) / 8; ++k) if (at_[k] != o.at_[k]) return false; return true; }
    __host__ __device__ constexpr bool operator!=(const bitset& o) const { return !(*this == o); }
    __host__ __device__ constexpr void trim() { if (N % 64 != 0) at_[sizeof(at_) / 8 - 1] &= ~0ull >> (64 - N % 64) % 64; }
};
template <std::size_t N> __host__ __device__ constexpr bitset<N> operator&(bitset<N> a, const bitset<N>& b) { return a &= b; }
template <std::size_t N> __host__ __device__ constexpr bitset<N> operator|(bitset<N> a, const bitset<N>& b) { return a |= b; }
template <std::size_t N> __host__ __device__ constexpr bitset<N> operator^(bitset<N> a, const bitset<N>& b) { return a ^= b; }

template <class A, class B> struct pair {
    A first;
    B second;
    __host__ __device__ constexpr bool operator<(const pair& o) const { return first < o.first || (!(o.first < first) && second < o.second); }
    __host__ __device__ constexpr bool operator>(const pair& o) const { return o < *this; }
    __host__ __device__ constexpr bool operator==(const pair& o) const { return first == o.first && second == o.second; }
    __host__ __device__ constexpr bool operator!=(const pair& o) const { return !(*this == o); }
};
template <class A, class B> __host__ __device__ constexpr pair<A, B> make_pair(A a, B b) { return {a, b}; }

template <class T> struct limits_of {  // computed outside of device code, which may not call std's constexpr functions
    static constexpr T most = std::numeric_limits<T>::max(), least = std::numeric_limits<T>::min(),
                       lowest = std::numeric_limits<T>::lowest(), infinity = std::numeric_limits<T>::infinity(),
                       epsilon = std::numeric_limits<T>::epsilon();
};
template <class T> struct numeric_limits {
    __host__ __device__ static constexpr T max() { return limits_of<T>::most; }
    __host__ __device__ static constexpr T min() { return limits_of<T>::least; }
    __host__ __device__ static constexpr T lowest() { return limits_of<T>::lowest; }
    __host__ __device__ static constexpr T infinity() { return limits_of<T>::infinity; }
    __host__ __device__ static constexpr T epsilon() { return limits_of<T>::epsilon; }
};

struct Less {
    template <class A, class B> __host__ __device__ constexpr bool operator()(const A& a, const B& b) const { return a < b; }
};
template <class T = void> struct less {
    template <class A, class B> __host__ __device__ constexpr bool operator()(const A& a, const B& b) const { return a < b; }
};
template <class T = void> struct greater {
    template <class A, class B> __host__ __device__ constexpr bool operator()(const A& a, const B& b) const { return b < a; }
};

// By value, so that a constant of the file is no address.
template <class T> __host__ __device__ constexpr T max(T a, T b) { return a < b ? b : a; }
template <class T> __host__ __device__ constexpr T min(T a, T b) { return b < a ? b : a; }
template <class T, std::size_t N> __host__ __device__ constexpr T max(const T (&v)[N]) { T m = v[0]; for (std::size_t i = 1; i < N; ++i) m = m < v[i] ? v[i] : m; return m; }
template <class T, std::size_t N> __host__ __device__ constexpr T min(const T (&v)[N]) { T m = v[0]; for (std::size_t i = 1; i < N; ++i) m = v[i] < m ? v[i] : m; return m; }
template <class T> __host__ __device__ constexpr T clamp(T v, T lo, T hi) { return v < lo ? lo : hi < v ? hi : v; }

template <class T> __host__ __device__ constexpr void swap(T& a, T& b) { T c = a; a = b; b = c; }
template <class T, class U = T> __host__ __device__ constexpr T exchange(T& a, U b) { T c = a; a = b; return c; }
template <class I, class T> __host__ __device__ constexpr void fill(I at, I end, const T& v) { for (; at != end; ++at) *at = v; }
template <class I, class N, class T> __host__ __device__ constexpr I fill_n(I at, N n, const T& v) { for (; n > 0; --n, ++at) *at = v; return at; }
template <class I, class T> __host__ __device__ constexpr void iota(I at, I end, T v) { for (; at != end; ++at, ++v) *at = v; }
template <class I, class T> __host__ __device__ constexpr T accumulate(I at, I end, T v) { for (; at != end; ++at) v = v + *at; return v; }
template <class I, class T, class F> __host__ __device__ constexpr T accumulate(I at, I end, T v, F f) { for (; at != end; ++at) v = f(v, *at); return v; }
template <class I, class T> __host__ __device__ constexpr T reduce(I at, I end, T v) { return verbatim::accumulate(at, end, v); }
template <class I, class J, class T> __host__ __device__ constexpr T inner_product(I at, I end, J other, T v) { for (; at != end; ++at, ++other) v = v + *at * *other; return v; }
template <class I, class O> __host__ __device__ constexpr O partial_sum(I at, I end, O to) {
    if (at == end) return to;
    auto sum = *at;
    for (*to = sum, ++to; ++at != end; ++to) { sum = sum + *at; *to = sum; }
    return to;
}
template <class I, class F> __host__ __device__ constexpr F for_each(I at, I end, F f) { for (; at != end; ++at) f(*at); return f; }
template <class I, class T> __host__ __device__ constexpr void replace(I at, I end, const T& v, const T& w) { for (; at != end; ++at) if (*at == v) *at = w; }
template <class I, class P, class T> __host__ __device__ constexpr void replace_if(I at, I end, P p, const T& w) { for (; at != end; ++at) if (p(*at)) *at = w; }
template <class I, class O> __host__ __device__ constexpr O copy(I at, I end, O to) { for (; at != end; ++at, ++to) *to = *at; return to; }
template <class I, class N, class O> __host__ __device__ constexpr O copy_n(I at, N n, O to) { for (; n > 0; --n, ++at, ++to) *to = *at; return to; }
template <class I, class O, class F> __host__ __device__ constexpr O transform(I at, I end, O to, F f) { for (; at != end; ++at, ++to) *to = f(*at); return to; }
template <class I, class J, class O, class F> __host__ __device__ constexpr O transform(I at, I end, J other, O to, F f) { for (; at != end; ++at, ++other, ++to) *to = f(*at, *other); return to; }
template <class I, class T> __host__ __device__ constexpr std::ptrdiff_t count(I at, I end, const T& v) { std::ptrdiff_t n = 0; for (; at != end; ++at) if (*at == v) ++n; return n; }
template <class I, class P> __host__ __device__ constexpr std::ptrdiff_t count_if(I at, I end, P p) { std::ptrdiff_t n = 0; for (; at != end; ++at) if (p(*at)) ++n; return n; }
template <class I, class T> __host__ __device__ constexpr I find(I at, I end, const T& v) { while (at != end && !(*at == v)) ++at; return at; }
template <class I, class P> __host__ __device__ constexpr I find_if(I at, I end, P p) { while (at != end && !p(*at)) ++at; return at; }
template <class I, class P> __host__ __device__ constexpr bool any_of(I at, I end, P p) { return verbatim::find_if(at, end, p) != end; }
template <class I, class P> __host__ __device__ constexpr bool all_of(I at, I end, P p) { for (; at != end; ++at) if (!p(*at)) return false; return true; }
template <class I, class P> __host__ __device__ constexpr bool none_of(I at, I end, P p) { return !verbatim::any_of(at, end, p); }
template <class I, class J> __host__ __device__ constexpr bool equal(I at, I end, J other) { for (; at != end; ++at, ++other) if (!(*at == *other)) return false; return true; }
template <class I> __host__ __device__ constexpr I max_element(I at, I end) { I m = at; for (; at != end; ++at) if (*m < *at) m = at; return m; }
template <class I> __host__ __device__ constexpr I min_element(I at, I end) { I m = at; for (; at != end; ++at) if (*at < *m) m = at; return m; }
template <class I, class L> __host__ __device__ constexpr I max_element(I at, I end, L lt) { I m = at; for (; at != end; ++at) if (lt(*m, *at)) m = at; return m; }
template <class I, class L> __host__ __device__ constexpr I min_element(I at, I end, L lt) { I m = at; for (; at != end; ++at) if (lt(*at, *m)) m = at; return m; }
template <class I, class J> __host__ __device__ constexpr J swap_ranges(I at, I end, J other) { for (; at != end; ++at, ++other) verbatim::swap(*at, *other); return other; }
template <class I> __host__ __device__ constexpr void reverse(I at, I end) { while (at != end && at != --end) { verbatim::swap(*at, *end); ++at; } }
template <class I> __host__ __device__ constexpr I unique(I at, I end) {
    if (at == end) return end;
    I kept = at;
    while (++at != end)
        if (!(*kept == *at)) *++kept = *at;
    return ++kept;
}

template <class I, class T> __host__ __device__ constexpr I lower_bound(I at, I end, const T& v) {
    for (auto n = end - at; n > 0;) { auto h = n / 2; if (at[h] < v) { at = at + (h + 1); n -= h + 1; } else n = h; }
    return at;
}
template <class I, class T> __host__ __device__ constexpr I upper_bound(I at, I end, const T& v) {
    for (auto n = end - at; n > 0;) { auto h = n / 2; if (!(v < at[h])) { at = at + (h + 1); n -= h + 1; } else n = h; }
    return at;
}
template <class I, class T> __host__ __device__ constexpr bool binary_search(I at, I end, const T& v) {
    I found = verbatim::lower_bound(at, end, v);
    return found != end && !(v < *found);
}

template <class I, class L> __host__ __device__ constexpr void sift(I a, std::ptrdiff_t i, std::ptrdiff_t n, L lt) {
    for (std::ptrdiff_t c; (c = 2 * i + 1) < n; i = c) {
        if (c + 1 < n && lt(a[c], a[c + 1])) ++c;
        if (!lt(a[i], a[c])) break;
        verbatim::swap(a[i], a[c]);
    }
}
template <class I, class L> __host__ __device__ constexpr void insertion_sort(I a, std::ptrdiff_t n, L lt) {
    for (std::ptrdiff_t i = 1; i < n; ++i) {
        auto moved = a[i];
        std::ptrdiff_t j = i;
        for (; j > 0 && lt(moved, a[j - 1]); --j) a[j] = a[j - 1];
        a[j] = moved;
    }
}
template <class I, class L> __host__ __device__ constexpr void sort(I a, I end, L lt) {
    const std::ptrdiff_t n = end - a;
    if (n <= 16) return verbatim::insertion_sort(a, n, lt);
    for (std::ptrdiff_t i = n / 2; i-- > 0;) sift(a, i, n, lt);
    for (std::ptrdiff_t m = n; m-- > 1;) { verbatim::swap(a[0], a[m]); sift(a, 0, m, lt); }
}
template <class I> __host__ __device__ constexpr void sort(I a, I end) { verbatim::sort(a, end, Less{}); }
template <class I, class L> __host__ __device__ constexpr void stable_sort(I a, I end, L lt) { verbatim::insertion_sort(a, end - a, lt); }
template <class I> __host__ __device__ constexpr void stable_sort(I a, I end) { verbatim::insertion_sort(a, end - a, Less{}); }
template <class I, class L> __host__ __device__ constexpr void nth_element(I a, I nth, I end, L lt) {
    std::ptrdiff_t lo = 0, hi = end - a - 1, k = nth - a;
    while (lo < hi) {
        auto pivot = a[(lo + hi) / 2];
        std::ptrdiff_t i = lo, j = hi;
        while (i <= j) {
            while (lt(a[i], pivot)) ++i;
            while (lt(pivot, a[j])) --j;
            if (i <= j) { verbatim::swap(a[i], a[j]); ++i; --j; }
        }
        if (k <= j) hi = j; else if (k >= i) lo = i; else return;
    }
}
template <class I> __host__ __device__ constexpr void nth_element(I a, I nth, I end) { verbatim::nth_element(a, nth, end, Less{}); }
template <class I, class L> __host__ __device__ constexpr void partial_sort(I a, I, I end, L lt) { verbatim::sort(a, end, lt); }
template <class I> __host__ __device__ constexpr void partial_sort(I a, I, I end) { verbatim::sort(a, end, Less{}); }

__host__ __device__ inline void* memset(void* at, int v, std::size_t n) { for (std::size_t i = 0; i < n; ++i) ((unsigned char*)at)[i] = (unsigned char)v; return at; }
__host__ __device__ inline void* memcpy(void* to, const void* from, std::size_t n) { for (std::size_t i = 0; i < n; ++i) ((unsigned char*)to)[i] = ((const unsigned char*)from)[i]; return to; }
__host__ __device__ inline int memcmp(const void* a, const void* b, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
        if (((const unsigned char*)a)[i] != ((const unsigned char*)b)[i]) return ((const unsigned char*)a)[i] < ((const unsigned char*)b)[i] ? -1 : 1;
    return 0;
}

__host__ __device__ inline int isupper(int c) { return c >= 'A' && c <= 'Z'; }
__host__ __device__ inline int islower(int c) { return c >= 'a' && c <= 'z'; }
__host__ __device__ inline int isalpha(int c) { return isupper(c) || islower(c); }
__host__ __device__ inline int isdigit(int c) { return c >= '0' && c <= '9'; }
__host__ __device__ inline int isalnum(int c) { return isalpha(c) || isdigit(c); }
__host__ __device__ inline int isspace(int c) { return c == ' ' || (c >= 9 && c <= 13); }
__host__ __device__ inline int toupper(int c) { return islower(c) ? c - 32 : c; }
__host__ __device__ inline int tolower(int c) { return isupper(c) ? c + 32 : c; }

// What compilers of the host have built in and nvcc does not, for device code.
#ifdef __CUDA_ARCH__
#define VERBATIM_BUILTIN(on_device, on_host) on_device
#else
#define VERBATIM_BUILTIN(on_device, on_host) on_host
#endif
__host__ __device__ inline int ctz(unsigned v) { return VERBATIM_BUILTIN(__ffs((int)v) - 1, __builtin_ctz(v)); }
__host__ __device__ inline int ctzll(unsigned long long v) { return VERBATIM_BUILTIN(__ffsll((long long)v) - 1, __builtin_ctzll(v)); }
__host__ __device__ inline int clz(unsigned v) { return VERBATIM_BUILTIN(__clz((int)v), __builtin_clz(v)); }
__host__ __device__ inline int clzll(unsigned long long v) { return VERBATIM_BUILTIN(__clzll((long long)v), __builtin_clzll(v)); }
__host__ __device__ inline int ffs(int v) { return VERBATIM_BUILTIN(__ffs(v), __builtin_ffs(v)); }
__host__ __device__ inline int ffsll(long long v) { return VERBATIM_BUILTIN(__ffsll(v), __builtin_ffsll(v)); }
__host__ __device__ inline int popcount(unsigned v) { return VERBATIM_BUILTIN(__popc(v), __builtin_popcount(v)); }
__host__ __device__ inline int popcountll(unsigned long long v) { return VERBATIM_BUILTIN(__popcll(v), __builtin_popcountll(v)); }
__host__ __device__ inline int parity(unsigned v) { return popcount(v) & 1; }
__host__ __device__ inline int parityll(unsigned long long v) { return popcountll(v) & 1; }
__host__ __device__ inline unsigned bswap32(unsigned v) { return v >> 24 | (v >> 8 & 0xff00u) | (v & 0xff00u) << 8 | v << 24; }
__host__ __device__ inline unsigned long long bswap64(unsigned long long v) {
    return (unsigned long long)bswap32((unsigned)v) << 32 | bswap32((unsigned)(v >> 32));
}
}  // namespace verbatim
