// CUDA C++ as the transform engine writes it, run natively: enough to compare values, thousands of programs an hour.
//
// The threads of a block take turns on stacks of their own, in ascending or descending order, up to a barrier or a shuffle. Shared memory
// is filled with NaN before each block, device memory lies between guards, and a barrier that not all threads reach ends the program.
// Races, addresses of coalesced accesses and costs are the emulator's business.
#pragma once
#include <setjmp.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

using std::isfinite, std::isinf, std::isnan, std::signbit;

#define __global__ static
#define __device__
#define __host__
#define __constant__ static
#define __restrict__
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))

struct dim3 {
    unsigned int x, y, z;
    dim3(unsigned int a = 1, unsigned int b = 1, unsigned int c = 1) : x(a), y(b), z(c) {}
};
static dim3 threadIdx, blockIdx, blockDim, gridDim;

static int __popc(unsigned int x) { return __builtin_popcount(x); }
static int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static int __clz(int x) { return x ? __builtin_clz(x) : 32; }
static int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
static int __ffs(int x) { return __builtin_ffs(x); }
static int __ffsll(long long x) { return __builtin_ffsll(x); }

namespace light {
constexpr size_t STACK = 64 << 10;
constexpr unsigned int WARP = 32;
enum class State { NEW, RUNNABLE, WAITING, DONE };

struct Thread {
    State state = State::NEW;
    dim3 index;
    int fiber = -1;
    int waits_for = 0;  // 0: the block, 1: its warp
};
struct Fiber {
    ucontext_t context;
    jmp_buf place;
    std::vector<char> stack;
    bool started = false;
};

static std::vector<Fiber*> fibers;
static std::vector<int> idle;
static std::vector<Thread> threads;
static jmp_buf scheduler;
static std::function<void()> kernel;
static unsigned int current;
static unsigned int started;  // threads of this block that have begun, in order
static int running;
static bool backwards = false;
static std::string trouble;
static std::vector<char> dynamic_memory;
static std::vector<double> exchanged;
static std::pair<char*, char*> shared_section{nullptr, nullptr};

static unsigned int ordered(unsigned int position) { return backwards ? threads.size() - 1 - position : position; }

static bool start_another() {
    if (started == threads.size()) return false;
    current = ordered(started++);
    return true;
}

static void fiber_body() {
    for (;;) {
        do {
            threads[current].state = State::RUNNABLE;
            threads[current].fiber = running;
            threadIdx = threads[current].index;
            kernel();
            threads[current].state = State::DONE;
        } while (start_another());
        idle.push_back(running);
        if (!_setjmp(fibers[running]->place)) _longjmp(scheduler, 1);
    }
}

static void resume(unsigned int number) {
    Thread& thread = threads[number];
    if (thread.state == State::NEW) {
        ++started;
        if (idle.empty()) {
            idle.push_back((int)fibers.size());
            fibers.push_back(new Fiber);
        }
        thread.fiber = idle.back();
        idle.pop_back();
    }
    current = number, running = thread.fiber, threadIdx = thread.index;
    Fiber& fiber = *fibers[running];
    if (_setjmp(scheduler)) return;
    if (fiber.started) _longjmp(fiber.place, 1);
    fiber.started = true, fiber.stack.resize(STACK);
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.data(), fiber.context.uc_stack.ss_size = STACK, fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, fiber_body, 0);
    setcontext(&fiber.context);
}

static void wait_for(int group) {
    threads[current].state = State::WAITING, threads[current].waits_for = group;
    if (!_setjmp(fibers[running]->place)) _longjmp(scheduler, 1);
}

// Let go all threads of a warp, or of the block, that wait at the same kind of barrier; true if any could go.
static bool release() {
    bool any = false;
    const auto all_wait = [](unsigned int first, unsigned int end, int group) {
        for (unsigned int k = first; k < end; ++k)
            if (threads[k].state != State::WAITING || threads[k].waits_for != group) return false;
        return true;
    };
    const auto go = [&](unsigned int first, unsigned int end) {
        for (unsigned int k = first; k < end; ++k) threads[k].state = State::RUNNABLE;
        any = true;
    };
    const unsigned int count = threads.size();
    for (unsigned int first = 0; first < count; first += WARP)
        if (all_wait(first, std::min(first + WARP, count), 1)) go(first, std::min(first + WARP, count));
    if (!any && all_wait(0, count, 0)) go(0, count);
    return any;
}

