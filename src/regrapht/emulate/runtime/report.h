// The report as JSON: findings, and what each finished call's kernels did. Addresses are offsets into the candidate's library.
#pragma once
#include "comparisons.h"
#include "host_traffic.h"
#include "launches.h"

namespace runtime {
const char* report_path = nullptr;
std::string finished_calls;  // JSON objects, separated by commas
bool keeps_state = false;      // the candidate's own variables change from call to call
bool show_unfinished = false;  // a whole program: what its kernels did so far is told even when it is stopped

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (unsigned char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c >= 32 && c < 127 ? (char)c : '?';
    }
    return out + '"';
}

u64 offset_of(const void* pc) { return pc >= image_begin && pc < image_end ? (char*)pc - library_base : 0; }

std::string field(const char* name, u64 value) { return "\"" + std::string(name) + "\":" + std::to_string(value); }

std::string site_json(u32 number, const SiteCounts& s) {
    const char* kind = s.kind == AccessKind::kLoad ? "load" : s.kind == AccessKind::kStore ? "store" : "atomic";
    return "{" + field("pc", offset_of(sites.places[number])) + ",\"space\":" + (s.space == Space::kGlobal ? "\"global\"" : "\"shared\"") +
           ",\"kind\":\"" + kind + "\"," + field("requests", s.requests) + "," + field("transactions", s.transactions) + "," +
           field("ideal", s.ideal) + "," + field("lanes", s.lanes) + "," + field("same_word", s.same_word) + "}";
}

std::string field(const char* name, dim3 extent) {
    return "\"" + std::string(name) + "\":[" + std::to_string(extent.x) + "," + std::to_string(extent.y) + "," + std::to_string(extent.z) + "]";
}

std::string kernel_json(const KernelCounts& k) {
    const u64 imbalance = k.all_warps ? std::max<u64>(100, k.busiest_warp * 100 / k.all_warps) : 100;
    std::string out = "{\"name\":" + quoted(k.name) + "," + field("grid", k.grid) + "," + field("block", k.block) + "," +
                      field("shared_bytes", k.shared_bytes) + "," + field("launches", k.launches) + "," + field("blocks", k.blocks) + "," +
                      field("threads", k.threads) + "," + field("warps", k.warps) + "," + field("traced_blocks", k.traced_blocks) + "," +
                      field("barriers", k.barriers) + "," + field("imbalance_percent", imbalance) + ",\"sites\":[";
    bool first = true;
    for (u32 s = 1; s < k.sites.size(); s++) {
        if (!k.sites[s].requests) continue;
        out += (first ? "" : ",") + site_json(s, k.sites[s]);
        first = false;
    }
    out += "],\"basic_blocks\":[";
    first = true;
    for (u32 b = 1; b < k.basic_blocks.size(); b++) {
        if (!k.basic_blocks[b].warps) continue;
        out += std::string(first ? "" : ",") + "[" + std::to_string(offset_of(basic_blocks.places[b])) + "," +
               std::to_string(k.basic_blocks[b].lanes) + "," + std::to_string(k.basic_blocks[b].warps) + "]";
        first = false;
    }
    return out + "]}";
}

std::string call_json(bool ended) {
    std::string out = ended ? "{\"ended\":true,\"kernels\":[" : "{\"ended\":false,\"kernels\":[";
    bool first = true;
    for (const KernelCounts& k : kernels) {
        out += (first ? "" : ",") + kernel_json(k);
        first = false;
    }
    return out + "]," + field("transfers", transfers.count) + "," + field("host_bytes", transfers.host_bytes) + "," +
           field("device_bytes", transfers.device_bytes) + "," + field("to_host", host_traffic.to_host) + "," +
           field("from_host", host_traffic.from_host) + "," + field("unmatched", host_traffic.unmatched) + "}";
}

void finish_call_report() {
    if (!kChecked) return;
    if (!finished_calls.empty()) finished_calls += ",";
    finished_calls += call_json(!sticky_error);
}

std::string finding_json(const std::string& kind, void* pc, void* other_pc, const Finding& finding) {
    auto places = [](const auto& all) {
        std::string list;
        for (const void* place : all) list += (list.empty() ? "" : ",") + std::to_string(offset_of(place));
        return "[" + list + "]";
    };
    return "{\"kind\":" + quoted(kind) + "," + field("pc", offset_of(pc)) + "," + field("other_pc", offset_of(other_pc)) + "," +
           field("count", finding.count) + ",\"kernel\":" + quoted(finding.kernel) + ",\"detail\":" + quoted(finding.detail) +
           ",\"scope\":" + quoted(kScopeNames[(int)finding.scope]) + ",\"since\":" + places(finding.since) + ",\"enqueued\":" +
           places(finding.enqueued) + ",\"guess\":" + (finding.guess ? "true}" : "false}");
}

// Each comparison: [its place, the number that one side is, or null, whether the sides were ever equal, the first ever less, ever greater,
// both also without a sign, how many ways were taken, whether a thread was asking, the float that one side always is, or null, and the
// smallest that was compared with such a number and was larger, or null].
std::string comparison_json(const void* place, const Comparison& one) {
    const auto number = [](double value) {
        char text[40] = "null";
        if (std::isfinite(value)) snprintf(text, sizeof text, "%.17g", value);
        return std::string(text);
    };
    const int fixed = one.same[0] ? 0 : one.same[1] ? 1 : -1;
    std::string out = "[" + std::to_string(offset_of(place)) + "," + (one.constant ? std::to_string((long)one.value) : "null");
    for (const bool each : {one.met, one.less, one.greater, one.below, one.above}) out += each ? ",true" : ",false";
    out += "," + std::to_string(!!one.ways[0] + !!one.ways[1]) + (one.of_thread ? ",true," : ",false,");
    return out + number(fixed < 0 ? NAN : one.sides[fixed]) + "," + number(one.constant ? one.next[0] : fixed < 0 ? NAN : one.next[fixed]) + "]";
}

std::string comparisons_json() {
    std::string out;
    u32 told = 0;
    for (const auto& [key, one] : comparisons) {
        if (++told > kMostComparisons) break;
        out += (out.empty() ? "" : ",") + comparison_json(key.first, one);
    }
    return out;
}

void write_report_now() {
    if (!report_path || !(kChecked || kStacks)) return;
    settle_refused_launches(true);  // the program is ended in the midst of a call, if any are left
    FILE* file = fopen(report_path, "w");
    if (!file) return;
    fprintf(file, "{\"unsupported\":%s,\"keeps_state\":%s,\"findings\":[", unsupported.empty() ? "null" : quoted(unsupported).c_str(),
            keeps_state ? "true" : "false");
    bool first = true;
    for (const auto& [key, finding] : findings) {
        const auto& [kind, pc, other_pc] = key;
        fprintf(file, "%s%s", first ? "" : ",", finding_json(kind, pc, other_pc, finding).c_str());
        first = false;
    }
    const bool unfinished = show_unfinished && finished_calls.empty();
    fprintf(file, "],\"comparisons\":[%s]", comparisons_json().c_str());
    fprintf(file, ",\"calls\":[%s]}\n", unfinished ? call_json(false).c_str() : finished_calls.c_str());
    fclose(file);
}
}  // namespace runtime
