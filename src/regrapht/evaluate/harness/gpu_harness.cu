// Runs a candidate on a GPU: loads it, calls it with the arguments of wire.h, hands raw outputs and times back. No comparison with anything
// right happens here: the right outputs are never in this process.
//
// Usage: gpu_harness device|host check REPEATS     each call REPEATS times, outputs of the last handed back
//        gpu_harness device|host time [checks]     waits for the parent's commands, see gpu_timer.cuh; with `checks` it has calls that are
//                                                  only checked too, in descriptors of their own
// It is started while the candidate is still being built, and waits for the object when the device and its own data are ready.
// From the second repetition on, other work occupies part of the device; every other repetition goes through the calls backwards.
#include "gpu_timer.cuh"

#include <dirent.h>
#include <dlfcn.h>

#include <set>
#include <string>

using namespace regrapht;

namespace {

__global__ void occupy(long long cycles) {
    for (const long long end = clock64() + cycles; clock64() < end;) {
    }
}

// By their numbers: a thread of ours or the driver's that ends leaves no room for one of the candidate's.
std::set<std::string> threads() {
    std::set<std::string> found;
    if (DIR* folder = opendir("/proc/self/task")) {
        while (const dirent* entry = readdir(folder))
            if (entry->d_name[0] != '.') found.insert(entry->d_name);
        closedir(folder);
    }
    return found;
}

// The driver starts a thread for functions of the host in a stream when it meets the first one, and keeps it: it is to be there before the
// candidate is.
void start_threads_of_the_driver() {
    require(cudaLaunchHostFunc(nullptr, [](void*) {}, nullptr), "a function of the host in a stream");
    require(cudaDeviceSynchronize(), "getting ready");
}

std::set<std::string> threads_before;

uint32_t count_threads() {
    uint32_t count = uint32_t(threads_before.size());
    for (const std::string& thread : threads()) count += !threads_before.count(thread);
    return count;
}

// The candidate's object comes through a descriptor that is closed before any of its code runs. It is loaded after our own symbols are bound,
// and local: the candidate can neither replace nor be seen by them.
Entry await_entry(const Wire& wire) {
    __atomic_store_n(&wire.result->ready, 1u, __ATOMIC_RELEASE);
    uint32_t bytes = 0;
    while (!(bytes = __atomic_load_n(&wire.result->object_bytes, __ATOMIC_ACQUIRE))) usleep(1000);
    std::vector<char> object(bytes);
    for (size_t done = 0; done < bytes;) {
        const ssize_t got = pread(5, object.data() + done, bytes - done, off_t(done));
        if (got <= 0) fail("the candidate's object cannot be read");
        done += size_t(got);
    }
    close(5);
    FILE* file = std::fopen("candidate.so", "wb");
    if (!file || std::fwrite(object.data(), 1, bytes, file) != bytes || std::fclose(file)) fail("the candidate's object cannot be written");
    void* loaded = dlopen("./candidate.so", RTLD_NOW | RTLD_LOCAL);
    if (!loaded) fail(dlerror());
    const auto entry = reinterpret_cast<Entry>(dlsym(loaded, "regrapht_call"));
    if (!entry) fail("the candidate has no regrapht_call");
    return entry;
}

class Checker {
public:
    Checker(const Wire& wire, Entry entry, bool on_host, unsigned long long* device_sum)
        : wire_(wire), entry_(entry), on_host_(on_host), device_sum_(device_sum), seen_(wire.header->call_count) {
        require(cudaStreamCreateWithFlags(&other_, cudaStreamNonBlocking), "stream");
        require(cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, 0), "device");
    }
    void check(uint32_t call, uint32_t repetition, bool is_last) {
        Arguments& arguments = arguments_of(call);
        arguments.load();
        require(cudaDeviceSynchronize(), "preparing a call");
        if (repetition) occupy<<<1 + random_() % processors_, 256, 0, other_>>>(20'000 + random_() % 200'000);
        if (const cudaError_t error = arguments.call(entry_); error != cudaSuccess) report_and_end(wire_, call, error);
        const unsigned long long fingerprint = joined(call, arguments);
        if (repetition == 0) seen_[call] = fingerprint;
        else if (fingerprint != seen_[call]) wire_.reports[call].flags |= kRepeatDiffers;
        const bool whole = arguments.report_bands();
        if (is_last) {
            if (const cudaError_t error = arguments.store(); error != cudaSuccess) report_and_end(wire_, call, error);
            wire_.reports[call].done = 1;
            ++wire_.result->calls_done;
        }
        if (!whole) arguments_.reset();  // a broken band is the fault of one call
    }

private:
    // Where arrays are as long as in the call before, they lie where those did: an answer that is kept by address and length would fit.
    Arguments& arguments_of(uint32_t call) {
        if (arguments_ && arguments_->fits(call)) {
            arguments_->bind(call);
        } else {
            arguments_.reset();
            arguments_ = std::make_unique<Arguments>(wire_, call, on_host_);
        }
        return *arguments_;
    }
    // The outputs when the default stream is done must be the outputs when all of the device is.
    unsigned long long joined(uint32_t call, const Arguments& arguments) {
        cudaError_t error = cudaGetLastError();
        if (error == cudaSuccess) error = cudaStreamSynchronize(cudaStreamLegacy);
        if (error != cudaSuccess) report_and_end(wire_, call, error);
        const unsigned long long at_return = arguments.fingerprint(device_sum_);
        if ((error = device_state()) != cudaSuccess) report_and_end(wire_, call, error);
        const unsigned long long fingerprint = arguments.fingerprint(device_sum_);
        if (fingerprint != at_return) wire_.reports[call].flags |= kLateWrite;
        return fingerprint;
    }

