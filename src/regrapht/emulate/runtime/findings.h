// What went wrong, one entry for each kind and pair of places, with a count.
#pragma once
#include "state.h"

namespace runtime {
struct Finding {
    std::string kernel, detail;
    u64 count = 0;
};
using FindingKey = std::tuple<std::string, void*, void*>;  // kind, where, the other access
constexpr size_t kMaxFindings = 200;
std::map<FindingKey, Finding> findings;
std::string unsupported;

void report_finding(const char* kind, void* pc, const std::string& detail, void* other_pc = nullptr) {
    const FindingKey key{kind, pc, other_pc};
    auto known = findings.find(key);
    if (known == findings.end()) {
        if (findings.size() >= kMaxFindings) return;
        known = findings.emplace(key, Finding{in_kernel ? launch.kernel : "", detail, 0}).first;
    }
    known->second.count++;
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
