// std::complex, whose operators are the host's alone.
namespace verbatim {
template <class T> struct complex {
    using value_type = T;
    T re_ = T(), im_ = T();
    constexpr complex() = default;
    __host__ __device__ constexpr complex(T re, T im = T()) : re_(re), im_(im) {}
    template <class S, std::enable_if_t<(!std::is_same<S, T>::value), int> = 0>
    __host__ __device__ constexpr complex(const complex<S>& o) : re_((T)o.real()), im_((T)o.imag()) {}
    __host__ __device__ constexpr T real() const { return re_; }
    __host__ __device__ constexpr T imag() const { return im_; }
    __host__ __device__ void real(T v) { re_ = v; }
    __host__ __device__ void imag(T v) { im_ = v; }
    __host__ __device__ complex& operator+=(const complex& o) { re_ += o.re_, im_ += o.im_; return *this; }
    __host__ __device__ complex& operator-=(const complex& o) { re_ -= o.re_, im_ -= o.im_; return *this; }
    __host__ __device__ complex& operator*=(const complex& o) { return *this = *this * o; }
    __host__ __device__ complex& operator/=(const complex& o) { return *this = *this / o; }
    __host__ __device__ complex& operator*=(T s) { re_ *= s, im_ *= s; return *this; }
    __host__ __device__ complex& operator/=(T s) { re_ /= s, im_ /= s; return *this; }
    // Friends, so that a number on either side is converted.
    friend __host__ __device__ complex operator+(const complex& a, const complex& b) { return {a.re_ + b.re_, a.im_ + b.im_}; }
    friend __host__ __device__ complex operator-(const complex& a, const complex& b) { return {a.re_ - b.re_, a.im_ - b.im_}; }
    friend __host__ __device__ complex operator*(const complex& a, const complex& b) {
        return {a.re_ * b.re_ - a.im_ * b.im_, a.re_ * b.im_ + a.im_ * b.re_};
    }
    friend __host__ __device__ complex operator*(const complex& a, T s) { return {a.re_ * s, a.im_ * s}; }
    friend __host__ __device__ complex operator*(T s, const complex& a) { return {a.re_ * s, a.im_ * s}; }
    friend __host__ __device__ complex operator/(const complex& a, T s) { return {a.re_ / s, a.im_ / s}; }
    friend __host__ __device__ complex operator/(const complex& a, const complex& b) {  // Smith's way: no square overflows
        if (fabs(b.re_) >= fabs(b.im_)) {
            const T r = b.im_ / b.re_, d = b.re_ + b.im_ * r;
            return {(a.re_ + a.im_ * r) / d, (a.im_ - a.re_ * r) / d};
        }
        const T r = b.re_ / b.im_, d = b.re_ * r + b.im_;
        return {(a.re_ * r + a.im_) / d, (a.im_ * r - a.re_) / d};
    }
    friend __host__ __device__ complex operator-(const complex& a) { return {-a.re_, -a.im_}; }
    friend __host__ __device__ complex operator+(const complex& a) { return a; }
    friend __host__ __device__ bool operator==(const complex& a, const complex& b) { return a.re_ == b.re_ && a.im_ == b.im_; }
    friend __host__ __device__ bool operator!=(const complex& a, const complex& b) { return !(a == b); }
};
template <class T> __host__ __device__ inline T real(const complex<T>& a) { return a.real(); }
template <class T> __host__ __device__ inline T imag(const complex<T>& a) { return a.imag(); }
template <class T> __host__ __device__ inline T norm(const complex<T>& a) { return a.real() * a.real() + a.imag() * a.imag(); }
template <class T> __host__ __device__ inline complex<T> conj(const complex<T>& a) { return {a.real(), -a.imag()}; }
__host__ __device__ inline float abs(const complex<float>& a) { return hypotf(a.real(), a.imag()); }
__host__ __device__ inline double abs(const complex<double>& a) { return hypot(a.real(), a.imag()); }
__host__ __device__ inline float arg(const complex<float>& a) { return atan2f(a.imag(), a.real()); }
__host__ __device__ inline double arg(const complex<double>& a) { return atan2(a.imag(), a.real()); }
__host__ __device__ inline complex<float> polar(float r, float turn = 0) { return {r * cosf(turn), r * sinf(turn)}; }
__host__ __device__ inline complex<double> polar(double r, double turn = 0) { return {r * cos(turn), r * sin(turn)}; }
template <class T> __host__ __device__ inline complex<T> exp(const complex<T>& a) { return polar((T)::exp(a.real()), a.imag()); }
template <class T> __host__ __device__ inline complex<T> sqrt(const complex<T>& a) { return polar((T)::sqrt(abs(a)), arg(a) / 2); }
}  // namespace verbatim
namespace std {  // so that std::abs and its like, which numbers have too, take them
template <class T> __host__ __device__ inline T abs(const verbatim::complex<T>& a) { return verbatim::abs(a); }
template <class T> __host__ __device__ inline verbatim::complex<T> exp(const verbatim::complex<T>& a) { return verbatim::exp(a); }
template <class T> __host__ __device__ inline verbatim::complex<T> sqrt(const verbatim::complex<T>& a) { return verbatim::sqrt(a); }
}  // namespace std
