// Runs a candidate on a GPU: loads it, calls it with the arguments of wire.h, hands raw outputs and times back. No comparison with anything
// right happens here: the right outputs are never in this process.
//
// Usage: gpu_harness CANDIDATE.so device|host MIN_SAMPLES WARM_MS SAMPLE_MS
// Each call is made once and its outputs handed back. Then, for calls with samples, timed repetitions follow: calls in turn, so that addresses
// and data change from one to the next; inputs restored, outputs poisoned anew, L2 flushed. Handed back are then the outputs of one timed
// repetition of each call, drawn at random after it ran.
#include "gpu_arrays.cuh"
#include "wire.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <dlfcn.h>
#include <memory>
#include <random>
#include <sys/mman.h>
#include <unistd.h>

using namespace regrapht;

namespace {

double now_us() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * double(t.tv_sec) + 1e-3 * double(t.tv_nsec);
}

struct Wire {
    const char* input;
    char* output;
    const Header* header;
    const Parameter* parameters;
    const Call* calls;
    const Slot* slots;
    ResultHeader* result;
    CallReport* reports;

    Wire() {
        Header head;
        if (pread(3, &head, sizeof head, 0) != ssize_t(sizeof head) || head.magic != kMagic) fail("no input");
        input = static_cast<char*>(mmap(nullptr, head.input_bytes, PROT_READ, MAP_SHARED, 3, 0));
        output = static_cast<char*>(mmap(nullptr, head.output_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0));
        if (input == MAP_FAILED || output == MAP_FAILED) fail("cannot map the arguments");
        header = reinterpret_cast<const Header*>(input);
        parameters = reinterpret_cast<const Parameter*>(header + 1);
        calls = reinterpret_cast<const Call*>(parameters + header->parameter_count);
        slots = reinterpret_cast<const Slot*>(calls + header->call_count);
        result = reinterpret_cast<ResultHeader*>(output);
        reports = reinterpret_cast<CallReport*>(result + 1);
    }
    const Slot* slot(uint32_t call) const { return slots + size_t(call) * header->parameter_count; }
};

// Answers with the last error of the candidate's own copy of the runtime, which ours would not see.
using Entry = int (*)(void* const*);

// The arrays of one call, in the order of its parameters, with the pointers that the candidate is called with.
class Arguments {
public:
    Arguments(const Wire& wire, uint32_t call, bool on_host) : wire_(wire), call_(call) {
        const Slot* slot = wire.slot(call);
        const uint32_t count = wire.header->parameter_count;
        values_.resize(count);
        pointers_.resize(count);
        arguments_.resize(count);
        for (uint32_t p = 0; p < count; ++p) {
            if (wire.parameters[p].kind == kValue) {
                values_[p] = slot[p].value;
                arguments_[p] = &values_[p];
            } else {
                arrays_.push_back(std::make_unique<GuardedArray>(slot[p].bytes, on_host));
                which_.push_back(p);
                pointers_[p] = arrays_.back()->data();
                arguments_[p] = pointers_[p];
            }
        }
    }
    void load() {
        each([&](const GuardedArray& array, const Parameter& parameter, const Slot& slot) {
            if (parameter.role == kOut) array.fill(int(wire_.calls[call_].poison));
            else array.load(wire_.input + slot.input_offset);
        });
    }
    // Inputs again as they were, from copies that no candidate saw; outputs poisoned.
    void restore(const Arguments& pristine) {
        for (size_t i = 0; i < arrays_.size(); ++i) {
            if (wire_.parameters[which_[i]].role == kOut) arrays_[i]->fill(int(wire_.calls[call_].poison));
            else arrays_[i]->copy_from(*pristine.arrays_[i]);
        }
    }
    cudaError_t call(Entry entry) { return cudaError_t(entry(arguments_.data())); }
    unsigned long long fingerprint(unsigned long long* device_sum) const {
        unsigned long long sum = 0;
        for (size_t i = 0; i < arrays_.size(); ++i)
            if (wire_.parameters[which_[i]].role != kIn) sum = sum * 31 + arrays_[i]->fingerprint(device_sum);
        return sum;
    }
    // The index of a parameter whose bands changed, or -1.
    int broken() const {
        for (size_t i = 0; i < arrays_.size(); ++i)
            if (!arrays_[i]->bands_intact()) return int(which_[i]);
        return -1;
    }
    cudaError_t store() const {
        const Slot* slot = wire_.slot(call_);
        for (size_t i = 0; i < arrays_.size(); ++i)
            if (const uint64_t offset = slot[which_[i]].output_offset) {
                const cudaError_t error = arrays_[i]->store(wire_.output + offset);
                if (error != cudaSuccess) return error;
            }
        return cudaSuccess;
    }

private:
    template <class F> void each(F f) {
        for (size_t i = 0; i < arrays_.size(); ++i) f(*arrays_[i], wire_.parameters[which_[i]], wire_.slot(call_)[which_[i]]);
    }
    const Wire& wire_;
    uint32_t call_;
    std::vector<uint64_t> values_;
    std::vector<void*> pointers_, arguments_;
    std::vector<std::unique_ptr<GuardedArray>> arrays_;
    std::vector<uint32_t> which_;
};

