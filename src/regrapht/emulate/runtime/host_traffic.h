// What a call moves between host and device. And a proof of who did the work: in one call the host is given what it read from the device
// in an earlier call, on other inputs. Output bytes that then are those of the earlier call were determined by what the host knew.
// Where a call's arrays lie on the host, it is the other way round: the host has the arrays of the earlier call, and what it sends of them
// unchanged arrives as the later call's.
#pragma once
#include <cstring>
#include <vector>
#include "state.h"

namespace runtime {
constexpr u64 kCommandBytes = 24;  // where, how much and what: a command to the device tells it that much, whatever it moves

struct HostTraffic {
    u64 to_host = 0, from_host = 0;  // bytes in this call; launches' parameters and shapes and the values of memset are from the host, too
    u64 unmatched = 0;  // of a replayed call with arrays on the host: bytes from there that are none of its arrays
} host_traffic;

enum class Replay : u8 { kOff, kRecording, kReplaying };

// What the host reads in place, from memory that it shares with the device.
struct InPlace {
    std::vector<char> earlier;
    std::vector<size_t> lengths;
    size_t number = 0, at = 0;                              // the read that comes next, in a replayed call
    std::vector<std::pair<char*, std::vector<char>>> kept;  // what was there, until the device has its turn again
};

struct HostArray {
    char* start;
    size_t bytes;
    const char *own, *other;  // its contents, and those that the device is to see
};

struct HostReplay {
    Replay mode = Replay::kOff;
    std::vector<std::vector<char>> earlier;  // what the earlier call's host read, in order
    std::vector<std::vector<char>> now;      // what this call's host would have read instead
    InPlace in_place;
    std::vector<HostArray> arrays;  // of a replayed call with arrays on the host
} host_replay;

// The host has read `bytes` from the device. A call that does not read the same amounts in the same order is not replayed any further.
void host_has_read(void* to, size_t bytes) {
    host_traffic.to_host += bytes;
    HostReplay& replay = host_replay;
    if (!replay.arrays.empty()) return;
    if (replay.mode == Replay::kRecording) replay.earlier.emplace_back((char*)to, (char*)to + bytes);
    if (replay.mode != Replay::kReplaying) return;
    const size_t number = replay.now.size();
    if (number >= replay.earlier.size() || replay.earlier[number].size() != bytes) {
        replay.mode = Replay::kOff;
        return;
    }
    replay.now.emplace_back((char*)to, (char*)to + bytes);
    memcpy(to, replay.earlier[number].data(), bytes);
}

// The host is about to read `bytes` of memory that it shares with the device.
void host_reads_in_place(char* place, size_t bytes) {
    host_traffic.to_host += bytes;
    HostReplay& replay = host_replay;
    if (replay.mode == Replay::kOff || !replay.arrays.empty()) return;
    InPlace& reads = replay.in_place;
    if (replay.mode == Replay::kRecording) {
        reads.lengths.push_back(bytes);
        reads.earlier.insert(reads.earlier.end(), place, place + bytes);
        return;
    }
    if (reads.number >= reads.lengths.size() || reads.lengths[reads.number] != bytes) {
        replay.mode = Replay::kOff;
        return;
    }
    reads.kept.emplace_back(place, std::vector<char>(place, place + bytes));
    memcpy(place, reads.earlier.data() + reads.at, bytes);
    reads.at += bytes, reads.number++;
}

// The device's turn, which does not see what the host was shown; what the host has written since stays.
void host_hands_over() {
    InPlace& reads = host_replay.in_place;
    for (size_t i = reads.kept.size(), at = reads.at; i-- > 0;) {
        auto& [place, own] = reads.kept[i];
        at -= own.size();
        if (!memcmp(place, reads.earlier.data() + at, own.size())) memcpy(place, own.data(), own.size());
    }
    reads.kept.clear();
}

// The same bytes of what the device is to see in the place of a call's arrays; nullptr: these are none of its arrays.
inline const char* seen_by_device(const char* from, size_t bytes) {
    for (const HostArray& array : host_replay.arrays) {
        const size_t offset = (size_t)(from - array.start);
        if (from >= array.start && offset + bytes <= array.bytes && !memcmp(from, array.own + offset, bytes)) return array.other + offset;
    }
    for (const HostArray& array : host_replay.arrays)  // by way of a buffer
        if (const void* found = bytes >= 16 ? memmem(array.own, array.bytes, from, bytes) : nullptr)
            return array.other + ((const char*)found - array.own);
    return nullptr;
}

// The host has sent `bytes` to the device, as they lay at `from`. What it only passes on as it was read is no work of the host: then it sends
// what it would have.
void host_has_sent(void* to, size_t bytes, const void* from) {
    host_traffic.from_host += bytes + kCommandBytes;
    if (host_replay.mode != Replay::kReplaying) return;
    if (!host_replay.arrays.empty()) {
        if (const char* other = seen_by_device((const char*)from, bytes)) memcpy(to, other, bytes);
        else host_traffic.unmatched += bytes;
        return;
    }
    for (size_t i = 0; i < host_replay.now.size(); i++)
        if (host_replay.now[i].size() == bytes && !memcmp(host_replay.earlier[i].data(), to, bytes))
            return (void)memcpy(to, host_replay.now[i].data(), bytes);
}
}  // namespace runtime
