//// functors | affine | PASSED
struct Affine { float a; __host__ __device__ explicit Affine(float a) : a(a) {} __device__ float operator()(float x, float y) const { return a * x + y; } };
template <class F> __global__ void zip(int n, F f, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = f(x[i], y[i]); }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { zip<<<(n + 63) / 64, 64>>>(n, Affine(a), x, y, z); }

//// lambdas in kernels | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    auto step = [a](auto u, auto v) { return a * u + v; };
    auto each = [&](auto&& f) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) f(i); };
    each([&](int i) { z[i] = step(x[i], y[i]); });
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<4, 64>>>(n, a, x, y, z); }

//// lambdas on the host | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    const auto blocks = [](int n, int b) { return (n + b - 1) / b; };
    auto launch = [&](auto... rest) { k<<<blocks(n, 96), 96>>>(n, rest...); };
    launch(a, x, y, z);
}

//// variadic templates and folds | blur | PASSED
template <class... T> __device__ float sum(T... v) { return (v + ... + 0.0f); }
__global__ void k(int h, int w, const float* x, float* y) {
    const int t = blockIdx.x * 64 + threadIdx.x, i = t / w, j = t % w;
    if (t >= h * w) return;
    y[t] = 0.5f * x[t] + 0.125f * sum(j ? x[t - 1] : 0, j + 1 < w ? x[t + 1] : 0, i ? x[t - w] : 0, i + 1 < h ? x[t + w] : 0);
}
extern "C" void blur(int h, int w, const float* x, float* y) { k<<<(h * w + 63) / 64, 64>>>(h, w, x, y); }

//// curiously recurring | wave | PASSED
template <class D> struct Map { __device__ void operator()(int i, const float* x, float* y) const { y[i] = static_cast<const D*>(this)->of(x[i]); } };
struct Wave : Map<Wave> { __device__ float of(float v) const { return sinf(v) * expf(-0.5f * fabsf(v)) + v; } };
template <class M> __global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) M{}(i, x, y); }
extern "C" void wave(int n, const float* x, float* y) { k<Wave><<<(n + 63) / 64, 64>>>(n, x, y); }

//// virtual functions | wave | PASSED
struct Map { __device__ virtual float of(float v) const = 0; __device__ virtual ~Map() {} };
struct Sine : Map { __device__ float of(float v) const override { return sinf(v); } };
struct Fall : Map { __device__ float of(float v) const override { return expf(-0.5f * fabsf(v)); } };
__global__ void k(int n, const float* x, float* y) {
    Sine s; Fall f;
    const Map* maps[] = {&s, &f};
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) { float p = 1; for (const Map* m : maps) p *= m->of(x[i]); y[i] = p + x[i]; }
}
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 63) / 64, 64>>>(n, x, y); }

//// pointers to device functions | wave | PASSED
typedef float (*Function)(float);
__device__ float sine(float v) { return sinf(v); }
__device__ float fall(float v) { return expf(-0.5f * fabsf(v)); }
__device__ Function table[2] = {sine, fall};
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[i] = table[0](x[i]) * table[1](x[i]) + x[i]; }
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 63) / 64, 64>>>(n, x, y); }

//// recursion | rowsum | PASSED
__device__ float sum(const float* x, int n) { return n == 1 ? *x : n == 0 ? 0 : sum(x, n / 2) + sum(x + n / 2, n - n / 2); }
__global__ void k(int rows, int cols, const float* x, float* y) { int r = blockIdx.x * 32 + threadIdx.x; if (r < rows) y[r] = sum(x + r * cols, cols); }
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<(rows + 31) / 32, 32>>>(rows, cols, x, y); }