// Whatever went wrong with the device since the last look; what a candidate leaves behind counts against it.
cudaError_t device_state() {
    const cudaError_t last = cudaGetLastError();
    const cudaError_t now = cudaDeviceSynchronize();
    return last != cudaSuccess ? last : now;
}

[[noreturn]] void report_and_end(const Wire& wire, uint32_t call, cudaError_t error) {
    wire.reports[call].flags |= kDeviceError;
    wire.reports[call].error_code = uint32_t(error);
    std::_Exit(3);
}

void join(const Wire& wire, uint32_t call, Arguments& arguments, unsigned long long* device_sum, unsigned long long* fingerprint) {
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) error = cudaStreamSynchronize(cudaStreamLegacy);
    if (error != cudaSuccess) report_and_end(wire, call, error);
    const unsigned long long at_return = arguments.fingerprint(device_sum);
    if ((error = device_state()) != cudaSuccess) report_and_end(wire, call, error);
    *fingerprint = arguments.fingerprint(device_sum);
    if (*fingerprint != at_return) wire.reports[call].flags |= kLateWrite;
}

void check(const Wire& wire, uint32_t call, Entry entry, bool on_host, unsigned long long* device_sum) {
    Arguments arguments(wire, call, on_host);
    arguments.load();
    require(cudaDeviceSynchronize(), "preparing a call");
    if (const cudaError_t error = arguments.call(entry); error != cudaSuccess) report_and_end(wire, call, error);
    unsigned long long fingerprint = 0;
    join(wire, call, arguments, device_sum, &fingerprint);
    const int broken = arguments.broken();
    if (broken >= 0) {
        wire.reports[call].flags |= kGuardBroken;
        wire.reports[call].parameter = uint32_t(broken);
    }
    if (const cudaError_t error = arguments.store(); error != cudaSuccess) report_and_end(wire, call, error);
    wire.reports[call].done = 1;
    wire.result->calls_done = call + 1;
}

// Half the width of the 95 % interval of the median, from order statistics, relative to the median.
double uncertainty(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    const double n = double(times.size()), reach = 1.96 * std::sqrt(n) / 2;
    const size_t low = size_t(std::max(0.0, std::floor(n / 2 - reach)));
    const size_t high = size_t(std::min(n - 1, std::ceil(n / 2 + reach) - 1));
    return (times[high] - times[low]) / 2 / times[times.size() / 2];
}

class Timer {
public:
    Timer(const Wire& wire, Entry entry, bool on_host, unsigned long long* device_sum) : wire_(wire), entry_(entry), device_sum_(device_sum) {
        for (uint32_t c = 0; c < wire.header->call_count; ++c)
            if (wire.calls[c].samples) {
                ring_.push_back(c);
                arguments_.push_back(std::make_unique<Arguments>(wire, c, on_host));
                pristine_.push_back(std::make_unique<Arguments>(wire, c, on_host));
                pristine_.back()->load();
            }
        taken_.resize(ring_.size());
        seen_.resize(ring_.size());
        cudaDeviceProp properties;
        require(cudaGetDeviceProperties(&properties, 0), "device properties");
        flush_bytes_ = std::max<size_t>(size_t(properties.l2CacheSize) * 2, 1 << 20);
        require(cudaMalloc(&flush_, flush_bytes_), "no device memory to flush the cache");
        require(cudaEventCreate(&start_), "event");
        require(cudaEventCreate(&stop_), "event");
    }
    bool empty() const { return ring_.empty(); }

