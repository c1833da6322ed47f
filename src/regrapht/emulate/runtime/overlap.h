// Which launches and transfers are ordered: by their stream, by events, by waiting on the host. Everything runs at once and in turn; this
// only says which accesses a GPU might have overlapped.
#pragma once
#include <algorithm>
#include <unordered_map>
#include "state.h"

namespace runtime {
using Past = std::vector<u32>;  // how many operations of each stream are ordered before

struct Stream {
    Past past;
    std::vector<Epoch> operations;  // first epoch of each
    bool blocking = true;           // waits for the default stream, and it for this one
};
struct Operation {  // a launch, a transfer, or a free in a stream
    Epoch first;
    u32 stream, number;  // from 1
    const char* kernel;  // "" of what is no launch
    void* pc;            // where the host asks for it
};
struct Streams {
    std::vector<Stream> all{3};  // 0: the default stream, 1: another name of it, 2: that of the host thread
    std::unordered_map<const void*, u32> numbers;  // by handle
    std::vector<Operation> operations;
    std::unordered_map<const void*, Past> events;
    Past host;
    int in_graph = -1;  // the stream that runs a captured graph now: its steps keep the order in which they were captured
} streams;
Past current_past;  // of the operation in progress

inline void join(Past& past, const Past& other) {
    if (past.size() < other.size()) past.resize(other.size());
    for (size_t i = 0; i < other.size(); i++) past[i] = std::max(past[i], other[i]);
}

// The number of a stream by its handle; what is none counts as the default stream.
inline u32 stream_number(const void* handle) {
    if (streams.in_graph >= 0) return streams.in_graph;
    if ((u64)handle <= 2) return (u64)handle == 2 ? 2 : 0;
    auto known = streams.numbers.find(handle);
    return known == streams.numbers.end() ? 0 : known->second;
}

class GraphStream {
  public:
    explicit GraphStream(const void* handle) : before(streams.in_graph) { streams.in_graph = (int)stream_number(handle); }
    ~GraphStream() { streams.in_graph = before; }

  private:
    const int before;
};

void number_stream(const void* handle, bool blocking) {
    streams.numbers[handle] = streams.all.size();
    streams.all.push_back({});
    streams.all.back().blocking = blocking;
}

// What an action in a stream comes after: the default stream's and those of blocking streams wait for each other.
Past& joined_past(u32 number) {
    Past& past = streams.all[number].past;
    join(past, streams.host);
    if (number == 0) {
        for (const Stream& other : streams.all)
            if (other.blocking) join(past, other.past);
    } else if (streams.all[number].blocking) {
        join(past, streams.all[0].past);
    }
    return past;
}

// One operation is added to a stream; `first` is its first epoch.
void begin_operation(u32 number, Epoch first, const char* kernel, void* pc) {
    Past& past = joined_past(number);
    std::vector<Epoch>& operations = streams.all[number].operations;
    operations.push_back(first);
    if (past.size() <= number) past.resize(number + 1);
    past[number] = operations.size();
    streams.operations.push_back({first, number, past[number], kernel, pc});
    current_past = past;
}

// What happened before this epoch is ordered before the operation that has just begun.
Epoch joined_epoch(Epoch first) {
    Epoch joined = first;
    for (u32 i = 0; i < streams.all.size(); i++) {
        const u32 known = i < current_past.size() ? current_past[i] : 0;
        if (known < streams.all[i].operations.size()) joined = std::min(joined, streams.all[i].operations[known]);
    }
    return joined;
}

// The operation of this call that an epoch belongs to; nullptr: it is older.
const Operation* operation_of(Epoch epoch) {
    auto after = std::upper_bound(streams.operations.begin(), streams.operations.end(), epoch,
                                  [](Epoch e, const Operation& o) { return e < o.first; });
    return after == streams.operations.begin() ? nullptr : &*std::prev(after);
}

// Whether the operation of an earlier epoch is ordered before the one that runs.
bool operation_ordered(Epoch epoch) {
    const Operation* operation = operation_of(epoch);
    return !operation || (operation->stream < current_past.size() && operation->number <= current_past[operation->stream]);
}

// Whether the host has waited for the operation of an earlier epoch; and for all that there are.
bool host_ordered(Epoch epoch) {
    const Operation* operation = operation_of(epoch);
    return !operation || (operation->stream < streams.host.size() && operation->number <= streams.host[operation->stream]);
}
bool host_knows_all() {
    for (size_t i = 0; i < streams.all.size(); i++)
        if (streams.all[i].operations.size() > (i < streams.host.size() ? streams.host[i] : 0)) return false;
    return true;
}

void host_waits_for_stream(const void* handle) { join(streams.host, joined_past(stream_number(handle))); }
void host_waits_for_device() {
    for (const Stream& stream : streams.all) join(streams.host, stream.past);
}
void record_event(const void* event, const void* handle) { streams.events[event] = joined_past(stream_number(handle)); }
void forget_event(const void* event) { streams.events.erase(event); }
void stream_waits_for_event(const void* handle, const void* event) { join(streams.all[stream_number(handle)].past, streams.events[event]); }
void host_waits_for_event(const void* event) { join(streams.host, streams.events[event]); }

void forget_operations() {
    for (Stream& stream : streams.all) stream.past.clear(), stream.operations.clear();
    streams.operations.clear();
    streams.events.clear();
    streams.host.clear();
}
}  // namespace runtime
