// What a call moves between host and device. And a proof of who did the work: in one call the host is given what it read from the device
// in an earlier call, on other inputs. Output bytes that then are those of the earlier call were determined by what the host knew.
#pragma once
#include <cstring>
#include <vector>
#include "state.h"

namespace runtime {
struct HostTraffic {
    u64 to_host = 0, from_host = 0;  // bytes in this call; launches' parameters are from the host, too
} host_traffic;

enum class Replay : u8 { kOff, kRecording, kReplaying };
struct HostReplay {
    Replay mode = Replay::kOff;
    std::vector<std::vector<char>> earlier;  // what the earlier call's host read, in order
    std::vector<std::vector<char>> now;      // what this call's host would have read instead
} host_replay;

// The host has read `bytes` from the device. A call that does not read the same amounts in the same order is not replayed any further.
void host_has_read(void* to, size_t bytes) {
    host_traffic.to_host += bytes;
    HostReplay& replay = host_replay;
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

// The host has sent `bytes` to the device. What it only passes on as it was read is no work of the host: then it sends what it would have.
void host_has_sent(void* to, size_t bytes) {
    host_traffic.from_host += bytes;
    if (host_replay.mode != Replay::kReplaying) return;
    for (size_t i = 0; i < host_replay.now.size(); i++)
        if (host_replay.now[i].size() == bytes && !memcmp(host_replay.earlier[i].data(), to, bytes))
            return (void)memcpy(to, host_replay.now[i].data(), bytes);
}
}  // namespace runtime