    void warm_up(double milliseconds) {
        const double end = now_us() + 1e3 * milliseconds;
        for (int i = 0; i < 3 || now_us() < end; ++i) repeat(size_t(i) % ring_.size(), nullptr);
    }
    void run(uint32_t least, double milliseconds) {
        const double end = now_us() + 1e3 * milliseconds, hard_end = end + 4e3 * milliseconds;
        std::vector<double> times;
        for (size_t i = 0;; ++i) {
            const size_t place = i % ring_.size();
            if (taken_[place] == wire_.calls[ring_[place]].samples) break;
            if (times.size() >= least && (now_us() > end || (times.size() % 10 == 0 && uncertainty(times) <= 0.01))) break;
            if (times.size() >= 3 && now_us() > hard_end) break;
            TimedSample sample;
            repeat(place, &sample);
            times.push_back(sample.event_us);
        }
    }

private:
    // One repetition; with `sample` it is timed, its fingerprint held against earlier ones, and perhaps kept as this call's output.
    void repeat(size_t place, TimedSample* sample) {
        const uint32_t call = ring_[place];
        Arguments& arguments = *arguments_[place];
        arguments.restore(*pristine_[place]);
        require(cudaMemsetAsync(flush_, int(random_() & 0xFF), flush_bytes_, cudaStreamLegacy), "flushing the cache");
        require(cudaDeviceSynchronize(), "preparing a repetition");
        require(cudaEventRecord(start_, cudaStreamLegacy), "event");
        const double begun = now_us();
        cudaError_t error = arguments.call(entry_);
        if (error == cudaSuccess) error = cudaEventRecord(stop_, cudaStreamLegacy);
        if (error == cudaSuccess) error = cudaDeviceSynchronize();
        const double host_us = now_us() - begun;
        if (error == cudaSuccess) error = cudaGetLastError();
        if (error != cudaSuccess) report_and_end(wire_, call, error);
        if (!sample) return;
        float event_ms = 0;
        require(cudaEventElapsedTime(&event_ms, start_, stop_), "event time");
        *sample = {1e3 * double(event_ms), host_us};
        auto* samples = reinterpret_cast<TimedSample*>(wire_.output + wire_.calls[call].sample_offset);
        samples[taken_[place]] = *sample;
        const unsigned long long fingerprint = arguments.fingerprint(device_sum_);
        if (taken_[place] == 0) seen_[place] = fingerprint;
        else if (fingerprint != seen_[place]) wire_.reports[call].flags |= kTimedOutputDiffers;
        ++taken_[place];
        if (random_() % taken_[place] == 0) {
            const int broken = arguments.broken();
            if (broken >= 0) {
                wire_.reports[call].flags |= kGuardBroken;
                wire_.reports[call].parameter = uint32_t(broken);
            }
            if ((error = arguments.store()) != cudaSuccess) report_and_end(wire_, call, error);
        }
    }

    const Wire& wire_;
    Entry entry_;
    unsigned long long* device_sum_;
    std::vector<uint32_t> ring_, taken_;
    std::vector<unsigned long long> seen_;
    std::vector<std::unique_ptr<Arguments>> arguments_, pristine_;
    void* flush_ = nullptr;
    size_t flush_bytes_ = 0;
    cudaEvent_t start_, stop_;
    std::random_device random_;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 6) fail("usage: gpu_harness CANDIDATE.so device|host MIN_SAMPLES WARM_MS SAMPLE_MS");
    const bool on_host = std::strcmp(argv[2], "host") == 0;
    const Wire wire;
    require(cudaSetDevice(0), "no device");
    unsigned long long* device_sum;
    require(cudaMalloc(&device_sum, sizeof *device_sum), "no device memory");

    // After our own symbols are bound, and local: the candidate can neither replace nor be seen by them.
    void* object = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!object) fail(dlerror());
    auto entry = reinterpret_cast<Entry>(dlsym(object, "regrapht_call"));
    if (!entry) fail("the candidate has no regrapht_call");

    for (uint32_t call = 0; call < wire.header->call_count; ++call) check(wire, call, entry, on_host, device_sum);
    {
        Timer timer(wire, entry, on_host, device_sum);
        if (!timer.empty()) {
            timer.warm_up(std::atof(argv[4]));
            timer.run(uint32_t(std::atoi(argv[3])), std::atof(argv[5]));
        }
    }
    require(cudaDeviceSynchronize(), "the end");
    std::fflush(nullptr);  // what the candidate printed is to be seen
    wire.result->magic = kMagic;
    wire.result->completed = kCompleted;
    std::_Exit(0);
}