//// recursive templates | rowsum | PASSED
template <int N> struct Sum { __device__ static float of(const float* p, int s) { return Sum<N / 2>::of(p, s) + Sum<N - N / 2>::of(p + N / 2 * s, s); } };
template <> struct Sum<1> { __device__ static float of(const float* p, int) { return *p; } };
__global__ void k(int cols, const float* x, float* y) {
    __shared__ float v[128];
    for (int c = threadIdx.x; c < 128; c += 32) v[c] = c < cols ? x[blockIdx.x * cols + c] : 0;
    __syncwarp();
    if (threadIdx.x == 0) y[blockIdx.x] = Sum<128>::of(v, 1);
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<rows, 32>>>(cols, x, y); }

//// views with operators | transpose | PASSED
template <class T> class View {
    T* at_; int rows_, cols_;
public:
    __host__ __device__ View(T* at, int rows, int cols) : at_(at), rows_(rows), cols_(cols) {}
    __device__ T& operator()(int r, int c) const { return at_[r * cols_ + c]; }
    __host__ __device__ int size() const { return rows_ * cols_; }
    __device__ int rows() const { return rows_; }
};
__global__ void k(View<const float> x, View<float> y) { int t = blockIdx.x * 64 + threadIdx.x; if (t < x.size()) y(t / x.rows(), t % x.rows()) = x(t % x.rows(), t / x.rows()); }
extern "C" void transpose(int rows, int cols, const float* x, float* y) { View<const float> in(x, rows, cols); k<<<(in.size() + 63) / 64, 64>>>(in, View<float>(y, cols, rows)); }

//// complex numbers of its own | wave | PASSED
struct Complex { float re, im; __device__ Complex(float r, float i) : re(r), im(i) {} };
__device__ Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
__device__ Complex& operator*=(Complex& a, const Complex& b) { return a = a * b; }
__global__ void k(int n, const float* x, float* y) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) return;
    Complex z(cosf(x[i]), sinf(x[i]));
    z *= Complex(expf(-0.5f * fabsf(x[i])), 0);
    y[i] = z.im + x[i];
}
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + 63) / 64, 64>>>(n, x, y); }

//// choice at compile time | affine | PASSED
enum class Order { forward, backward };
template <Order O> __global__ void k(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) return;
    if constexpr (O == Order::backward) i = n - 1 - i;
    z[i] = a * x[i] + y[i];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { (n % 2 ? k<Order::forward> : k<Order::backward>)<<<(n + 63) / 64, 64>>>(n, a, x, y, z); }

//// constants computed by the compiler | wave | PASSED
constexpr float power(float b, int e) { return e ? b * power(b, e - 1) : 1; }
constexpr int kBlock = static_cast<int>(power(2, 6));
__constant__ constexpr float kFall[] = {-power(0.5f, 1), power(1, 3)};
__global__ void k(int n, const float* x, float* y) { int i = blockIdx.x * kBlock + threadIdx.x; if (i < n) y[i] = sinf(x[i]) * expf(kFall[0] * fabsf(x[i])) + kFall[1] * x[i]; }
extern "C" void wave(int n, const float* x, float* y) { k<<<(n + kBlock - 1) / kBlock, kBlock>>>(n, x, y); }

//// goto and switch | prefix | PASSED
__global__ void k(int n, const int* x, int* y) {
    if (threadIdx.x) return;
    int i = 0, s = 0;
again:
    switch ((n - i) % 4) {
        case 3: y[i] = s += x[i]; ++i; [[fallthrough]];
        case 2: y[i] = s += x[i]; ++i; [[fallthrough]];
        case 1: y[i] = s += x[i]; ++i; break;
        case 0: if (i == n) return; for (int e = i + 4; i < e; ++i) y[i] = s += x[i];
    }
    goto again;
}
extern "C" void prefix(int n, const int* x, int* y) { k<<<1, 32>>>(n, x, y); }