static void run_block() {
    if (shared_section.first) memset(shared_section.first, 0xff, shared_section.second - shared_section.first);
    memset(dynamic_memory.data(), 0xff, dynamic_memory.size());
    for (Thread& thread : threads) thread.state = State::NEW;
    started = 0;
    for (;;) {
        bool left = false;
        for (unsigned int k = 0; k < threads.size(); ++k) {
            const State state = threads[ordered(k)].state;
            if (state == State::NEW || state == State::RUNNABLE) resume(ordered(k));
        }
        for (const Thread& thread : threads) left = left || thread.state != State::DONE;
        if (!left) return;
        if (!release()) {
            printf("a barrier that not all threads reach\n");
            exit(3);
        }
    }
}

static void launch(dim3 grid, dim3 block, size_t dynamic, std::function<void()> body) {
    if (block.x * block.y * block.z > 1024 || grid.y > 65535 || grid.z > 65535 || grid.x == 0 || dynamic > 48 << 10) {
        trouble = "a launch that cannot be";
        return;
    }
    threads.assign(block.x * block.y * block.z, Thread());
    exchanged.assign(threads.size(), 0.0);
    dynamic_memory.assign(dynamic, 0);
    for (unsigned int k = 0; k < threads.size(); ++k)
        threads[k].index = dim3(k % block.x, k / block.x % block.y, k / block.x / block.y);
    gridDim = grid, blockDim = block, kernel = std::move(body);
    const unsigned int blocks = grid.x * grid.y * grid.z;
    for (unsigned int position = 0; position < blocks; ++position) {
        const unsigned int b = backwards ? blocks - 1 - position : position;
        blockIdx = dim3(b % grid.x, b / grid.x % grid.y, b / grid.x / grid.y);
        run_block();
    }
}
static void launch(dim3 grid, dim3 block, std::function<void()> body) { launch(grid, block, 0, std::move(body)); }

template <class T>
T from_lane(T value, unsigned int lane, bool own) {
    static_assert(sizeof(T) <= sizeof(double));
    const unsigned int mine = light::current, warp = mine / WARP * WARP;
    memcpy(&exchanged[mine], &value, sizeof(T));
    wait_for(1);
    T found = value;
    if (!own && warp + lane < threads.size()) memcpy(&found, &exchanged[warp + lane], sizeof(T));
    wait_for(1);
    return found;
}

// ---- the host's side

constexpr size_t GUARD = 256;
static std::map<char*, size_t> allocated;

inline void* take(size_t bytes) {
    char* memory = (char*)malloc(bytes + 2 * GUARD);
    memset(memory, 0xff, bytes + 2 * GUARD);
    allocated[memory + GUARD] = bytes;
    return memory + GUARD;
}
inline bool written_beside(void* pointer) {
    const auto found = allocated.find((char*)pointer);
    const char* memory = found->first - GUARD;
    const auto untouched = [](char c) { return c == (char)0xff; };
    return !std::all_of(memory, memory + GUARD, untouched) ||
           !std::all_of(found->first + found->second, found->first + found->second + GUARD, untouched);
}
inline void give_back(void* pointer) {
    const auto found = allocated.find((char*)pointer);
    if (found == allocated.end()) return;
    if (written_beside(pointer)) trouble = "a write beside an array";
    free(found->first - GUARD);
    allocated.erase(found);
}

template <class T>
T argument(void* place) {
    if constexpr (std::is_pointer_v<T>) return (T)place;
    else return *(T*)place;
}
template <class R, class... A, size_t... I>
void forward(R (*function)(A...), void** places, void* result, std::index_sequence<I...>) {
    if constexpr (std::is_void_v<R>) function(argument<A>(places[I])...);
    else *(R*)result = function(argument<A>(places[I])...);
}
template <class R, class... A>
void call(R (*function)(A...), void** places, void* result) {
    forward(function, places, result, std::index_sequence_for<A...>{});
}