    const Wire& wire_;
    Entry entry_;
    bool on_host_;
    unsigned long long* device_sum_;
    std::vector<unsigned long long> seen_;
    std::unique_ptr<Arguments> arguments_;
    cudaStream_t other_;
    int processors_ = 1;
    std::random_device random_;
};

void check_all(const Wire& wire, Entry entry, bool on_host, unsigned long long* device_sum, uint32_t repeats) {
    Checker checker(wire, entry, on_host, device_sum);
    const uint32_t calls = wire.header->call_count;
    for (uint32_t r = 0; r < repeats; ++r)
        for (uint32_t i = 0; i < calls; ++i) checker.check(r % 2 ? calls - 1 - i : i, r, r + 1 == repeats);
}

void complete(const Wire& wire) {
    require(cudaDeviceSynchronize(), "the end");
    wire.result->threads_after = count_threads();
    std::fflush(nullptr);  // what the candidate printed is to be seen
    wire.result->magic = kMagic;
    wire.result->completed = kCompleted;
}

}  // namespace

int main(int argc, char** argv) {
    const bool is_check = argc == 4 && std::strcmp(argv[2], "check") == 0;
    const bool is_timed = !is_check && argc >= 3 && std::strcmp(argv[2], "time") == 0;
    const bool has_checks = is_timed && argc == 4 && std::strcmp(argv[3], "checks") == 0;
    if (!is_check && !(is_timed && argc == 3 + has_checks)) fail("usage: gpu_harness device|host check REPEATS | time [checks]");
    const bool on_host = std::strcmp(argv[1], "host") == 0;
    const Wire wire(3, 4);
    const auto checks = has_checks ? std::make_unique<Wire>(6, 7) : nullptr;
    require(cudaSetDevice(0), "no device");
    unsigned long long* device_sum;
    require(cudaMalloc(&device_sum, sizeof *device_sum), "no device memory");
    Timer timer(wire, on_host, device_sum);
    start_threads_of_the_driver();
    threads_before = threads();
    wire.result->threads_before = count_threads();
    if (checks) checks->result->threads_before = wire.result->threads_before;
    const Entry entry = await_entry(wire);

    if (is_check) {
        check_all(wire, entry, on_host, device_sum, uint32_t(std::atoi(argv[3])));
    } else {
        timer.serve(entry, [&] {
            if (!checks) fail("nothing to check");
            check_all(*checks, entry, on_host, device_sum, 1);
            complete(*checks);
        });
    }
    complete(wire);
    std::_Exit(0);
}
