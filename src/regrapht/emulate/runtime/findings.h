// What went wrong, one entry for each kind and pair of places, with a count.
#pragma once
#include "state.h"

namespace runtime {
// What a race's mending depends on: the widest group of threads that raced, and where their last common synchronisation was made.
enum class Scope : u8 { kNone, kWarp, kBlock, kGrid, kBlocks, kStreams };  // kGrid: blocks of a cooperative launch, kBlocks: of another
constexpr const char* kScopeNames[] = {"", "warp", "block", "grid", "blocks", "streams"};
struct Circumstances {
    Scope scope = Scope::kNone;
    void* since = nullptr;  // nullptr: the kernel's start
    bool guess = false;     // the other access is that of a thread which did the same, perhaps elsewhere in the source
    std::vector<void*> enqueued;  // where the host asked for the operations of both, if these are two
};
struct Finding {
    std::string kernel, detail;
    u64 count = 0;
    Scope scope = Scope::kNone;
    std::set<void*> since;
    bool guess = false;
    std::vector<void*> enqueued;  // where the host asked for what is at fault
};
using FindingKey = std::tuple<std::string, void*, void*>;  // kind, where, the other access
constexpr size_t kMaxFindings = 2000;  // of an unrolled loop, each pair of copies is one
constexpr size_t kMaxSince = 8;        // places told of one finding
std::map<FindingKey, Finding> findings;
std::string unsupported;

Finding* report_finding(const char* kind, void* pc, const std::string& detail, void* other_pc = nullptr) {
    const FindingKey key{kind, pc, other_pc};
    auto known = findings.find(key);
    if (known == findings.end()) {
        if (findings.size() >= kMaxFindings) return nullptr;
        known = findings.emplace(key, Finding{in_kernel ? launch.kernel : "", detail}).first;
    }
    known->second.count++;
    return &known->second;
}
void report_race(const char* kind, void* pc, const std::string& detail, void* other_pc, const Circumstances& circumstances) {
    Finding* finding = report_finding(kind, pc, detail, other_pc);
    if (!finding) return;
    finding->guess = circumstances.guess && (finding->count == 1 || finding->guess);
    finding->scope = std::max(finding->scope, circumstances.scope);
    if (finding->enqueued.empty()) finding->enqueued = circumstances.enqueued;
    if (finding->since.size() < kMaxSince) finding->since.insert(circumstances.since);
}
// A launch that CUDA does not make. Whether that is a fault shows when the call ends: a program may look at the error and launch otherwise.
struct RefusedLaunch {
    void* pc;
    std::string kernel, why;
    const char* kind = "launch_refused";
};
std::vector<RefusedLaunch> refused_launches;

void settle_refused_launches(bool error_is_left) {
    for (const RefusedLaunch& refused : refused_launches) {
        if (findings.size() >= kMaxFindings) break;
        Finding& finding = findings[{error_is_left ? refused.kind : "launch_refused_handled", refused.pc, nullptr}];
        if (!finding.count++) finding.kernel = refused.kernel, finding.detail = refused.why;
    }
    refused_launches.clear();
}
// Something that cannot be emulated turned up at run time.
void report_unsupported(const char* what) {
    if (unsupported.empty()) unsupported = what;
}
void out_of_epochs() {
    report_unsupported("more than 4 000 million synchronisations in one call");
    current_epoch = 16;
}
}  // namespace runtime