struct Parameter {
    char kind;  // 'a' array, 's' scalar, 'r' result
    char type;  // as Python's struct module
    size_t bytes;
    size_t count;
    double low, high;  // of drawn values; of a scalar its value
    bool rising = false;  // values in ascending order
};
using Caller = void (*)(void**, void*);

static unsigned long long chance = 1;
inline double drawn() {
    chance = chance * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(chance >> 11) / (double)(1ull << 53);
}

template <class T>
void fill(T* values, const Parameter& parameter) {
    for (size_t k = 0; k < parameter.count; ++k) {
        const double value = parameter.low + drawn() * (parameter.high - parameter.low);
        values[k] = std::is_integral_v<T> ? (T)(long long)std::floor(value) : (T)value;
    }
    if (parameter.rising) std::sort(values, values + parameter.count);
}
template <class T>
bool differs(const T* got, const T* expected, const Parameter& parameter, std::string& said) {
    for (size_t k = 0; k < parameter.count; ++k) {
        const double bar = sizeof(T) == 4 ? 2e-4 : 1e-9, a = (double)got[k], b = (double)expected[k];
        const bool same = got[k] == expected[k] || (a != a && b != b) ||
                          (std::is_floating_point_v<T> && std::fabs(a - b) <= bar * (1 + std::fabs(b)));
        if (same) continue;
        said = "[" + std::to_string(k) + "] is " + std::to_string(a) + ", expected " + std::to_string(b);
        return true;
    }
    return false;
}
template <class F>
auto by_type(char type, F&& use) {
    switch (type) {
        case 'f': return use((float*)nullptr);
        case 'd': return use((double*)nullptr);
        case 'b': return use((signed char*)nullptr);
        case 'B': return use((unsigned char*)nullptr);
        case 'h': return use((short*)nullptr);
        case 'H': return use((unsigned short*)nullptr);
        case 'i': return use((int*)nullptr);
        case 'I': return use((unsigned int*)nullptr);
        case 'q': return use((long long*)nullptr);
        default: return use((unsigned long long*)nullptr);
    }
}

// Run both programs on equal inputs; print what differs.
inline void compare(int number, Caller reference, Caller candidate, std::vector<Parameter> parameters, const char* sizes) {
    for (int turn = 0; turn < 2; ++turn) {
        std::vector<void*> first, second;
        chance = 12345 + number;
        trouble.clear(), backwards = turn == 1;
        for (const Parameter& one : parameters) {
            const size_t bytes = one.bytes * one.count;
            first.push_back(take(bytes)), second.push_back(take(bytes));
            by_type(one.type, [&](auto* type) { fill((decltype(type))first.back(), one); });
            memcpy(second.back(), first.back(), bytes);
        }
        reference(first.data(), first.back());
        if (std::any_of(first.begin(), first.end(), written_beside)) {
            printf("%d: %s: the reference itself writes beside an array\n", number, sizes);
            return;  // it has no right results
        }
        candidate(second.data(), nullptr);
        for (size_t k = 0; k < parameters.size(); ++k) {
            const Parameter& one = parameters[k];
            by_type(one.type, [&](auto* type) {
                using T = decltype(type);
                std::string said;
                if (one.kind != 's' && differs((T)second[k], (T)first[k], one, said) && trouble.empty())
                    trouble = "parameter " + std::to_string(k) + " " + said;
            });
            give_back(first[k]), give_back(second[k]);
        }
        if (!trouble.empty()) printf("%d: %s, turn %d: %s\n", number, sizes, turn, trouble.c_str());
        fflush(stdout);
    }
}
}  // namespace light

// ---- what kernels call

