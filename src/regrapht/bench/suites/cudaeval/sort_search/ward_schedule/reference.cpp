#include <cstdint>
#include <queue>
#include <tuple>
#include <vector>

namespace hospital {

struct Waiting {
    int priority, number;
    // The top of the queue is the patient to be seen next.
    bool operator<(const Waiting& other) const
    {
        return std::make_tuple(priority, -number) < std::make_tuple(other.priority, -other.number);
    }
};

static int run_ward(int patients, const int32_t* gap, const int32_t* care, const uint8_t* priority, int32_t* seen)
{
    std::priority_queue<Waiting> room;
    int now = 0, next = 0, arrival = gap[0];
    for (int done = 0; done < patients; ++done) {
        if (room.empty() && now < arrival) now = arrival;
        while (next < patients && arrival <= now) {
            room.push({priority[next], next});
            if (++next < patients) arrival += gap[next];
        }
        const int who = room.top().number;
        room.pop();
        seen[who] = now;
        now += care[who];
    }
    return now;
}

}  // namespace hospital

void ward_schedule(int wards, int patients, const int32_t* gap, const int32_t* care, const uint8_t* priority, int32_t* seen, int32_t* left)
{
    for (int w = 0; w < wards; ++w) {
        const long at = (long)w * patients;
        left[w] = hospital::run_ward(patients, gap + at, care + at, priority + at, seen + at);
    }
}
