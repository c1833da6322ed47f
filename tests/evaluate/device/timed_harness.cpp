// A stand-in for the GPU harness in timing mode: answers the parent's commands with made-up times and really waits that long.
//
// Usage: timed_harness EVENT_US HOST_US OUTSIDE_US [end_after COMMANDS | hang_after COMMANDS]
#include "wire.h"
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace regrapht;

int main(int argc, char** argv) {
    const double event_us = atof(argv[1]), host_us = atof(argv[2]), outside_us = atof(argv[3]);
    const bool ends = argc > 5 && !strcmp(argv[4], "end_after"), hangs = argc > 5 && !strcmp(argv[4], "hang_after");
    const unsigned last_command = argc > 5 ? unsigned(atoi(argv[5])) : ~0u;
    struct stat in, out;
    fstat(3, &in);
    fstat(4, &out);
    char* input = (char*)mmap(nullptr, in.st_size, PROT_READ, MAP_SHARED, 3, 0);
    char* output = (char*)mmap(nullptr, out.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);
    const Header* header = (Header*)input;
    const Call* calls = (Call*)(input + sizeof(Header) + header->parameter_count * sizeof(Parameter));
    const Slot* slots = (Slot*)(calls + header->call_count);
    ResultHeader* result = (ResultHeader*)output;
    CallReport* reports = (CallReport*)(result + 1);
    result->ready = 1;
    uint32_t bytes = 0;
    while (!(bytes = __atomic_load_n(&result->object_bytes, __ATOMIC_ACQUIRE))) usleep(50);
    unsigned char object[10240];
    if (pread(5, object, sizeof object, 0) != ssize_t(bytes) || object[bytes - 1] != 255) return 8;
    close(5);
    result->ready = 2;
    unsigned kept = ~0u;
    for (unsigned last = 0;;) {
        const unsigned command = __atomic_load_n(&result->command, __ATOMIC_ACQUIRE);
        if (command == last) {
            usleep(20);
            continue;
        }
        last = command;
        if (command > last_command && ends) return 9;
        if (command > last_command && hangs) pause();
        if (result->kind == kFinish) break;
        unsigned first = 0, sets = 0;  // calls of the shape
        for (unsigned c = 0; c < header->call_count; ++c) {
            first += calls[c].shape < result->shape;
            sets += calls[c].shape == result->shape;
        }
        if (result->kind == kKeep) {
            kept = first + result->count;
        } else if (result->kind == kStore && first + result->count == kept) {
            const Slot* slot = slots + kept * header->parameter_count;
            for (unsigned p = 0; p < header->parameter_count; ++p)
                if (slot[p].output_offset) memset(output + slot[p].output_offset, 40 + int(kept), slot[p].bytes);
            reports[kept].done = 1;
        } else {
            for (unsigned i = 0; i < result->count; ++i) {
                usleep(useconds_t(host_us + outside_us));
                auto* samples = (TimedSample*)(output + calls[first + i % sets].sample_offset);
                samples[i / sets] = {event_us, host_us};
            }
        }
        __atomic_store_n(&result->answered, last, __ATOMIC_RELEASE);
    }
    result->magic = kMagic;
    result->calls_done = header->call_count;
    result->completed = kCompleted;
    return 0;
}
