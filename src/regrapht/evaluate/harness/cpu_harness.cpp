// Runs a reference on the CPU: loads it, calls it with the arguments of wire.h, hands raw outputs back. No comparison happens here.
//
// Usage: cpu_harness OBJECT left|right [MS]   OBJECT defines extern "C" void regrapht_call(void** arguments)
// Arrays lie between two inaccessible ranges. `right` puts an array's end against the second, so that the first element past it faults;
// `left` does the same for the element before it. A call that takes more than MS of processor time is ended by SIGXCPU;
// what the kernel does for it is not counted.
// Exit status: 0 all calls made, 70 the machine's or the caller's fault, 71 the reference starts a process.
#include "wire.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <csignal>
#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>
#include <vector>

using namespace regrapht;

namespace {

constexpr size_t kGuardBytes = 16u << 20;  // address space alone: a stray index has to be far off to miss it

[[noreturn]] void fail(const char* what) {
    std::fprintf(stderr, "harness: %s\n", what);
    std::_Exit(70);
}

void limit_call(long ms) {
    itimerval timer{};
    timer.it_value = {ms / 1000, ms % 1000 * 1000};
    setitimer(ITIMER_VIRTUAL, &timer, nullptr);
}

double now_us() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * double(t.tv_sec) + 1e-3 * double(t.tv_nsec);
}

class GuardedArray {
public:
    GuardedArray(size_t bytes, size_t alignment, bool right) {
        const size_t page = size_t(sysconf(_SC_PAGESIZE));
        const size_t usable = (bytes + page - 1) / page * page + page;
        length_ = usable + 2 * kGuardBytes;
        base_ = static_cast<char*>(mmap(nullptr, length_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        if (base_ == MAP_FAILED) fail("no memory for an array");
        mprotect(base_, kGuardBytes, PROT_NONE);
        mprotect(base_ + kGuardBytes + usable, kGuardBytes, PROT_NONE);
        const size_t slack = right ? (usable - bytes) / alignment * alignment : 0;
        data_ = base_ + kGuardBytes + slack;
    }
    GuardedArray(GuardedArray&& other) noexcept : base_(other.base_), length_(other.length_), data_(other.data_) { other.base_ = nullptr; }
    ~GuardedArray() {
        if (base_) munmap(base_, length_);
    }
    char* data() const { return data_; }

private:
    char* base_;
    size_t length_;
    char* data_;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3 || argc > 4) fail("usage: cpu_harness OBJECT left|right [MS]");
    const long call_ms = argc == 4 ? std::strtol(argv[3], nullptr, 10) : 0;
    std::signal(SIGVTALRM, [](int) { raise(SIGXCPU); });
    pthread_atfork([] { std::_Exit(71); }, nullptr, nullptr);
    const bool right = std::strcmp(argv[2], "right") == 0;
    Header header;
    if (pread(3, &header, sizeof header, 0) != ssize_t(sizeof header) || header.magic != kMagic) fail("no input");
    const char* input = static_cast<char*>(mmap(nullptr, header.input_bytes, PROT_READ, MAP_SHARED, 3, 0));
    char* output = static_cast<char*>(mmap(nullptr, header.output_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0));
    if (input == MAP_FAILED || output == MAP_FAILED) fail("cannot map the arguments");
    const auto* parameters = reinterpret_cast<const Parameter*>(input + sizeof(Header));
    const auto* calls = reinterpret_cast<const Call*>(parameters + header.parameter_count);
    const auto* slots = reinterpret_cast<const Slot*>(calls + header.call_count);
    auto* result = reinterpret_cast<ResultHeader*>(output);
    auto* reports = reinterpret_cast<CallReport*>(output + sizeof(ResultHeader));

    void* object = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!object) fail(dlerror());
    auto entry = reinterpret_cast<void (*)(void**)>(dlsym(object, "regrapht_call"));
    if (!entry) fail("the object has no regrapht_call");

    for (uint32_t c = 0; c < header.call_count; ++c) {
        const Slot* slot = slots + size_t(c) * header.parameter_count;
        std::vector<GuardedArray> arrays;
        std::vector<uint64_t> values(header.parameter_count);
        std::vector<void*> arguments(header.parameter_count);
        arrays.reserve(header.parameter_count);
        for (uint32_t p = 0; p < header.parameter_count; ++p) {
            if (parameters[p].kind == kValue) {
                values[p] = slot[p].value;
                arguments[p] = &values[p];
                continue;
            }
            arrays.emplace_back(slot[p].bytes, parameters[p].alignment_bytes, right);
            arguments[p] = arrays.back().data();
        }
        const auto fill = [&] {
            for (uint32_t p = 0; p < header.parameter_count; ++p) {
                if (parameters[p].kind == kValue) continue;
                if (parameters[p].role == kOut) std::memset(arguments[p], int(calls[c].poison), slot[p].bytes);
                else std::memcpy(arguments[p], input + slot[p].input_offset, slot[p].bytes);
            }
        };
        fill();
        limit_call(call_ms);
        entry(arguments.data());
        limit_call(0);
        for (uint32_t p = 0; p < header.parameter_count; ++p)
            if (slot[p].output_offset) std::memcpy(output + slot[p].output_offset, arguments[p], slot[p].bytes);
        auto* samples = reinterpret_cast<TimedSample*>(output + calls[c].sample_offset);
        for (uint32_t s = 0; s < calls[c].samples; ++s) {
            fill();
            const double start = now_us();
            entry(arguments.data());
            const double elapsed = now_us() - start;
            samples[s] = {elapsed, elapsed};
        }
        reports[c].done = 1;
        result->calls_done = c + 1;
    }
    result->magic = kMagic;
    result->completed = kCompleted;
    std::_Exit(0);
}