//// bit fields and packing | gather | PASSED
struct Packed { unsigned low : 12; unsigned high : 20; };
__global__ void k(int n, const int* at, const float* x, float* y) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) return;
    Packed p; p.low = at[i] & 0xFFF; p.high = at[i] >> 12;
    y[i] = 2 * x[p.high << 12 | p.low];
}
extern "C" void gather(int n, int m, const int* at, const float* x, float* y) { k<<<(n + 63) / 64, 64>>>(n, at, x, y); }

//// local arrays and ranges | rowsum | PASSED
__global__ void k(int rows, int cols, const float* x, float* y) {
    int r = blockIdx.x * 32 + threadIdx.x;
    if (r >= rows) return;
    float lanes[5] = {0, 0, 0, 0, 0};
    for (int c = 0; c < cols; ++c) lanes[c % 5] += x[r * cols + c];
    float s = 0;
    for (const float& v : lanes) s += v;
    y[r] = s;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<(rows + 31) / 32, 32>>>(rows, cols, x, y); }

//// structs returned and bound | affine | PASSED
struct Pair { float first, second; };
__device__ Pair load(const float* x, const float* y, int i) { return {x[i], y[i]}; }
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) { auto [u, v] = load(x, y, i); z[i] = a * u + v; } }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 63) / 64, 64>>>(n, a, x, y, z); }

//// namespaces and defaults | affine | PASSED
namespace outer { inline namespace v2 { namespace { constexpr int threads = 64; }
template <typename T = float> __device__ T step(T a, T x, T y = T{}) { return a * x + y; } } }
using outer::threads;
namespace o = outer;
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * threads + threadIdx.x; if (i < n) z[i] = o::step(a, x[i]) + o::step<>(1.0f, y[i]); }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + threads - 1) / threads, threads>>>(n, a, x, y, z); }

//// kernels in a namespace and a class's launcher | affine | PASSED
namespace kernels { __global__ void run(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = a * x[i] + y[i]; } }
class Launcher { int n_; public: explicit Launcher(int n) : n_(n) {} void operator()(float a, const float* x, const float* y, float* z) const { kernels::run<<<dim3((n_ + 63) / 64), dim3(64)>>>(n_, a, x, y, z); } };
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { Launcher{n}(a, x, y, z); }

//// a parameter block | affine | PASSED
struct Parameters { int n; float a; const float *x, *y; float* z; };
__global__ void k(const __grid_constant__ Parameters p) { int i = blockIdx.x * 64 + threadIdx.x; if (i < p.n) p.z[i] = p.a * p.x[i] + p.y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 63) / 64, 64>>>(Parameters{n, a, x, y, z}); }

//// macros that make kernels | affine | PASSED
#define FOR_EACH(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)
#define KERNEL(NAME, ...) __global__ void NAME(int n, float a, const float* x, const float* y, float* z) { FOR_EACH(i, n) { __VA_ARGS__; } }
KERNEL(scale, z[i] = a * x[i])
KERNEL(add, z[i] += y[i])
#undef KERNEL
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { scale<<<2, 64>>>(n, a, x, y, z); add<<<3, 32>>>(n, a, x, y, z); }

//// comma and conditional operators | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    int i; float u;
    (i = blockIdx.x * 64 + threadIdx.x) < n ? (u = x[i], u *= a, u += y[i], (void)(z[i] = u)) : (void)0;
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 63) / 64, 64>>>(n, a, x, y, z); }

//// alternative words and digraphs | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) <%
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n and not (i < 0 or n == 0)) z<:i:> = a * x<:i:> + y<:i:>;
%>
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 63) / 64, 64>>>(n, a, x, y, z); }

//// types of the library | affine | PASSED
#include <cstdint>
#include <type_traits>
#include <algorithm>
template <class T, std::enable_if_t<std::is_floating_point<T>::value, int> = 0> __device__ T step(T a, T x, T y) { return a * x + y; }
__global__ void k(std::int32_t n, float a, const float* x, const float* y, float* z) { std::uint32_t i = blockIdx.x * 64u + threadIdx.x; if (i < static_cast<std::uint32_t>(n)) z[i] = step(a, x[i], y[i]); }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<std::max(1, (n + 63) / 64), 64>>>(n, a, x, y, z); }

