// The arguments of calls as the wire describes them, on the device (or host), and the calling of a candidate with them.
#pragma once
#include "gpu_arrays.cuh"
#include "wire.h"

#include <memory>
#include <sys/mman.h>
#include <unistd.h>

namespace regrapht {

struct Wire {
    const char* input;
    char* output;
    const Header* header;
    const Parameter* parameters;
    const Call* calls;
    const Slot* slots;
    ResultHeader* result;
    CallReport* reports;

    Wire(int input_descriptor, int output_descriptor) {
        Header head;
        if (pread(input_descriptor, &head, sizeof head, 0) != ssize_t(sizeof head) || head.magic != kMagic) fail("no input");
        input = static_cast<char*>(mmap(nullptr, head.input_bytes, PROT_READ, MAP_SHARED, input_descriptor, 0));
        output = static_cast<char*>(mmap(nullptr, head.output_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, output_descriptor, 0));
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
    Arguments(const Wire& wire, uint32_t call, bool on_host) : wire_(wire), on_host_(on_host) {
        const Slot* slot = wire.slot(call);
        const uint32_t count = wire.header->parameter_count;
        values_.resize(count);
        pointers_.resize(count);
        arguments_.resize(count);
        for (uint32_t p = 0; p < count; ++p) {
            if (wire.parameters[p].kind == kValue) {
                arguments_[p] = &values_[p];
            } else {
                arrays_.push_back(std::make_unique<GuardedArray>(slot[p].bytes, on_host));
                which_.push_back(p);
                pointers_[p] = arrays_.back()->data();
                arguments_[p] = pointers_[p];
            }
        }
        bind(call);
    }
    // Scalars and poison of another call of the same shape.
    void bind(uint32_t call) {
        call_ = call;
        for (uint32_t p = 0; p < wire_.header->parameter_count; ++p)
            if (wire_.parameters[p].kind == kValue) values_[p] = wire_.slot(call)[p].value;
    }
    void load() {
        for (size_t i = 0; i < arrays_.size(); ++i) {
            if (role(i) == kOut) arrays_[i]->fill(poison());
            else arrays_[i]->load(wire_.input + wire_.slot(call_)[which_[i]].input_offset);
        }
    }
    // Whether another call's arrays are as long: then it can be made with these, at the same addresses.
    bool fits(uint32_t call) const {
        for (size_t i = 0; i < arrays_.size(); ++i)
            if (wire_.slot(call)[which_[i]].bytes != arrays_[i]->bytes()) return false;
        return true;
    }
    // Inputs from copies that no candidate saw, outputs poisoned. With `turn` the data are none that were seen before: each array comes from
    // any of `sets`, which are drawn independently; the elements of exchangeable ones start elsewhere, and a few change places; of ascending
    // ones a few become those before them.
    void restore(const Arguments& pristine, size_t turn, const std::vector<const Arguments*>& sets) {
        for (size_t i = 0; i < arrays_.size(); ++i) {
            const Parameter& parameter = wire_.parameters[which_[i]];
            if (parameter.role == kOut) {
                arrays_[i]->fill(poison());
                continue;
            }
            const size_t elements = arrays_[i]->bytes() / parameter.element_bytes;
            const size_t first = turn && parameter.exchangeable && elements ? (turn * (i + 1)) % elements : 0;
            const Arguments& from = turn ? *sets[scattered(turn + i) % sets.size()] : pristine;
            arrays_[i]->copy_from(*from.arrays_[i], first * parameter.element_bytes);
            if (turn && (parameter.exchangeable || parameter.ascending))
                arrays_[i]->disturb(parameter.element_bytes, scattered(turn) + i, parameter.ascending);
        }
    }
    bool can_turn() const {
        for (uint32_t p : which_)
            if (wire_.parameters[p].role != kOut && (wire_.parameters[p].exchangeable || wire_.parameters[p].ascending)) return true;
        return false;
    }
    cudaError_t call(Entry entry) { return cudaError_t(entry(arguments_.data())); }
    unsigned long long fingerprint(unsigned long long* device_sum) const {
        unsigned long long sum = 0;
        for (size_t i = 0; i < arrays_.size(); ++i)
            if (role(i) != kIn) sum = sum * 31 + arrays_[i]->fingerprint(device_sum);
        return sum;
    }
    // Looks at the bands beside every array; a broken one is reported. Whether all are as they were.
    bool report_bands() const {
        bool whole = true;
        for (size_t i = 0; i < arrays_.size(); ++i)
            if (!arrays_[i]->bands_intact()) {
                wire_.reports[call_].flags |= kGuardBroken;
                wire_.reports[call_].parameter = which_[i];
                whole = false;
            }
        return whole;
    }
    // The first read-only input that is no longer the same as in `pristine` is reported.
    void report_inputs(const Arguments& pristine, unsigned long long* device_sum) const {
        for (size_t i = 0; i < arrays_.size(); ++i)
            if (role(i) == kIn && !arrays_[i]->same_as(*pristine.arrays_[i], device_sum)) {
                wire_.reports[call_].flags |= kInputChanged;
                wire_.reports[call_].parameter = which_[i];
                return;
            }
    }
    // Room beside the inputs for outputs that are put aside. An array that is an output alone has it already.
    void make_room() {
        aside_.resize(arrays_.size());
        for (size_t i = 0; i < arrays_.size(); ++i)
            if (role(i) == kInOut) aside_[i] = std::make_unique<GuardedArray>(arrays_[i]->bytes(), on_host_);
    }
    // Takes another call's outputs over. Enqueued on the legacy stream.
    void put_aside(const Arguments& call) const {
        for (size_t i = 0; i < arrays_.size(); ++i)
            if (role(i) != kIn) (aside_[i] ? aside_ : arrays_)[i]->copy_from(*call.arrays_[i], 0);
    }
    cudaError_t store() const {
        const Slot* slot = wire_.slot(call_);
        for (size_t i = 0; i < arrays_.size(); ++i)
            if (const uint64_t offset = slot[which_[i]].output_offset) {
                const auto& from = !aside_.empty() && aside_[i] ? aside_[i] : arrays_[i];
                const cudaError_t error = from->store(wire_.output + offset);
                if (error != cudaSuccess) return error;
            }
        return cudaSuccess;
    }
    // What a caller with data on the host does before and after: `staging` holds one page-locked buffer an array.
    void send(const std::vector<void*>& staging) const {
        for (size_t i = 0; i < arrays_.size(); ++i)
            if (role(i) != kOut)
                require(cudaMemcpyAsync(arrays_[i]->data(), staging[i], arrays_[i]->bytes(), cudaMemcpyHostToDevice, cudaStreamLegacy), "sending");
    }
    cudaError_t receive(const std::vector<void*>& staging) const {
        for (size_t i = 0; i < arrays_.size(); ++i)
            if (role(i) != kIn)
                if (const cudaError_t error =
                        cudaMemcpyAsync(staging[i], arrays_[i]->data(), arrays_[i]->bytes(), cudaMemcpyDeviceToHost, cudaStreamLegacy))
                    return error;
        return cudaSuccess;
    }
    std::vector<void*> staging() const {
        std::vector<void*> buffers(arrays_.size());
        for (size_t i = 0; i < arrays_.size(); ++i) require(cudaMallocHost(&buffers[i], arrays_[i]->bytes() + 1), "page-locked memory");
        return buffers;
    }
    // Inputs into `staging`, before every repetition: the last one left its results where an array is input and output.
    void refill(const std::vector<void*>& staging, const Arguments& pristine) const {
        for (size_t i = 0; i < arrays_.size(); ++i)
            if (role(i) != kOut) require(pristine.arrays_[i]->store(staging[i]), "filling page-locked memory");
    }
    bool on_host() const { return on_host_; }
    uint32_t number() const { return call_; }

private:
    int poison() const { return int(wire_.calls[call_].poison); }
    uint32_t role(size_t i) const { return wire_.parameters[which_[i]].role; }

    const Wire& wire_;
    bool on_host_;
    uint32_t call_ = 0;
    std::vector<uint64_t> values_;
    std::vector<void*> pointers_, arguments_;
    std::vector<std::unique_ptr<GuardedArray>> arrays_, aside_;
    std::vector<uint32_t> which_;
};

// Whatever went wrong with the device since the last look; what a candidate leaves behind counts against it.
inline cudaError_t device_state() {
    const cudaError_t last = cudaGetLastError();
    const cudaError_t now = cudaDeviceSynchronize();
    return last != cudaSuccess ? last : now;
}

[[noreturn]] inline void report_and_end(const Wire& wire, uint32_t call, cudaError_t error) {
    wire.reports[call].flags |= kDeviceError;
    wire.reports[call].error_code = uint32_t(error);
    std::_Exit(3);
}

}  // namespace regrapht
