// Timed repetitions, as the parent asks for them. It decides how many and when; this end makes them and writes down what its clocks say.
//
// Calls with room for samples are sets of data of one of several shapes. Each repetition takes a set of the shape and a place in memory at
// random, so that neither pointers nor contents tell what comes next. In three of four repetitions the data are new: arrays of several sets
// together, turned, with a few elements changed, so that results that were kept from earlier ones do not fit, whatever they were kept by. The
// unchanged ones in between must give the same bytes each time.
#pragma once
#include "gpu_arguments.cuh"

#include <atomic>
#include <ctime>
#include <functional>
#include <random>

namespace regrapht {

inline double now_us() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * double(t.tv_sec) + 1e-3 * double(t.tv_nsec);
}

// The sets of data of one shape, and the places in memory that repetitions are made in.
struct TimedShape {
    std::vector<uint32_t> sets;  // numbers of calls
    std::vector<std::unique_ptr<Arguments>> pristine, places;
    std::vector<unsigned long long> seen;  // fingerprints of outputs on unchanged data
    std::vector<bool> known;
    std::vector<void*> staging;  // page-locked, made when it is first needed

    // The later half is for the parent alone: when it asks, the data are as new to the candidate as those of any turned repetition.
    size_t shown() const { return (sets.size() + 1) / 2; }
    std::vector<const Arguments*> shown_sets() const {
        std::vector<const Arguments*> found;
        for (size_t i = 0; i < shown(); ++i) found.push_back(pristine[i].get());
        return found;
    }
};

class Timer {
public:
    Timer(const Wire& wire, bool on_host, unsigned long long* device_sum) : wire_(wire), device_sum_(device_sum) {
        for (uint32_t c = 0; c < wire.header->call_count; ++c) {
            if (!wire.calls[c].samples) continue;
            if (wire.calls[c].shape >= shapes_.size()) shapes_.resize(wire.calls[c].shape + 1);
            TimedShape& shape = shapes_[wire.calls[c].shape];
            shape.sets.push_back(c);
            shape.pristine.push_back(std::make_unique<Arguments>(wire, c, on_host));
            shape.pristine.back()->load();
            shape.pristine.back()->make_room();
        }
        if (shapes_.empty()) return;
        for (TimedShape& shape : shapes_) {
            if (shape.sets.empty()) fail("a shape without data");
            for (int place = 0; place < kPlaces; ++place) shape.places.push_back(std::make_unique<Arguments>(wire, shape.sets[0], on_host));
            shape.seen.resize(shape.sets.size());
            shape.known.resize(shape.sets.size());
        }
        cudaDeviceProp properties;
        require(cudaGetDeviceProperties(&properties, 0), "device properties");
        flush_bytes_ = std::max<size_t>(size_t(properties.l2CacheSize) * 2, 1 << 20);
        require(cudaMalloc(&flush_, flush_bytes_), "no device memory to flush the cache");
        keep_scratch();
        persists_ = properties.persistingL2CacheMaxSize > 0;
        if (persists_) require(take_room_away(), "the limit of persisting cache lines");
        require(cudaEventCreate(&start_), "event");
        require(cudaEventCreate(&stop_), "event");
    }
    // Answers commands until the last one. `check` makes the calls of kCheck.
    void serve(Entry entry, const std::function<void()>& check) {
        if (shapes_.empty()) fail("nothing to time");
        entry_ = entry;
        __atomic_store_n(&wire_.result->ready, 2u, __ATOMIC_RELEASE);
        double told = now_us();
        for (uint32_t last = 0;;) {
            const uint32_t command = __atomic_load_n(&wire_.result->command, __ATOMIC_ACQUIRE);
            if (command == last) {
                usleep(now_us() - told < kAlertUs ? 50 : 1000);
                continue;
            }
            last = command;
            const uint32_t kind = wire_.result->kind, count = wire_.result->count;
            if (kind == kFinish) break;
            if (kind == kCheck) check();
            else obey(CommandKind(kind), count, asked_for());
            __atomic_store_n(&wire_.result->answered, last, __ATOMIC_RELEASE);
            told = now_us();
        }
        wire_.result->calls_done = wire_.header->call_count;
    }

private:
    static constexpr int kPlaces = 2;
    static constexpr double kAlertUs = 2e6;  // after so long without a command the device is not ours: look seldom

