// How arguments travel to a judged child and raw outputs back. The twin of wire.py: change both together.
//
// Descriptor 3 (read-only): Header, Parameter[parameter_count], Call[call_count], Slot[call_count][parameter_count], data.
// Descriptor 4 (shared, of fixed size): ResultHeader, CallReport[call_count], data at the slots' output offsets.
// Descriptor 5, only where a child waits for its object: the candidate's shared object, complete once ResultHeader.object_bytes says how long.
// Descriptors 6 and 7, only where a timed child is to be checked first: as 3 and 4, the calls of kCheck.
// Every offset counts from the start of its own descriptor. Little-endian, natural alignment, data blocks at multiples of 256 bytes.
#pragma once
#include <cstdint>

namespace regrapht {

constexpr uint64_t kMagic = 0x3154504152474552ull;  // "REGRAPT1"
constexpr uint32_t kCompleted = 0x600D600Du;        // written by the harness after the last call; one of three proofs of completion

enum ParameterKind : uint32_t { kValue = 0, kArray = 1 };
enum ParameterRole : uint32_t { kIn = 0, kOut = 1, kInOut = 2 };

struct Header {
    uint64_t magic;
    uint32_t parameter_count;
    uint32_t call_count;
    uint64_t input_bytes;   // size of descriptor 3
    uint64_t output_bytes;  // size of descriptor 4
};

struct Parameter {
    uint32_t kind;
    uint32_t role;
    uint32_t element_bytes;
    uint32_t alignment_bytes;
    uint32_t exchangeable;  // 1 when any reordering of an input's elements is an equally good draw
    uint32_t ascending;     // 1 when an input's elements ascend, and one may be as large as that before it
};

struct Call {
    uint32_t poison;  // the byte that outputs are filled with before the call
    uint32_t samples; // room for this many timed repetitions; 0 when only outputs are wanted
    uint32_t shape;   // of a timed child: which of its shapes, counted from 0, the call is a set of data of
    uint32_t reserved;
    uint64_t sample_offset;  // into descriptor 4: samples records of TimedSample; 0 without samples
};

struct Slot {
    uint64_t bytes;          // of the array, or of the value (at most 8)
    uint64_t value;          // the value's bytes
    uint64_t input_offset;   // into descriptor 3; 0 for pure outputs and values
    uint64_t output_offset;  // into descriptor 4: where the harness puts the array after the call; 0: not wanted back
};

// What a timed child is told next, by the parent, which decides how often, when and at which shape; the child answers with the number of the
// command.
enum CommandKind : uint32_t {
    kSample = 0,    // repetitions from an idle device: device and host clock of each
    kQueued = 1,    // repetitions enqueued behind the flushing of the cache: the device's time without the host's share
    kTransfer = 2,  // repetitions with inputs copied to the device and outputs copied back
    kKeep = 3,      // one repetition on unchanged inputs of the shape's set number `count`, its outputs put aside on the device
    kFinish = 4,
    kCheck = 5,     // each call of descriptors 6 and 7 once, with outputs handed back there; once a child, before it is timed
    kStore = 6,     // what was put aside last of the shape's set number `count` is handed back
    kAround = 7,    // repetitions without the call: what this end does around one
};

struct ResultHeader {
    uint64_t magic;
    uint32_t calls_done;
    uint32_t completed;
    uint32_t ready;    // 1 when a child waits for its object, 2 when a timed one waits for commands
    uint32_t command;  // number of the newest command, from 1; written by the parent, after its kind, count and shape
    uint32_t kind;
    uint32_t count;
    uint32_t shape;
    uint32_t answered;        // number of the newest command that is done
    uint32_t threads_before;  // threads of the child before the candidate's first call, and after its last
    uint32_t threads_after;
    uint32_t object_bytes;  // length of the object in descriptor 5; 0 until it is there
    uint32_t reserved;
};

enum CallFlags : uint32_t {
    kGuardBroken = 1,  // a guard band beside an array changed
    kLateWrite = 2,    // an output changed between the return of the default stream and that of the device
    kDeviceError = 4,  // the runtime reported an error; error_code says which
    kRepeatDiffers = 8,  // the outputs of two repetitions on the same inputs are not the same bytes
    kInputChanged = 16,  // a read-only input was not as before after a kept repetition
};

struct CallReport {
    uint32_t done;
    uint32_t flags;
    uint32_t parameter;   // whose guard band, output or input it was
    uint32_t error_code;  // cudaError_t
};

struct TimedSample {
    double event_us;  // device events around the call
    double host_us;   // host clock around call and full synchronisation
};

static_assert(sizeof(Header) == 32 && sizeof(Parameter) == 24 && sizeof(Call) == 24 && sizeof(Slot) == 32, "wire.py packs these");
static_assert(sizeof(ResultHeader) == 56 && sizeof(CallReport) == 16 && sizeof(TimedSample) == 16, "wire.py unpacks these");

}  // namespace regrapht
