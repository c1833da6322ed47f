// The process around a candidate: reads the calls from descriptor 3, makes them one after the other, leaves raw outputs on descriptor 4.
// With --main the library is a whole program: its main is called once, with the arguments after "--", and its exit status is ours.
// Exit status: 0 all calls made, 97 the candidate cannot be loaded, 98 the machine's or the caller's fault.
#include <dlfcn.h>
#include <link.h>
#include <list>
#include <signal.h>
#include <ucontext.h>
#include "report.h"
#include "wire.h"

using namespace runtime;

namespace {
using Entry = void (*)(void* const*);

struct Options {
    const char* library = nullptr;
    bool probe = false;  // only load it
    bool whole = false;  // a program with a main of its own
    std::vector<char*> arguments;  // of that main
    bool host_arrays = false;
    long warn_after_ms = 0;
    long call_ms = 0;  // processor time that a call may take, of the first `limited_calls`
    u32 limited_calls = 0;
    std::vector<std::string> constants;
    long recorded = -1, replayed = -1;  // calls: the second one's host reads what the first one's did
};

[[noreturn]] void give_up(const char* why) {
    fprintf(stderr, "emulator: %s\n", why);
    _Exit(98);
}

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts;
    for (size_t start = 0; start < text.size();) {
        const size_t end = std::min(text.find(',', start), text.size());
        if (end > start) parts.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    return parts;
}

Options parse(int count, char** arguments) {
    Options options;
    for (int i = 1; i < count; i++) {
        const std::string argument = arguments[i];
        const size_t equals = argument.find('=');
        const std::string key = argument.substr(0, equals), value = equals == std::string::npos ? "" : argument.substr(equals + 1);
        if (argument == "--") {
            options.arguments.assign(arguments + i + 1, arguments + count);
            break;
        }
        if (key == "--probe") options.probe = true;
        else if (key == "--main") options.whole = true;
        else if (key == "--schedule") scheduler.order = value == "reverse" ? Order::kReverse : value == "random" ? Order::kRandom : Order::kForward;
        else if (key == "--seed") scheduler.random_state = (strtoull(value.c_str(), nullptr, 10) + 1) * 0x9E3779B97F4A7C15ull | 1;
        else if (key == "--report") report_path = arguments[i] + equals + 1;
        else if (key == "--warn-after-ms") options.warn_after_ms = strtol(value.c_str(), nullptr, 10);
        else if (key == "--call-ms") options.call_ms = strtol(value.c_str(), nullptr, 10);
        else if (key == "--limited-calls") options.limited_calls = (u32)strtoul(value.c_str(), nullptr, 10);
        else if (key == "--heap-bytes") heap_bytes = strtoull(value.c_str(), nullptr, 10);
        else if (key == "--fresh") fresh_pattern = (u32)strtoul(value.c_str(), nullptr, 10), fills_shared = true;
        else if (key == "--locals") for (const std::string& word : split(value)) local_words.push_back((u32)strtoul(word.c_str(), nullptr, 10));
        else if (key == "--residency") options.host_arrays = value == "host";
        else if (key == "--record-call") options.recorded = strtol(value.c_str(), nullptr, 10);
        else if (key == "--replay-call") options.replayed = strtol(value.c_str(), nullptr, 10);
        else if (key == "--constants") options.constants = split(value);
        else if (!options.library) options.library = arguments[i];
        else give_up("unknown argument");
    }
    if (!options.library) give_up("no library named");
    return options;
}

char* host_stack_top = nullptr;

inline bool follows_call(const u8* place) { return place[-5] == 0xe8 || place[-6] == 0xff || place[-3] == 0xff || place[-2] == 0xff; }

// The candidate's own code that crashed: at `pc`, or where it called the library that did.
void* place_of_crash(char* pc, char* stack) {
    if (pc >= text_begin && pc < text_end) return pc + 1;
    const bool on_fiber = stack >= stacks_begin && stack < stacks_end;
    char* const end = on_fiber ? stacks_begin + ((stack - stacks_begin) / kStackBytes + 1) * kStackBytes : host_stack_top;
    for (char** word = (char**)((u64)stack & ~7ull); (char*)(word + 1) <= end; word++)
        if (*word >= text_begin + 6 && *word < text_end && follows_call((const u8*)*word)) return *word;
    return pc + 1;
}

bool call_runs_out = false;  // four fifths of its processor time have passed

// The call that begins may take so much processor time of its own, 0: any. What the kernel does for it, as to find it memory, is not counted.
void limit_call(long ms) {
    if (call_runs_out) ignore(kOutOfTime);
    call_runs_out = false;
    itimerval timer{};
    timer.it_value = {ms * 4 / 5 / 1000, ms * 4 / 5 % 1000 * 1000};
    timer.it_interval = {ms / 5 / 1000, ms / 5 % 1000 * 1000};
    setitimer(ITIMER_VIRTUAL, &timer, nullptr);
}

const char* kind_of_signal(int number) {
    return number == SIGFPE ? "divided_by_zero" : number == SIGABRT ? "aborted" : number == SIGILL ? "illegal_instruction" : "crash";
}

void on_signal(int number, siginfo_t* info, void* context) {
    if (number == SIGALRM) {
        attend(kOutOfTime);
        return;
    }
    if (number == SIGVTALRM) {
        if (call_runs_out) raise(SIGXCPU);
        call_runs_out = true;
        attend(kOutOfTime);
        return;
    }
    signal(number, SIG_DFL);
    signal(SIGALRM, SIG_DFL);
    alarm(3);  // should the crash have left the allocator locked
    const auto& registers = ((ucontext_t*)context)->uc_mcontext.gregs;
    char *const fault = (char*)info->si_addr, *const stack = (char*)registers[REG_RSP];
    const bool in_guard = fault >= stacks_begin && fault < stacks_end && (u64)(fault - stacks_begin) % kStackBytes < kGuardBytes;
    const bool below_stack = number == SIGSEGV && fault < stack + (16 << 10) && fault > stack - (64 << 10);
    // A function that made room beyond the last page of the stack has its own frame where nothing is: what can be read begins above.
    char* const page_above = (char*)(((u64)fault | 4095) + 1);
    char* const above_guard = stacks_begin + (fault - stacks_begin) / kStackBytes * kStackBytes + kGuardBytes;
    char* const readable = in_guard ? std::max(stack, above_guard) : below_stack ? std::max(stack, page_above) : stack;
    report_finding(in_guard || below_stack ? "stack_overflow" : kind_of_signal(number), place_of_crash((char*)registers[REG_RIP], readable),
                   std::string("SIG") + sigabbrev_np(number) + (in_kernel ? " in device code" : " in host code"));
    write_report_now();
    raise(number);
}

void watch_signals(long warn_after_ms) {
    static char stack[128 << 10];
    stack_t alternative{};
    alternative.ss_sp = stack;
    alternative.ss_size = sizeof stack;
    sigaltstack(&alternative, nullptr);
    struct sigaction action {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(number, &action, nullptr);
    sigaction(SIGVTALRM, &action, nullptr);
    if (!kChecked || warn_after_ms <= 0) return;
    sigaction(SIGALRM, &action, nullptr);
    itimerval timer{};
    timer.it_value = {warn_after_ms / 1000, warn_after_ms % 1000 * 1000};
    setitimer(ITIMER_REAL, &timer, nullptr);
}

void* load(const Options& options) {
    void* const library = dlopen((std::string("./") + options.library).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        _Exit(97);
    }
    void* const entry = dlsym(library, options.whole ? "main" : "regrapht_call");
    if (!entry && options.whole) {
        fprintf(stderr, "undefined symbol: main\n");
        _Exit(97);
    }
    if (!entry) give_up("the library has no call stub");
    link_map* map = nullptr;
    dlinfo(library, RTLD_DI_LINKMAP, &map);
    read_library(options.library, (char*)map->l_addr, options.constants);
    sites.cover(text_end - text_begin);
    basic_blocks.cover(text_end - text_begin);
    return entry;
}

char* map_descriptor(int descriptor, int protection, int flags, size_t& bytes) {
    struct stat status {};
    if (fstat(descriptor, &status) || status.st_size < (long)sizeof(regrapht::ResultHeader)) give_up("a descriptor is missing");
    bytes = status.st_size;
    char* memory = (char*)mmap(nullptr, bytes, protection, flags, descriptor, 0);
    if (memory == MAP_FAILED) give_up("a descriptor cannot be mapped");
    return memory;
}

// Everything that one call needs, at its place in the two descriptors.
constexpr size_t kMayComeFromHost = 4096;  // bytes of an output

class Calls {
  public:
    Calls() {
        size_t input_bytes, output_bytes;
        input = map_descriptor(3, PROT_READ, MAP_PRIVATE, input_bytes);
        output = map_descriptor(4, PROT_READ | PROT_WRITE, MAP_SHARED, output_bytes);
        header = (const regrapht::Header*)input;
        if (input_bytes < sizeof *header || header->magic != regrapht::kMagic || header->input_bytes != input_bytes ||
            header->output_bytes != output_bytes)
            give_up("the input is damaged");
        parameters = (const regrapht::Parameter*)(header + 1);
        calls = (const regrapht::Call*)(parameters + header->parameter_count);
        slots = (const regrapht::Slot*)(calls + header->call_count);
        result = (regrapht::ResultHeader*)output;
        reports = (regrapht::CallReport*)(result + 1);
        result->magic = regrapht::kMagic;
    }

    void make_all(Entry entry, const Options& options) {
        for (u32 call = 0; call < header->call_count; call++) {
            host_replay.mode = call == options.recorded ? Replay::kRecording : call == options.replayed ? Replay::kReplaying : Replay::kOff;
            limit_call(call < options.limited_calls ? options.call_ms : 0);
            make(call, entry, options);
            result->calls_done = call + 1;
            look_for_state(call);
        }
        result->completed = regrapht::kCompleted;
    }

  private:
    char *input, *output;
    const regrapht::Header* header;
    const regrapht::Parameter* parameters;
    const regrapht::Call* calls;
    const regrapht::Slot* slots;
    regrapht::ResultHeader* result;
    regrapht::CallReport* reports;

    void make(u32 call, Entry entry, const Options& options) {
        const u32 count = header->parameter_count;
        const regrapht::Slot* const slot = slots + (size_t)call * count;
        std::vector<void*> arguments(count);
        host_replay.arrays.clear();
        for (u32 i = 0; i < count; i++) {
            if (parameters[i].kind == regrapht::kValue) {
                arguments[i] = (void*)&slot[i].value;
                continue;
            }
            arguments[i] = options.host_arrays ? host_array(i, slot[i].bytes) : device_array(i, slot[i].bytes);
            if (!arguments[i]) give_up("the arrays of a call do not fit into the emulated device memory");
            if (auto known = allocations.find((char*)arguments[i]); known != allocations.end()) known->second.argument = (int)i;
            if (parameters[i].role == regrapht::kOut) {
                memset(arguments[i], (int)calls[call].poison, slot[i].bytes);
                if (options.host_arrays && call == options.replayed) show_poison((char*)arguments[i], slot[i].bytes, (char)calls[call].poison);
            } else {
                memcpy(arguments[i], input + slot[i].input_offset, slot[i].bytes);
                if (!options.host_arrays) mark_loaded(arguments[i], slot[i].bytes);
                else if (call == options.replayed) show_earlier(i, slot[i], (char*)arguments[i], slots + (size_t)options.recorded * count);
            }
        }
        fill_locals(call);
        entry(arguments.data());
        host_hands_over();
        look_for_late_work(slot, arguments);
        cudaDeviceSynchronize();
        report(call, slot, arguments);
        finish_call_report();
        forget_call();
    }

    void report(u32 call, const regrapht::Slot* slot, const std::vector<void*>& arguments) {
        regrapht::CallReport& said = reports[call];
        said.error_code = (u32)cudaGetLastError();
        settle_refused_launches(said.error_code != 0);
        if (said.error_code) said.flags |= regrapht::kDeviceError;
        for (u32 i = 0; i < header->parameter_count; i++) {
            if (parameters[i].kind == regrapht::kValue) continue;
            if (!guards_whole((char*)arguments[i], slot[i].bytes)) {
                said.flags |= regrapht::kGuardBroken;
                said.parameter = i;
                report_finding("guard_broken", nullptr, "of parameter " + std::to_string(i + 1));
            }
            if (parameters[i].role == regrapht::kIn) look_for_written_input(i, (const char*)arguments[i], slot[i].bytes);
            if (kChecked && parameters[i].role != regrapht::kIn && on_device(arguments[i])) look_for_host_work(i, (char*)arguments[i], slot[i].bytes);
            if (slot[i].output_offset) memcpy(output + slot[i].output_offset, arguments[i], slot[i].bytes);
        }
        said.done = 1;
    }

    // The judge's own work follows in the default stream. After a fault, what was written says nothing.
    void look_for_late_work(const regrapht::Slot* slot, const std::vector<void*>& arguments) {
        LateWork late;
        for (u32 i = 0; i < header->parameter_count && !sticky_error; i++)
            if (parameters[i].kind != regrapht::kValue && parameters[i].role != regrapht::kIn)
                late.look_at(i, (const char*)arguments[i], slot[i].bytes);
    }

    // Variables that go on changing once the first call has made what stays: a count of calls, results that are kept.
    void look_for_state(u32 call) {
        if (!kChecked) return;
        const u64 hash = variables_hash();
        if (call > 1 && hash != state) keeps_state = true;
        state = hash;
    }
    u64 state = 0;

    // More than the last step of a reduction: then it is not the device that did the work.
    static void look_for_host_work(u32 parameter, const char* array, size_t bytes) {
        u32 site = 0;
        const size_t copied = bytes_from_host(array, bytes, site);
        if (copied > kMayComeFromHost)
            report_finding("computed_on_host", sites.places[site],
                           std::to_string(copied) + " of " + std::to_string(bytes) + " bytes of parameter " + std::to_string(parameter + 1));
    }

    // The host gets the earlier call's array, the device what this call's own arrays hold.
    void show_earlier(u32 parameter, const regrapht::Slot& own, char* array, const regrapht::Slot* recorded) {
        if (recorded[parameter].bytes != own.bytes) return;
        const char* const earlier = input + recorded[parameter].input_offset;
        memcpy(array, earlier, own.bytes);
        host_replay.arrays.push_back({array, own.bytes, earlier, input + own.input_offset});
    }

    // An output that is sent before it is written says nothing.
    void show_poison(char* array, size_t bytes, char poison) {
        const std::vector<char>& contents = poisoned.emplace_back(bytes, poison);
        host_replay.arrays.push_back({array, bytes, contents.data(), contents.data()});
    }
    std::list<std::vector<char>> poisoned;

    // Arrays of the same length as the call before's lie where those did, whatever else the candidate has kept: an answer that is kept by
    // address and length would fit.
    struct Place {
        char* start = nullptr;
        size_t bytes = 0;
    };
    std::vector<Place> places;
    std::vector<std::vector<char>> host_storage;

    void* device_array(u32 parameter, size_t bytes) {
        places.resize(header->parameter_count);
        Place& place = places[parameter];
        if (place.start && place.bytes == bytes && reallocate(place.start, bytes)) return place.start;
        place = {allocate(bytes, kDeviceMemory), bytes};
        return place.start;
    }

    void* host_array(u32 parameter, size_t bytes) {
        host_storage.resize(header->parameter_count);
        std::vector<char>& storage = host_storage[parameter];
        storage.assign(bytes + 2 * kGuard + 256, (char)kGuardPattern);
        return (void*)(((u64)storage.data() + kGuard + 255) & ~255ull);
    }

    // The next call starts like a fresh process, but for the contents of __device__ variables.
    static void forget_call() {
        for (const auto& [p, allocation] : allocations)
            if (allocation.pc && !sticky_error) report_finding("leak", allocation.pc, std::to_string(allocation.bytes) + " bytes");
        reset_heap();
        if (kChecked) forget_variable_accesses();
        forget_operations();
        forget_lost_accesses();
        unfinished_host_writes.clear();
        registered_uses.clear();
        if (kChecked && current_epoch > 1u << 31) forget_epochs();
        kernels.clear();
        transfers = {};
        host_traffic = {};
        sticky_error = last_error = 0;
        allowed_dynamic_shared = 48 << 10;
        proposed_block = 0;
    }
};

// Also reached by exit(): the program's own exit handlers and static objects were registered later, so they have run.
void finish_program() {
    settle_refused_launches(cudaPeekAtLastError() != cudaSuccess);
    finish_call_report();
    std::erase_if(findings, [](auto& item) { return std::get<0>(item.first) == "timeout"; });  // it did come to its end
    write_report_now();
}

[[noreturn]] void run_program(const Options& options) {
    static std::string name = "program";
    std::vector<char*> arguments{name.data()};
    arguments.insert(arguments.end(), options.arguments.begin(), options.arguments.end());
    arguments.push_back(nullptr);
    show_unfinished = true;
    setvbuf(stdout, nullptr, _IOLBF, 1 << 16);  // what was printed before a crash is not lost
    const auto program = (int (*)(int, char**))load(options);
    atexit(finish_program);
    exit(program((int)arguments.size() - 1, arguments.data()));
}
}  // namespace

int main(int count, char** arguments) {
    host_stack_top = (char*)__builtin_frame_address(0);
    const Options options = parse(count, arguments);
    if (options.probe) return load(options) ? 0 : 97;
    prepare_memory();
#ifdef REGRAPHT_STACKS
    map_shadow();
#endif
    watch_signals(options.warn_after_ms);
    if (options.whole) run_program(options);
    const auto entry = (Entry)load(options);
    Calls().make_all(entry, options);
    std::erase_if(findings, [](auto& item) { return std::get<0>(item.first) == "timeout"; });  // it did come to its end
    write_report_now();
    fflush(stdout);
    _Exit(0);
}