//// pieces of cuda::std | rowsum | PASSED
#include <cuda/std/array>
#include <cuda/std/limits>
#include <cuda/std/utility>
__global__ void k(int rows, int cols, const float* x, float* y) {
    int r = blockIdx.x * 32 + threadIdx.x;
    if (r >= rows) return;
    cuda::std::array<float, 4> s{};
    float least = cuda::std::numeric_limits<float>::max();
    for (int c = 0; c < cols; ++c) { s[c & 3] += x[r * cols + c]; least = x[r * cols + c] < least ? x[r * cols + c] : least; }
    auto p = cuda::std::make_pair(s[0] + s[1], s[2] + s[3]);
    y[r] = least < cuda::std::numeric_limits<float>::max() || least != least || cols ? p.first + p.second : 0;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<(rows + 31) / 32, 32>>>(rows, cols, x, y); }

//// a small vector class with constructors and destructors | rowsum | PASSED
template <class T, int N> struct Stack { T v[N]; int used; __device__ Stack() : used(0) {} __device__ ~Stack() { used = 0; } __device__ void push(T t) { v[used++] = t; } __device__ T pop() { return v[--used]; } __device__ bool empty() const { return !used; } };
__global__ void k(int rows, int cols, const float* x, float* y) {
    int r = blockIdx.x * 32 + threadIdx.x;
    if (r >= rows) return;
    float s = 0;
    for (int c0 = 0; c0 < cols; c0 += 16) { Stack<float, 16> st; for (int c = c0; c < cols && c < c0 + 16; ++c) st.push(x[r * cols + c]); while (!st.empty()) s += st.pop(); }
    y[r] = s;
}
extern "C" void rowsum(int rows, int cols, const float* x, float* y) { k<<<(rows + 31) / 32, 32>>>(rows, cols, x, y); }

//// placement new and alignas | affine | PASSED
#include <new>
struct alignas(16) Cell { float v[4]; __device__ Cell(float a, float b) : v{a, b, 0, 0} {} };
__global__ void k(int n, float a, const float* x, const float* y, float* z) {
    __shared__ alignas(Cell) unsigned char raw[64 * sizeof(Cell)];
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) return;
    Cell* c = new (raw + threadIdx.x * sizeof(Cell)) Cell(x[i], y[i]);
    z[i] = a * c->v[0] + c->v[1];
}
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 63) / 64, 64>>>(n, a, x, y, z); }

//// explicit instantiation and specialisation | affine | PASSED
template <typename T, int N> __global__ void k(int n, T a, const T* x, const T* y, T* z);
template <typename T, int N> __global__ void k(int n, T a, const T* x, const T* y, T* z) { for (int j = 0; j < N; ++j) { int i = (blockIdx.x * 64 + threadIdx.x) * N + j; if (i < n) z[i] = a * x[i] + y[i]; } }
template __global__ void k<float, 2>(int, float, const float*, const float*, float*);
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<float, 2><<<(n + 127) / 128, 64>>>(n, a, x, y, z); }

//// pointers to members | affine | PASSED
struct Row { float x, y; };
__device__ float take(const Row& r, float Row::*m) { return r.*m; }
__global__ void k(int n, float a, const float* x, const float* y, float* z) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) { Row r{x[i], y[i]}; z[i] = a * take(r, &Row::x) + take(r, &Row::y); } }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { k<<<(n + 63) / 64, 64>>>(n, a, x, y, z); }

//// static locals and counters of the host | affine | PASSED
__global__ void k(int n, float a, const float* x, const float* y, float* z) { static const float one = 1.0f; int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = a * x[i] + one * y[i]; }
extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { static int calls = 0; ++calls; k<<<(n + 63) / 64 + calls % 2, 64>>>(n, a, x, y, z); }
