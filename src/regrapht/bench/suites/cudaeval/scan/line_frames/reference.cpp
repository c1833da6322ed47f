#include <cstdint>

enum { kEscape = 0x7d, kFlag = 0x7e, kTurned = 0x20 };

enum State { kPlain, kEscaped };

void line_frames(int lines, int n, const uint8_t* code, uint8_t* payload, uint16_t* ends, int32_t* size, int32_t* frames) {
    for (int s = 0; s < lines; ++s) {
        State state = kPlain;
        int32_t used = 0, ended = 0;
        for (int i = 0; i < n; ++i) {
            const uint8_t byte = *code++;
            switch (byte) {
                case kFlag:
                    ends[ended++] = (uint16_t)used;
                    state = kPlain;
                    break;
                case kEscape:
                    if (state == kPlain) {
                        state = kEscaped;
                        break;
                    }
                    [[fallthrough]];
                default:
                    payload[used++] = state == kEscaped ? byte ^ kTurned : byte;
                    state = kPlain;
            }
        }
        size[s] = used;
        frames[s] = ended;
        while (used < n) payload[used++] = 0;
        while (ended < n) ends[ended++] = 0;
        payload += n;
        ends += n;
    }
}