    TimedShape& asked_for() {
        const uint32_t number = wire_.result->shape;
        if (number >= shapes_.size()) fail("no such shape");
        return shapes_[number];
    }
    void obey(CommandKind kind, uint32_t count, TimedShape& shape) {
        if (kind == kKeep) keep(shape, count % uint32_t(shape.sets.size()));
        else if (kind == kStore) store(shape, count % uint32_t(shape.sets.size()));
        else run(kind, count, shape);
    }
    void run(CommandKind kind, uint32_t count, TimedShape& shape) {
        std::vector<uint32_t> taken(shape.sets.size());
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t slot = i % uint32_t(shape.sets.size());  // where the sample goes; which data it is made with is drawn apart from it
            const Call& call = wire_.calls[shape.sets[slot]];
            if (taken[slot] == call.samples) fail("more repetitions asked for than there is room for");
            const size_t set = kind == kTransfer ? 0 : random_() % shape.shown();  // page-locked buffers hold one set
            const bool turned = kind != kTransfer && random_() % 4 != 0;
            auto* samples = reinterpret_cast<TimedSample*>(wire_.output + call.sample_offset);
            samples[taken[slot]++] = repeat(kind, shape, set, turned ? 1 + random_() : 0);
        }
    }
    // The repetition is like any other for the candidate; its arrays and the bands beside them are looked at afterwards. Handing large
    // outputs back takes long, so they are put aside first and handed back when the device need not be held alone any more.
    void keep(TimedShape& shape, size_t set) {
        repeat(kSample, shape, set, 0);
        current_->report_inputs(*shape.pristine[set], device_sum_);
        shape.pristine[set]->put_aside(*current_);
        for (const auto& place : shape.places) place->report_bands();
    }
    void store(TimedShape& shape, size_t set) {
        if (const cudaError_t error = shape.pristine[set]->store(); error != cudaSuccess) report_and_end(wire_, shape.sets[set], error);
        wire_.reports[shape.sets[set]].done = 1;
    }
    TimedSample repeat(CommandKind kind, TimedShape& shape, size_t set, size_t turn) {
        const uint32_t call = shape.sets[set];
        current_ = shape.places[random_() % shape.places.size()].get();
        current_->bind(call);
        const bool turned = turn && (current_->can_turn() || shape.shown() > 1);
        current_->restore(*shape.pristine[set], turned ? turn : 0, shape.shown_sets());
        forget_persisting_lines();
        require(cudaMemsetAsync(flush_, int(random_() & 0xFF), flush_bytes_, cudaStreamLegacy), "flushing the cache");
        const TimedSample sample = kind == kTransfer ? transferred(call, shape) : called(call, kind);
        const unsigned long long fingerprint = current_->fingerprint(device_sum_);
        if (kind == kAround || turned) return sample;
        if (!shape.known[set]) shape.seen[set] = fingerprint;
        else if (fingerprint != shape.seen[set]) wire_.reports[call].flags |= kRepeatDiffers;
        shape.known[set] = true;
        return sample;
    }
    // Scratch memory that a candidate takes from the stream's allocator stays with it from one repetition to the next, as in a program that
    // runs on. By default it goes back to the system whenever the device is idle, which is after every repetition here.
    static void keep_scratch() {
        int pools = 0;
        require(cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, 0), "device");
        if (!pools) return;
        cudaMemPool_t pool;
        require(cudaDeviceGetDefaultMemPool(&pool, 0), "the stream's allocator");
        uint64_t all = UINT64_MAX;
        require(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all), "the stream's allocator");
    }
    // Lines that a candidate marked as persisting would survive the flush. To take the room for them away again takes time that no trusted
    // program's repetition has: who has set room aside once pays for it within the time of each later call.
    void forget_persisting_lines() {
        if (!persists_) return;
        size_t room = 0;
        require(cudaDeviceGetLimit(&room, cudaLimitPersistingL2CacheSize), "the limit of persisting cache lines");
        if (room) {
            sets_room_aside_ = true;
            require(take_room_away(), "the limit of persisting cache lines");
        }
        require(cudaCtxResetPersistingL2Cache(), "resetting persisting cache lines");
    }
    static cudaError_t take_room_away() { return cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0); }
    TimedSample called(uint32_t call, CommandKind kind) {
        if (kind != kQueued) require(cudaDeviceSynchronize(), "preparing a repetition");
        require(cudaEventRecord(start_, cudaStreamLegacy), "event");
        const double begun = now_us();
        cudaError_t error = kind == kAround ? cudaSuccess : current_->call(entry_);
        if (error == cudaSuccess && sets_room_aside_ && kind == kSample) {
            error = cudaStreamSynchronize(cudaStreamLegacy);
            if (error == cudaSuccess) error = take_room_away();
        }
        if (error == cudaSuccess) error = cudaEventRecord(stop_, cudaStreamLegacy);
        if (error == cudaSuccess) error = cudaDeviceSynchronize();
        const double host_us = now_us() - begun;
        if (error == cudaSuccess) error = cudaGetLastError();
        if (error != cudaSuccess) report_and_end(wire_, call, error);
        float event_ms = 0;
        require(cudaEventElapsedTime(&event_ms, start_, stop_), "event time");
        // Two events in a row may have one time, and samples of no time are taken for none.
        return {std::max(1e3 * double(event_ms), 1e-3), host_us};
    }
    TimedSample transferred(uint32_t call, TimedShape& shape) {
        if (current_->on_host()) return called(call, kSample);  // the candidate's own transfers are inside
        if (shape.staging.empty()) shape.staging = current_->staging();
        current_->refill(shape.staging, *shape.pristine[0]);
        require(cudaDeviceSynchronize(), "preparing a repetition");
        const double begun = now_us();
        current_->send(shape.staging);
        cudaError_t error = current_->call(entry_);
        if (error == cudaSuccess) error = current_->receive(shape.staging);
        if (error == cudaSuccess) error = cudaDeviceSynchronize();
        const double host_us = now_us() - begun;
        if (error == cudaSuccess) error = cudaGetLastError();
        if (error != cudaSuccess) report_and_end(wire_, call, error);
        return {host_us, host_us};
    }

    const Wire& wire_;
    Entry entry_ = nullptr;
    unsigned long long* device_sum_;
    Arguments* current_ = nullptr;
    std::vector<TimedShape> shapes_;
    void* flush_ = nullptr;
    size_t flush_bytes_ = 0;
    bool persists_ = false, sets_room_aside_ = false;
    cudaEvent_t start_, stop_;
    std::random_device random_;
};

}  // namespace regrapht