static void __syncthreads() { light::wait_for(0); }
static void __syncwarp() { light::wait_for(1); }
template <class T>
T __shfl_xor_sync(unsigned int, T value, int mask) {
    return light::from_lane(value, (light::current % light::WARP) ^ (unsigned int)mask, false);
}
template <class T>
T __shfl_up_sync(unsigned int, T value, int by) {
    const unsigned int lane = light::current % light::WARP;
    return light::from_lane(value, lane - (unsigned int)by, lane < (unsigned int)by);
}
template <class T>
T __ldcs(const T* place) { return *place; }
template <class T, class V>
void __stcs(T* place, V value) { *place = (T)value; }
template <class T, class V>
T atomicAdd(T* place, V value) { const T old = *place; *place = old + (T)value; return old; }
template <class T, class V>
T atomicMax(T* place, V value) { const T old = *place; *place = std::max(old, (T)value); return old; }
template <class T, class V>
T atomicMin(T* place, V value) { const T old = *place; *place = std::min(old, (T)value); return old; }
template <class T, class V>
T atomicAnd(T* place, V value) { const T old = *place; *place = old & (T)value; return old; }
template <class T, class V>
T atomicOr(T* place, V value) { const T old = *place; *place = old | (T)value; return old; }
template <class T, class V>
T atomicXor(T* place, V value) { const T old = *place; *place = old ^ (T)value; return old; }
template <class T, class V, class W>
T atomicCAS(T* place, V seen, W value) { const T old = *place; if (old == (T)seen) *place = (T)value; return old; }
inline float __uint_as_float(unsigned int bits) { float value; std::memcpy(&value, &bits, sizeof value); return value; }
inline unsigned int __float_as_uint(float value) { unsigned int bits; std::memcpy(&bits, &value, sizeof bits); return bits; }
inline double __longlong_as_double(long long bits) { double value; std::memcpy(&value, &bits, sizeof value); return value; }
inline long long __double_as_longlong(double value) { long long bits; std::memcpy(&bits, &value, sizeof bits); return bits; }
template <class A, class B>
std::common_type_t<A, B> min(A a, B b) { return b < a ? b : a; }
template <class A, class B>
std::common_type_t<A, B> max(A a, B b) { return a < b ? b : a; }

#define LIGHT_VECTOR(T, NAME)            \
    struct alignas(2 * sizeof(T)) NAME##2 { T x, y; };      \
    struct alignas(sizeof(T) == 8 ? 16 : 4 * sizeof(T)) NAME##4 { T x, y, z, w; };
LIGHT_VECTOR(float, float)
LIGHT_VECTOR(double, double)
LIGHT_VECTOR(int, int)
LIGHT_VECTOR(unsigned int, uint)
LIGHT_VECTOR(short, short)
LIGHT_VECTOR(unsigned short, ushort)
LIGHT_VECTOR(signed char, char)
LIGHT_VECTOR(unsigned char, uchar)
LIGHT_VECTOR(long long, longlong)
LIGHT_VECTOR(unsigned long long, ulonglong)

enum cudaError_t { cudaSuccess, cudaErrorMemoryAllocation };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
template <class T>
cudaError_t cudaMalloc(T** place, size_t bytes) { *place = (T*)light::take(bytes); return cudaSuccess; }
static cudaError_t cudaFree(void* place) { light::give_back(place); return cudaSuccess; }
template <class T>
cudaError_t cudaMallocAsync(T** place, size_t bytes, void*) { return cudaMalloc(place, bytes); }
static cudaError_t cudaFreeAsync(void* place, void*) { return cudaFree(place); }
static cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind) { memmove(to, from, bytes); return cudaSuccess; }
static cudaError_t cudaPeekAtLastError() { return light::trouble.empty() ? cudaSuccess : cudaErrorMemoryAllocation; }
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(T& to, const void* from, size_t bytes, size_t offset, cudaMemcpyKind) {
    memcpy((char*)&to + offset, from, bytes);
    return cudaSuccess;
}

// CUB's two functions as loops: what they are given is what matters here.
namespace cub {
struct DeviceReduce {
    template <class In, class Out, class N, class Op, class T>
    static cudaError_t Reduce(void* work, size_t& bytes, In in, Out out, N count, Op op, T first) {
        bytes = 1;
        if (work == nullptr) return cudaSuccess;
        for (N k = 0; k < count; ++k) first = op(first, *(in + k));
        *out = first;
        return cudaSuccess;
    }
};
struct DeviceScan {
    template <class In, class Out, class N, class Op, class T>
    static cudaError_t ExclusiveScan(void* work, size_t& bytes, In in, Out out, Op op, T first, N count) {
        bytes = 1;
        for (N k = 0; work != nullptr && k < count; ++k) out[k] = first, first = op(first, in[k]);
        return cudaSuccess;
    }
};
}  // namespace cub

#include "light_blas.h"
